/** Algorithm 7 of the thesis to the letter, as the graph that its recursion walks. */

import type { LinkedFunction } from './call-targets.js';
import type { EndsGraph } from './reached-ends.js';
import type { ChangedBlock } from './sequence-places.js';

export interface PublishedWalk {
  readonly graph: EndsGraph;
  /** For each changed block the node where its own traversal begins. */
  readonly starts: readonly number[];
}

/**
 * Each call `TRAVERSECHANGE (curr, CFG, c)` becomes a node for `curr`. A change `c` has edges to the ends that are
 * reachable from the node of `c`, since blocks are marked as traversed for one `c` at a time. If marks were kept from
 * one `c` to the next, the edges would depend on the order of the changes.
 *
 * Differences from Definition 14: nothing returns from a called function (lines 23 to 26 do not continue after it); a
 * call may always be skipped (lines 16 to 22 do not check); unchanged methods are only searched for calls of changed
 * methods, not walked through; and `CFG'.first` is traversed without a check if it changed (line 25). It therefore
 * has no edge from a caller, and hides nothing behind it.
 *
 * @param mayBeLast which blocks can be executed last; line 11 leaves this to Definition 14
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
    for (const [block, { next: successors, calls: targets }] of fn.entries()) {
      const callees = new Set(targets.flatMap((target) => target.functions.map((callee) => called + callee)));
      for (const callee of callees) calls.add(callee);
      const following = successors.map((to) => {
        const change = changedAt[first + to] ?? -1;
        return change === -1 ? first + to : found + change;
      });
      next[first + block] = [...following, ...callees];
    }
    // "Transitively calls a changed method": by the call graph, regardless of conditions.
    next[called + at] = isChanged[at] === 1 && fn.length > 0 ? [first, ...calls] : [...calls];
  }
  return { graph: { next, endAt, endCount: blocks.length + 1 }, starts };
}
