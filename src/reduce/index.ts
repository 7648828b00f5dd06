export { askedProperty } from './asked-property.js';
export { smallestDifference, type Tested } from './difference.js';
export { KnownVerdicts } from './known.js';
export { evenParts, smallestPart, withoutNeedless } from './parts.js';
export { MoreEffort } from './properties/effort.js';
export { Slower } from './properties/slower.js';
export type { Property } from './property.js';
export { type Progress as ReduceProgress, type Reduced, reduceFormula } from './reduce-formula.js';
export { shrink } from './shrink.js';
