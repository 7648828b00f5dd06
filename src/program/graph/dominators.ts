/** Who is on every way to a node: dominators from the entry, post-dominators from the ends. */

import { IntTable, Table } from './table.js';

/** For each node the nodes after it. */
export type Successors<Node extends number = number> = readonly (readonly Node[])[];

/** In place of an immediate dominator: the node cannot be reached. */
export const unreached = -1;

/** In place of an immediate post-dominator: the end that stands after all ends of a function. */
export const afterAll = -2;

/**
 * The immediate dominator of every node; the entry's is itself, `unreached` for what cannot be reached from it.
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
  // The deepest first: from each to the next it is a short way up then, where all of a function goes to one handler.
  const previous = new Table<Node, Node[]>(next.map(() => []));
  for (const node of order) for (const to of next[node] ?? []) previous.get(to).push(node);
  const dominators = IntTable.of<Node, Node>(next.length, unreached as Node);
  dominators.set(entry, entry);
  const inReverse = order.slice(0, -1).toReversed();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const node of inReverse) {
      let closest: Node | undefined;
      for (const before of previous.get(node)) {
        if (dominators.get(before) === unreached) continue;
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

/** What can be reached, each node after those that come after it. */
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
 * The immediate post-dominator of every node; `afterAll` where a node goes to no single other one. Where control can
 * go round for ever, one node of the loop is taken for an end, as LLVM does, so that every node has one.
 */
export function immediatePostDominators<Node extends number>(next: Successors<Node>): IntTable<Node, Node> {
  const count = next.length;
  const previous = predecessorsOf(next).values;
  const ends = endsOf(next, previous);
  // Backwards, with one node more that goes to all ends.
  const found = immediateDominators([...previous, ends], count as Node);
  const after = IntTable.of<Node, Node>(count, afterAll as Node);
  for (const [node, dominator] of found.entries())
    if (node < count && dominator !== count && dominator !== unreached) after.set(node, dominator);
  return after;
}

/** Nodes nothing follows, and one of each part that can never get to one of those. */
function endsOf<Node extends number>(next: Successors<Node>, previous: Successors<Node>): readonly Node[] {
  const reaches = new Uint8Array(next.length);
  const markBack = (end: Node): void => {
    if (reaches[end] === 1) return;
    reaches[end] = 1;
    const left = [end];
    for (let node = left.pop(); node !== undefined; node = left.pop())
      for (const before of previous[node] ?? [])
        if (reaches[before] === 0) {
          reaches[before] = 1;
          left.push(before);
        }
  };
  const nodes = [...next.keys()] as Node[];
  const natural = nodes.filter((node) => next[node]?.length === 0);
  for (const end of natural) markBack(end);
  const endless: Node[] = [];
  for (const node of nodes) {
    if (reaches[node] === 1) continue;
    const end = furthestFrom(node, next, reaches);
    endless.push(end);
    markBack(end);
  }
  return [...natural, ...endless.filter((end) => !reachesOther(end, endless, next))];
}

/** The last node met when going as deep as possible first, to the highest number first, as LLVM goes. */
function furthestFrom<Node extends number>(start: Node, next: Successors<Node>, isDone: Uint8Array): Node {
  const seen = new Set<Node>();
  let last = start;
  const left = [start];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node) || isDone[node] === 1) continue;
    seen.add(node);
    last = node;
    for (const to of (next[node] ?? []).toSorted((a, b) => a - b)) left.push(to);
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
  const left = [end];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (others.has(node)) return true;
    for (const to of next[node] ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        left.push(to);
      }
  }
  return false;
}
