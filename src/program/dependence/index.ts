export { DependenceGraph } from './dependence-graph.js';
export {
  type FunctionPlace,
  type ProgramBlock,
  ProgramFlow,
  ProgramFlowBuilder,
  type ProgramSize,
} from './program-flow.js';
export { sliceLines } from './slice-lines.js';
