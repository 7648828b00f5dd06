/**
 * Which files and functions of a version are to blame for what it does wrong: formulas near the one that fails, what they
 * execute, and how often each line was edited.
 */

export { type AggregateName, aggregateNames } from './aggregate.js';
export { type Failure, type FailureKind, failureKinds } from './failure.js';
export { type EditedVersion, editedLines } from './lines/edited-lines.js';
export { type Evidence, gatherEvidence, type LocateRequest, noWitness, type Witness } from './locate.js';
export {
  type ColumnName,
  columnNames,
  type RankedFile,
  type RankedFunction,
  type RankedLine,
  type RankOptions,
  rankFiles,
  rankFunctions,
  rankLines,
  type ScoreName,
  scoreNames,
} from './rank.js';
export { type Ranked, type RankingQuality, rankingQuality } from './ranking.js';
export { suspectedFiles } from './suspects.js';
export { type SuspicionName, suspicionNames } from './suspicion.js';
export { type Candidate, type WitnessStrategy, witnessStrategyNames } from './witnesses.js';
