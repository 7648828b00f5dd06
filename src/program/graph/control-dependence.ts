import { immediatePostDominators, type Successors, virtualExit } from './dominators.js';
import { Table } from './table.js';

/**
 * For each node, the branching nodes that decide whether it is executed: one branch always leads to the node, another
 * may avoid it.
 *
 * Ferrante, Ottenstein, Warren: The Program Dependence Graph and Its Use in Optimization.
 */
export function controlDependence<Node extends number>(next: Successors<Node>): Table<Node, readonly Node[]> {
  const after = immediatePostDominators(next);
  const deciders = new Table<Node, Set<Node>>(next.map(() => new Set()));
  for (const [node, targets] of next.entries() as Iterable<[Node, readonly Node[]]>) {
    if (targets.length < 2) continue;
    const meeting = after.get(node);
    for (const target of targets)
      for (let at = target; at !== meeting && at !== virtualExit; at = after.get(at))
        deciders.get(at).add(node);
  }
  return deciders.map((set) => [...set].toSorted((a, b) => a - b));
}
