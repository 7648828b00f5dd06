/**
 * Fault localization: ranks the files and functions of a version by how likely they cause a failure. It uses the
 * coverage of formulas near the failing one and the number of edits of each line.
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
export { type Ranked, type RankingQuality, rankingQuality } from './ranked-scores.js';
export { suspectedFiles } from './suspected-files.js';
export { type SuspicionName, suspicionNames } from './suspicion.js';
export { type Candidate, type WitnessStrategy, witnessStrategyNames } from './witnesses.js';
