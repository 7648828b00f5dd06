/** Explains why a change makes a test fail: the changes to blame, the auxiliary ones, and the chain of causes. */

export type { BegunExplanation } from './begin.js';
export { beginExplanation, readExplanation, resumeExplanation } from './begin.js';
export type { CauseLine } from './causes/cause-lines.js';
export type { CauseTree } from './causes/cause-search.js';
export type { Precondition } from './causes/weakest-precondition.js';
export { type Change, placeOf } from './changes/change.js';
export type { FunctionWork } from './counting/work-by-function.js';
export { explain } from './explain.js';
export { type BlamedChange, type Explanation, patchName } from './explanation.js';
export { type ExplainSettings, type StrategyName, strategyNames, usualLimits } from './settings.js';
export type { SourceExcerpt } from './source-excerpts.js';
export { nameOfSources } from './trials/sources.js';
export type { Tries } from './trials/trials.js';
