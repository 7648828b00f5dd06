import type { Successors } from './dominators.js';
import { IntTable } from './table.js';

/** Strongly connected components in reverse topological order (Tarjan): each component after its successors. */
export function components<Node extends number>(next: Successors<Node>): readonly (readonly Node[])[] {
  const count = next.length;
  const index = IntTable.of<Node, number>(count, -1);
  const low = IntTable.of<Node, number>(count, 0);
  const isOpen = new Uint8Array(count);
  const open: Node[] = [];
  const closedComponents: Node[][] = [];
  let clock = 0;
  const enter = (node: Node): { readonly node: Node; at: number } => {
    index.set(node, clock);
    low.set(node, clock++);
    isOpen[node] = 1;
    open.push(node);
    return { node, at: 0 };
  };
  for (const start of next.keys() as Iterable<Node>) {
    if (index.get(start) !== -1) continue;
    const stack = [enter(start)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node } = top;
      const to = next[node]?.[top.at++];
      if (to === undefined) {
        stack.pop();
        const above = stack.at(-1)?.node;
        if (above !== undefined) low.set(above, Math.min(low.get(above), low.get(node)));
        if (low.get(node) === index.get(node)) closedComponents.push(closed(open, node, isOpen));
      } else if (index.get(to) === -1) stack.push(enter(to));
      else if (isOpen[to] === 1) low.set(node, Math.min(low.get(node), index.get(to)));
    }
  }
  return closedComponents;
}

/** Pops the nodes of the component with this root; the last one opened comes first. */
function closed<Node extends number>(open: Node[], root: Node, isOpen: Uint8Array): Node[] {
  const component: Node[] = [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    isOpen[node] = 0;
    component.push(node);
    if (node === root) break;
  }
  return component;
}
