/** Dominators from the entry, and post-dominators from the exits. */

import { IntTable, Table } from './table.js';

export type Successors<Node extends number = number> = readonly (readonly Node[])[];

/** Immediate dominator of an unreachable node. */
export const unreachable = -1;

/** Immediate post-dominator of a node whose paths meet only at the virtual exit behind all exits. */
export const virtualExit = -2;

/**
 * The immediate dominator of every node. The entry is its own dominator; unreachable nodes have `unreachable`.
 *
 * Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
 */
export function immediateDominators<Node extends number>(
  next: Successors<Node>,
  entry: Node,
): IntTable<Node, Node> {
  const order = postorder(next, entry);
  const rank = IntTable.of<Node, number>(next.length, -1);
  for (const [at, node] of order.entries()) rank.set(node, at);
  // Deepest predecessors first: `meeting` then takes few steps from one to the next if a whole function leads to one
  // handler.
  const previous = new Table<Node, Node[]>(next.map(() => []));
  for (const node of order) for (const to of next[node] ?? []) previous.get(to).push(node);
  const dominators = IntTable.of<Node, Node>(next.length, unreachable as Node);
  dominators.set(entry, entry);
  const inReverse = order.slice(0, -1).toReversed();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const node of inReverse) {
      let closest: Node | undefined;
      for (const before of previous.get(node)) {
        if (dominators.get(before) === unreachable) continue;
        closest = closest === undefined ? before : meeting(dominators, rank, before, closest);
      }
      if (closest !== undefined && dominators.get(node) !== closest) {
        dominators.set(node, closest);
        isChanged = true;
      }
    }
  }
  return dominators;
}

function meeting<Node extends number>(
  dominators: IntTable<Node, Node>,
  rank: IntTable<Node>,
  a: Node,
  b: Node,
): Node {
  let [x, y] = [a, b];
  while (x !== y) {
    while (rank.get(x) < rank.get(y)) x = dominators.get(x);
    while (rank.get(y) < rank.get(x)) y = dominators.get(y);
  }
  return x;
}

export function predecessorsOf<Node extends number>(next: Successors<Node>): Table<Node, readonly Node[]> {
  const previous = new Table<Node, Node[]>(next.map(() => []));
  for (const [from, targets] of next.entries()) for (const to of targets) previous.get(to).push(from as Node);
  return previous;
}

/** Reachable nodes, each after its successors. */
function postorder<Node extends number>(next: Successors<Node>, entry: Node): readonly Node[] {
  const order: Node[] = [];
  const seen = new Uint8Array(next.length);
  const stack: { readonly node: Node; at: number }[] = [{ node: entry, at: 0 }];
  seen[entry] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = next[top.node]?.[top.at++];
    if (to === undefined) {
      order.push(top.node);
      stack.pop();
    } else if (seen[to] === 0) {
      seen[to] = 1;
      stack.push({ node: to, at: 0 });
    }
  }
  return order;
}

/**
 * The immediate post-dominator of every node, or `virtualExit`. In an endless loop one node counts as an exit, as in
 * LLVM, so that every node has a post-dominator.
 */
export function immediatePostDominators<Node extends number>(next: Successors<Node>): IntTable<Node, Node> {
  const count = next.length;
  const previous = predecessorsOf(next).values;
  const ends = exitsOf(next, previous);
  // The reversed graph, with an additional node that leads to all exits.
  const dominators = immediateDominators([...previous, ends], count as Node);
  const after = IntTable.of<Node, Node>(count, virtualExit as Node);
  for (const [node, dominator] of dominators.entries())
    if (node < count && dominator !== count && dominator !== unreachable) after.set(node, dominator);
  return after;
}

/** Nodes without successors, and one node of each part that cannot reach such a node. */
function exitsOf<Node extends number>(next: Successors<Node>, previous: Successors<Node>): readonly Node[] {
  const reaches = new Uint8Array(next.length);
  const markBack = (end: Node): void => {
    if (reaches[end] === 1) return;
    reaches[end] = 1;
    const pending = [end];
    for (let node = pending.pop(); node !== undefined; node = pending.pop())
      for (const before of previous[node] ?? [])
        if (reaches[before] === 0) {
          reaches[before] = 1;
          pending.push(before);
        }
  };
  const nodes = [...next.keys()] as Node[];
  const exits = nodes.filter((node) => next[node]?.length === 0);
  for (const end of exits) markBack(end);
  const loopExits: Node[] = [];
  for (const node of nodes) {
    if (reaches[node] === 1) continue;
    const end = furthestFrom(node, next, reaches);
    loopExits.push(end);
    markBack(end);
  }
  return [...exits, ...loopExits.filter((end) => !reachesOther(end, loopExits, next))];
}

/** The last node of a depth-first walk that takes the highest number first, as LLVM does. */
function furthestFrom<Node extends number>(start: Node, next: Successors<Node>, isDone: Uint8Array): Node {
  const seen = new Set<Node>();
  let last = start;
  const pending = [start];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || isDone[node] === 1) continue;
    seen.add(node);
    last = node;
    for (const to of (next[node] ?? []).toSorted((a, b) => a - b)) pending.push(to);
  }
  return last;
}

function reachesOther<Node extends number>(
  end: Node,
  ends: readonly Node[],
  next: Successors<Node>,
): boolean {
  const others = new Set(ends.filter((other) => other !== end));
  if (others.size === 0) return false;
  const seen = new Set([end]);
  for (const node of seen) {
    if (others.has(node)) return true;
    for (const to of next[node] ?? []) seen.add(to);
  }
  return false;
}
