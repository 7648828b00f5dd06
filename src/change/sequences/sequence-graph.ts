/**
 * The change sequence graph of a program: the orders in which changed basic blocks can be executed (Böhme, Definition
 * 14). It combines the control flow of functions with the call graph (Algorithm 7).
 */

import { runWithoutYielding } from '../../machine/index.js';
import type { FlowFunction } from '../../program/graph/index.js';
import { ascending, markReachable } from '../hunks/collections.js';
import { publishedWalk } from './algorithm-7.js';
import { linkedFunctions } from './call-targets.js';
import { type EndsGraph, ReachedEnds } from './reached-ends.js';
import { type ChangedBlock, SequencePlaces } from './sequence-places.js';

export type { ChangedBlock } from './sequence-places.js';

/** The ends of every sequence. */
export const entry = -1;
export const exit = -2;

/** Maximum number of edges to list. By definition, a thousand changed ifs in a row have half a million. */
export const mostEdges = 1_000_000;

export interface SequenceGraph {
  readonly blocks: readonly ChangedBlock[];
  /** Empty if there are more than `mostEdges`. Then they are only counted. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  readonly edgeCount: number;
  /** Number of connected components, with entry and exit as nodes. */
  readonly partCount: number;
}

export interface SequenceOptions {
  /** Follow Algorithm 7 to the letter, which deviates from Definition 14. By default the definition is followed. */
  readonly isAsPublished?: boolean;
  /** Names of functions whose addresses are taken, which pointer calls may reach. By default any function. */
  readonly taken?: ReadonlySet<string> | undefined;
  /** Names in the source of symbols that compiled code calls: `Foo::add` for `_ZN3Foo3addEi`. */
  readonly sourceNames?: ReadonlyMap<string, string> | undefined;
}

/**
 * @param functions the known functions of the changed program; those without callers are where it may begin
 * @param changed the changed blocks of each function
 *
 * @example
 * // for (;;) { a(); if (x) break; b(); } with both calls changed
 * const graph = sequenceGraph(functions, [new Set([1, 2])]);
 * complexityOf(graph); // 2
 */
export function sequenceGraph(
  functions: readonly FlowFunction[],
  changed: readonly ReadonlySet<number>[],
  options: SequenceOptions = {},
): SequenceGraph {
  return runWithoutYielding(sequenceSteps(functions, changed, options));
}

/** E - N + 2P (Definition 15); 0 if no executable code changed. */
export function complexityOf({ blocks, edgeCount, partCount }: SequenceGraph): number {
  return blocks.length === 0 ? 0 : edgeCount - (blocks.length + 2) + 2 * partCount;
}

/** Like `sequenceGraph`, with yield points. */
export function* sequenceSteps(
  functions: readonly FlowFunction[],
  changed: readonly ReadonlySet<number>[],
  { isAsPublished = false, taken, sourceNames }: SequenceOptions = {},
): Generator<void, SequenceGraph> {
  const linked = linkedFunctions(functions, taken, sourceNames);
  yield;
  const places = new SequencePlaces(linked, changed);
  const { blocks, programEnd } = places;
  yield;
  const defined = places.graph();
  yield;
  const begins = endsFrom(places.begins, defined).filter((end) => end !== programEnd);
  yield;
  const { graph, starts: behind } = isAsPublished
    ? publishedWalk(linked, blocks, places.mayBeLast(defined))
    : { graph: defined, starts: places.behindBlocks };
  const reached = new ReachedEnds(graph);
  let found: number[][] | undefined = blocks.map(() => []);
  let edgeCount = begins.length;
  for (const some of reached.from(behind)) {
    for (const { from, count, ends } of some) {
      edgeCount += from.length * count;
      if (edgeCount > mostEdges) found = undefined;
      const named = found === undefined ? [] : ends().map((end) => (end === programEnd ? exit : end));
      for (const at of from) for (const end of named) found?.[at]?.push(end);
    }
    yield;
  }
  const edges: (readonly [number, number])[] = [];
  if (found !== undefined) for (const to of begins) edges.push([entry, to]);
  for (const [from, ends] of found?.entries() ?? []) for (const to of ends) edges.push([from, to]);
  return { blocks, edges, edgeCount, partCount: partCount(blocks.length, begins, behind, reached) };
}

function endsFrom(from: readonly number[], { next, endAt }: EndsGraph): readonly number[] {
  const isReached = markReachable(new Uint8Array(next.length), from, (at) => next[at] ?? []);
  return ascending(new Set(endAt.filter((end, at) => end >= 0 && isReached[at] === 1)));
}

function partCount(
  blocks: number,
  begins: readonly number[],
  behind: readonly number[],
  reached: ReachedEnds,
): number {
  // Numbering: the blocks, the exit (the last end), the entry, then the components.
  const entryAt = blocks + 1;
  const nodes = blocks + 2;
  const leader = Int32Array.from({ length: nodes + reached.componentCount }, (_, at) => at);
  const leaderOf = (node: number): number => {
    let at = node;
    for (let above = leader[at] ?? at; above !== at; above = leader[at] ?? at) {
      const next = leader[above] ?? above;
      leader[at] = next;
      at = next;
    }
    return at;
  };
  const join = (one: number, other: number): void => {
    leader[leaderOf(one)] = leaderOf(other);
  };
  for (const begin of begins) join(entryAt, begin);
  reached.joinAll(behind, nodes, join);
  return new Set(Array.from({ length: nodes }, (_, at) => leaderOf(at))).size;
}
