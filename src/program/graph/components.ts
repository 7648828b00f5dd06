import { condense } from './condensation.js';
import type { Successors } from './dominators.js';

/** Strongly connected components in reverse topological order (Tarjan): each component after its successors. */
export function components<Node extends number>(next: Successors<Node>): readonly (readonly Node[])[] {
  const { componentOf, discovery, count } = condense(next.length, next.keys(), (node, into) => {
    for (const to of next[node] ?? []) into.push(to);
  });
  const discovered = new Int32Array(next.length);
  for (const [node, at] of discovery.entries()) discovered[at] = node;
  const components: Node[][] = Array.from({ length: count }, () => []);
  for (const node of discovered.reverse()) components[componentOf[node] ?? 0]?.push(node as Node);
  return components;
}
