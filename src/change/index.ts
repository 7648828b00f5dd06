/**
 * Differences between two versions of C and C++ code: hunks of code instead of hunks of text, changed basic blocks,
 * the orders in which they can be executed, and the complexity of a change.
 *
 * ```ts
 * import { Fault, hunksOf, measureCommit, measureFolders } from 'culprit/change';
 *
 * // Complexity of a commit: the independent orders in which its changed code can be executed.
 * const commit = await measureCommit('../findutils', 'HEAD~1');
 * if (commit instanceof Fault) throw new Error(commit.message);
 * console.log(commit.complexity, commit.lines, commit.functions.map(({ name }) => name));
 * // The change sequence graph: pairs of changed blocks that can follow one another.
 * for (const [from, to] of commit.graph.edges) console.log(from, to);
 *
 * // Two folders with one version each.
 * const change = await measureFolders('grep-3.7', 'grep-3.8');
 * if (!(change instanceof Fault)) console.log(change.complexity);
 *
 * // The difference between two texts, ignoring line breaks and comments.
 * for (const { old, new: next } of hunksOf('int f() { return 1; }', 'int f() { return 2; }')) console.log(old, next);
 * ```
 */

export { Fault } from '../machine/index.js';
export type { FlowBlock, FlowFunction } from '../program/graph/index.js';
export { type Commit, Repository } from '../repository/index.js';
export { diffSequences } from './hunks/diff-sequences.js';
export { type Hunk, hunksOf } from './hunks/hunks.js';
export type { LineRange } from './hunks/line-range.js';
export type { Position, WordChange } from './hunks/word-changes.js';
export type { StatementKind } from './interactions/interaction-graph.js';
export {
  type Interaction,
  type Interactions,
  type InteractionsOptions,
  interactionsIn,
  type SequenceStatement,
  type StatementSequences,
} from './interactions/interactions.js';
export { FileCompiler } from './sequences/compiled-flow.js';
export type { ChangeMeasure, MeasuredFunction } from './sequences/measure-change.js';
export {
  CommitMeter,
  type FileEdit,
  type MeasuredChange,
  type MeasureOptions,
  measureCommit,
  measureFiles,
  measureFolders,
} from './sequences/measure-commit.js';
export { measureNamed, type NamedChange } from './sequences/named-change.js';
export {
  type ChangedBlock,
  complexityOf,
  entry,
  exit,
  type SequenceGraph,
  type SequenceOptions,
  sequenceGraph,
} from './sequences/sequence-graph.js';
export { type OnProgramStep, type ProgramStep, WholeProgram } from './sequences/whole-program.js';
