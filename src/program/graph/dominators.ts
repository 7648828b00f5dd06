/** Who is on every way to a node: dominators from the entry, post-dominators from the ends. */

/** For each node the nodes after it. */
export type Successors = readonly (readonly number[])[];

/**
 * The immediate dominator of every node; the entry's is itself, -1 for what cannot be reached from it.
 *
 * Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
 */
export function immediateDominators(next: Successors, entry: number): Int32Array {
  const order = postorder(next, entry);
  const rank = new Int32Array(next.length).fill(-1);
  for (const [at, node] of order.entries()) rank[node] = at;
  // The deepest first: from each to the next it is a short way up then, where all of a function goes to one handler.
  const previous: number[][] = next.map(() => []);
  for (const node of order) for (const to of next[node] as readonly number[]) previous[to]?.push(node);
  const dominators = new Int32Array(next.length).fill(-1);
  dominators[entry] = entry;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let at = order.length - 2; at >= 0; at--) {
      const node = order[at] as number;
      let closest = -1;
      for (const before of previous[node] as readonly number[]) {
        if (dominators[before] === -1) continue;
        closest = closest === -1 ? before : meeting(dominators, rank, before, closest);
      }
      if (dominators[node] !== closest) {
        dominators[node] = closest;
        isChanged = true;
      }
    }
  }
  return dominators;
}

function meeting(dominators: Int32Array, rank: Int32Array, a: number, b: number): number {
  let [x, y] = [a, b];
  while (x !== y) {
    while ((rank[x] as number) < (rank[y] as number)) x = dominators[x] as number;
    while ((rank[y] as number) < (rank[x] as number)) y = dominators[y] as number;
  }
  return x;
}

export function predecessorsOf(next: Successors): readonly (readonly number[])[] {
  const previous: number[][] = next.map(() => []);
  for (const [from, targets] of next.entries()) for (const to of targets) previous[to]?.push(from);
  return previous;
}

/** What can be reached, each node after those that come after it. */
export function postorder(next: Successors, entry: number): readonly number[] {
  const order: number[] = [];
  const seen = new Uint8Array(next.length);
  const stack: { readonly node: number; at: number }[] = [{ node: entry, at: 0 }];
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

/** The end that stands after all ends of a function. */
export const afterAll = -2;

/**
 * The immediate post-dominator of every node; `afterAll` where a node goes to no single other one. Where control can
 * go round for ever, one node of the loop is taken for an end, as LLVM does, so that every node has one.
 */
export function immediatePostDominators(next: Successors): Int32Array {
  const count = next.length;
  const previous = predecessorsOf(next);
  const ends = endsOf(next, previous);
  // Backwards, with one node more that goes to all ends.
  const found = immediateDominators([...previous, ends], count);
  return found.subarray(0, count).map((node) => (node === count || node === -1 ? afterAll : node));
}

/** Nodes nothing follows, and one of each part that can never get to one of those. */
function endsOf(next: Successors, previous: Successors): readonly number[] {
  const reaches = new Uint8Array(next.length);
  const markBack = (end: number): void => {
    if (reaches[end] === 1) return;
    reaches[end] = 1;
    const left = [end];
    for (let node = left.pop(); node !== undefined; node = left.pop())
      for (const before of previous[node] as readonly number[])
        if (reaches[before] === 0) {
          reaches[before] = 1;
          left.push(before);
        }
  };
  const natural: number[] = [];
  for (const [node, targets] of next.entries())
    if (targets.length === 0) {
      natural.push(node);
      markBack(node);
    }
  const endless: number[] = [];
  for (let node = 0; node < next.length; node++) {
    if (reaches[node] === 1) continue;
    const end = furthestFrom(node, next, reaches);
    endless.push(end);
    markBack(end);
  }
  return [...natural, ...endless.filter((end) => !reachesOther(end, endless, next))];
}

/** The last node met when going as deep as possible first, to the highest number first, as LLVM goes. */
function furthestFrom(start: number, next: Successors, isDone: Uint8Array): number {
  const seen = new Set<number>();
  let last = start;
  const left = [start];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node) || isDone[node] === 1) continue;
    seen.add(node);
    last = node;
    for (const to of (next[node] as readonly number[]).toSorted((a, b) => a - b)) left.push(to);
  }
  return last;
}

function reachesOther(end: number, ends: readonly number[], next: Successors): boolean {
  const others = new Set(ends.filter((one) => one !== end));
  if (others.size === 0) return false;
  const seen = new Set([end]);
  const left = [end];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (others.has(node)) return true;
    for (const to of next[node] as readonly number[])
      if (!seen.has(to)) {
        seen.add(to);
        left.push(to);
      }
  }
  return false;
}
