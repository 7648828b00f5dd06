/**
 * Dependences in a whole program: calls, points-to sets, reads and the writes they see, branches, and slices over all
 * of these. For programs that do not fit into memory, only control flow and calls (`ProgramFlow`).
 */

export {
  type CallPlace,
  type Dependence,
  DependenceGraph,
  type GraphOptions,
  type GraphStep,
  type InstructionPosition,
  type NodeRole,
} from './dependence-graph.js';
export {
  type FunctionPlace,
  type ProgramBlock,
  ProgramFlow,
  ProgramFlowBuilder,
  type ProgramSize,
} from './program-flow.js';
export { sliceLines } from './slice-lines.js';
