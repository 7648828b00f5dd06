export { treeOfFiles, treeOfFolder } from './code/code-tree.js';
export { type CodeChange, changeBetween, changeOfFiles, changeOfFolders } from './code/commit-change.js';
export { type Interaction, interactionsIn } from './interactions/interactions.js';
export { CompilePlan } from './sequences/compiled-flow.js';
export type { ChangeMeasure } from './sequences/measure-change.js';
export { CommitMeter, type MeasuredChange, measureFolders } from './sequences/measure-commit.js';
export { entry, exit } from './sequences/sequence-graph.js';
