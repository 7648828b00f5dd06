export { type EventOf, type HuntEvent, parseEvent, present } from './events.js';
export { Hunt } from './hunt.js';
export { type Busy, groupByKind, type Kind, KnownKinds } from './kind.js';
export { runLocally } from './local-campaign.js';
export { recallKinds, rememberKinds } from './memory.js';
export { SolverPerformer } from './performer.js';
export { caseName, oddityName, playBack, runCampaign } from './run-campaign.js';
export { type HuntSettings, settingsSchema } from './settings.js';
export { type StrategyName, strategies, strategyNames } from './strategies/index.js';
