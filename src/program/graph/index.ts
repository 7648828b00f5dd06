export { BitSet } from './bit-set.js';
export { components } from './components.js';
export { controlDependence } from './control-dependence.js';
export {
  afterAll,
  immediateDominators,
  immediatePostDominators,
  predecessorsOf,
  type Successors,
} from './dominators.js';
export type { FlowBlock, FlowFunction, SourceLine } from './flow.js';
export { IntList } from './int-list.js';
export { IntSet } from './int-set.js';
