import { afterAll, immediatePostDominators, type Successors } from './dominators.js';

/**
 * For each node those that decide whether it is executed: they have a way on which it always is, and one on which it
 * need not be.
 *
 * Ferrante, Ottenstein, Warren: The Program Dependence Graph and Its Use in Optimization.
 */
export function controlDependence(next: Successors): readonly (readonly number[])[] {
  const after = immediatePostDominators(next);
  const deciders: Set<number>[] = next.map(() => new Set());
  for (const [node, targets] of next.entries()) {
    if (targets.length < 2) continue;
    const meeting = after[node] as number;
    for (const target of targets)
      for (let at = target; at !== meeting && at !== afterAll; at = after[at] as number)
        deciders[at]?.add(node);
  }
  return deciders.map((set) => [...set].toSorted((a, b) => a - b));
}
