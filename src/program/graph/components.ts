import type { Successors } from './dominators.js';

/**
 * The strongly connected components, each after those it leads to (Tarjan). What stands in one can be reached from
 * everything else in it.
 */
export function components(next: Successors): readonly (readonly number[])[] {
  const count = next.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const found: number[][] = [];
  let clock = 0;
  const enter = (node: number): { readonly node: number; at: number } => {
    index[node] = clock;
    low[node] = clock++;
    isOpen[node] = 1;
    open.push(node);
    return { node, at: 0 };
  };
  for (let start = 0; start < count; start++) {
    if (index[start] !== -1) continue;
    const stack = [enter(start)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node } = top;
      const to = next[node]?.[top.at++];
      if (to === undefined) {
        stack.pop();
        const above = stack.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[node] as number);
        if (low[node] === index[node]) found.push(closed(open, node, isOpen));
      } else if (index[to] === -1) stack.push(enter(to));
      else if (isOpen[to] === 1) low[node] = Math.min(low[node] as number, index[to] as number);
    }
  }
  return found;
}

function closed(open: number[], root: number, isOpen: Uint8Array): number[] {
  const component: number[] = [];
  for (;;) {
    const node = open.pop() as number;
    isOpen[node] = 0;
    component.push(node);
    if (node === root) return component;
  }
}
