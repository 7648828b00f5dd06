export { askedProperty } from './asked-property.js';
export { KnownVerdicts } from './known.js';
export { MoreEffort } from './properties/effort.js';
export { Slower } from './properties/slower.js';
export type { Property } from './property.js';
export { type Progress as ReduceProgress, type Reduced, reduceFormula } from './reduce-formula.js';
export { shrink } from './shrink.js';
