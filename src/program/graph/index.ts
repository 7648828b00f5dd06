/**
 * Graph algorithms that are independent of programs: dominators, components, control dependence; compact sets and
 * tables, and the ids that index them. Also the form of a function's control flow, which the IR and the source
 * readers share.
 */

export { BitSet } from './bit-set.js';
export { components } from './components.js';
export { type Condensation, condense, type NextNodes, propagateMarks } from './condensation.js';
export { ContentMap, type KeyEquality } from './content-map.js';
export { controlDependence } from './control-dependence.js';
export {
  immediateDominators,
  immediatePostDominators,
  predecessorsOf,
  type Successors,
  unreachable,
  virtualExit,
} from './dominators.js';
export type {
  FlowBlock,
  FlowCall,
  FlowFunction,
  KnownCall,
  PointerCall,
  SourceLine,
  ValueCount,
} from './flow.js';
export { getOrCreate } from './get-or-create.js';
export {
  after,
  type BlockId,
  type FunctionId,
  type Id,
  idOf,
  idsBelow,
  idsBetween,
  type LocalNodeId,
  type LocationId,
  type MetadataId,
  type NodeId,
  type ObjectId,
  type PointerId,
  type RegisterId,
  type VariableId,
} from './ids.js';
export { IntList } from './int-list.js';
export { IntLists } from './int-lists.js';
export { IntSet } from './int-set.js';
export { lastAtOrBefore } from './last-at-or-before.js';
export { LineSet } from './line-set.js';
export { PairMap } from './pair-map.js';
export { SortedIds } from './sorted-ids.js';
export { type Ints, IntTable, ints, type ReadonlyTable, Table } from './table.js';
