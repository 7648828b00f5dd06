/** Searches for formulas on which the newest version became slower: strategies, resumable campaigns and results. */

export {
  beginCampaign,
  type Campaign,
  checkStrategySupport,
  resumeCampaign,
  strategyConstants,
} from './begin-campaign.js';
export { buildIdentity } from './build-identity.js';
export { collectJournal, originalSlowdowns } from './collect-journal.js';
export { anomalyKinds, grownSchema, type HuntEvent, wrongModelSchema } from './events.js';
export { decidedCase, sidesOf } from './failing-case.js';
export { Hunt } from './hunt.js';
export { HuntCollector } from './hunt-collector.js';
export type {
  AnomalyLocation,
  AnomalyRecord,
  FailingCase,
  Finding,
  FindingGroup,
  HuntData,
  VersionTime,
} from './hunt-data.js';
export { type DominantCounter, groupByKind, type Kind } from './kind.js';
export { runLocally } from './local-campaign.js';
export { type LocatedFiles, type LocatedResult, locatedResultSchema } from './located.js';
export { rememberKinds } from './memory.js';
export { frontsOf } from './pareto/fronts.js';
export { SolverPerformer } from './performer.js';
export type { HuntReduction } from './reduce-findings.js';
export { type ReplayedTrial, replayCampaign } from './replay.js';
export { anomalyFile, caseName, graceOf, replayJournal, runCampaign } from './run-campaign.js';
export { CoverageScorer } from './search/coverage-score.js';
export { type HuntSettings, kindSchema, settingsSchema } from './settings.js';
export { storedFormula } from './stored-formula.js';
export { type StrategyName, strategies, strategyNames } from './strategies/index.js';
export { timeScoreOf } from './strategies/mulstringfuzz.js';
export { type Member, measurings, origins } from './strategy.js';
