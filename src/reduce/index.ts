export { KnownVerdicts } from './known.js';
export { SameExit } from './properties/command.js';
export { Disagreeing } from './properties/disagreement.js';
export { MoreEffort } from './properties/effort.js';
export { lastingWords, SameOutcome, wordsOf } from './properties/outcome.js';
export { Slower } from './properties/slower.js';
export type { Property } from './property.js';
export { type Reduced, reduceFormula } from './reduce-formula.js';
export { shrink } from './shrink.js';
