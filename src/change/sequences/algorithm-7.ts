/** Algorithm 7 of the thesis to the letter, as the graph its recursion walks. */

import type { LinkedFunction } from './call-targets.js';
import type { EndsGraph } from './reached-ends.js';
import type { ChangedBlock } from './sequence-places.js';

export interface PublishedWalk {
  readonly graph: EndsGraph;
  /** For each changed block where its own traversal begins. */
  readonly starts: readonly number[];
}

/**
 * `TRAVERSECHANGE (curr, CFG, c)` is a node for each `curr`: the blocks a change `c` gets an edge to are the ends that
 * can be reached from `c`'s node, since what is marked as traversed is marked for one `c`. Were marks kept from one `c` to
 * the next, the edges would depend on the order changes are looked at in.
 *
 * Letters that Definition 14 would not have: nothing comes back from a called function (lines 23 to 26 have no way out of
 * it); what a block calls may always be skipped (lines 16 to 22 do not ask); methods that did not change are not walked
 * through, only looked through for changed ones they call; and `CFG'.first` is traversed without asking whether it
 * changed (line 25), so it has no edge from a caller and hides nothing behind it.
 *
 * @param mayBeLast which of the blocks can be executed last: line 11 leaves that to Definition 14
 */
export function publishedWalk(
  functions: readonly LinkedFunction[],
  blocks: readonly ChangedBlock[],
  mayBeLast: readonly boolean[],
): PublishedWalk {
  const firstOf: number[] = [];
  let count = 0;
  for (const fn of functions) {
    firstOf.push(count);
    count += fn.length;
  }
  // Nodes: every block traversed, every method called, every changed block found, the exit, then the starts.
  const called = count;
  const found = called + functions.length;
  const exitAt = found + blocks.length;
  const size = exitAt + 1 + blocks.length;
  const next: number[][] = Array.from({ length: size }, () => []);
  const endAt = new Int32Array(size).fill(-1);
  const changedAt = new Int32Array(count).fill(-1);
  const isChanged = new Uint8Array(functions.length);
  const starts: number[] = [];
  for (const [at, { function: fn, block }] of blocks.entries()) {
    const node = (firstOf[fn] ?? 0) + block;
    changedAt[node] = at;
    isChanged[fn] = 1;
    endAt[found + at] = at;
    const start = exitAt + 1 + at;
    starts.push(start);
    next[start] = mayBeLast[at] ? [node, exitAt] : [node];
  }
  endAt[exitAt] = blocks.length;
  for (const [at, fn] of functions.entries()) {
    const first = firstOf[at] ?? 0;
    const calls = new Set<number>();
    for (const [block, { next: following, calls: made }] of fn.entries()) {
      const own = made.flatMap((target) => target.functions);
      for (const callee of own) calls.add(called + callee);
      next[first + block] = [
        ...following.map((to) => {
          const change = changedAt[first + to] ?? -1;
          return change === -1 ? first + to : found + change;
        }),
        ...new Set(own.map((callee) => called + callee)),
      ];
    }
    // «Transitively calls a changed method»: by the call graph, whatever decides on it.
    next[called + at] = isChanged[at] === 1 && fn.length > 0 ? [first, ...calls] : [...calls];
  }
  return { graph: { next, endAt, endCount: blocks.length + 1 }, starts };
}
