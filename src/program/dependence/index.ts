/**
 * What depends on what in a whole program: who calls whom, what pointers may point to, which reads of memory see which
 * writes, which branches decide on what, and slices over all of that. For programs too large to keep in memory at once
 * there is the control flow with the calls alone.
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
