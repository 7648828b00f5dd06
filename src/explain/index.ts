/** Why a change leads to a failure: the changes to blame, what must go with them, and the chain of causes. */

export { beginExplanation, resumeExplanation } from './begin.js';
export type { CauseLine } from './causes/cause-lines.js';
export type { CauseTree } from './causes/cause-search.js';
export { type Change, placeOf } from './changes/change.js';
export { type Explanation, explain } from './explain.js';
export { type StrategyName, strategyNames } from './settings.js';
export { nameOfSources } from './trials/sources.js';
