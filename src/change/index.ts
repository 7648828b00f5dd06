export { type Interaction, interactionsIn } from './interactions/interactions.js';
export { CompilePlan } from './sequences/compiled-flow.js';
export type { ChangeMeasure } from './sequences/measure-change.js';
export { CommitMeter, type MeasuredChange } from './sequences/measure-commit.js';
export { measureNamed, type NamedChange } from './sequences/named-change.js';
export { entry, exit } from './sequences/sequence-graph.js';
