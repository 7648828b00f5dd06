export { smallestDifference, type TestResult } from './difference.js';
export { evenParts, removeUnneeded, smallestPart } from './parts.js';
export { MoreEffort } from './properties/effort.js';
export { Slower } from './properties/slower.js';
export type { Property } from './property.js';
export { type Progress as ReduceProgress, type Reduced, reduceFormula } from './reduce-formula.js';
export { requestedProperty } from './requested-property.js';
export { shrink } from './shrink.js';
export { VerdictCache } from './verdict-cache.js';
