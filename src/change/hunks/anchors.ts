/**
 * Finds positions of two sequences that certainly correspond, as Bram Cohen's patience diff does: runs that occur
 * once in each sequence, as far as both sequences have them in the same order.
 */

import { lowerBound } from './collections.js';

export interface Anchor {
  readonly a: number;
  readonly b: number;
}

export interface AnchorOptions {
  readonly length: number;
  /** May a run begin here? By default everywhere. */
  readonly mayBegin?: (keys: Int32Array, at: number) => boolean;
}

/** The first position of each common run, ascending in both sequences. */
export function findAnchors(a: Int32Array, b: Int32Array, options: AnchorOptions): readonly Anchor[] {
  if (Math.min(a.length, b.length) < options.length) return [];
  const inB = uniqueRuns(b, options);
  const pairs: Anchor[] = [];
  for (const [hash, at] of uniqueRuns(a, options)) {
    const other = inB.get(hash) ?? repeated;
    if (at !== repeated && other !== repeated && isSameRun(a, at, b, other, options.length))
      pairs.push({ a: at, b: other });
  }
  return longestAscending(pairs.sort((pair, other) => pair.a - other.a));
}

export function hashOf(keys: Int32Array, from: number, length: number): number {
  let hash = 0;
  for (let at = from; at < from + length; at++)
    hash = (Math.imul(hash, 0x01000193) + (keys[at] ?? 0) + 1) | 0;
  return hash;
}

const repeated = -1;

/** The position of each run, by its hash. Different runs with the same hash count as repeated. */
function uniqueRuns(
  keys: Int32Array,
  { length, mayBegin = () => true }: AnchorOptions,
): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let from = 0; from + length <= keys.length; from++) {
    if (!mayBegin(keys, from)) continue;
    const hash = hashOf(keys, from, length);
    places.set(hash, places.has(hash) ? repeated : from);
  }
  return places;
}

function isSameRun(a: Int32Array, aAt: number, b: Int32Array, bAt: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

/** The longest subsequence of pairs that ascends in `b` too, by patience sorting. */
function longestAscending(pairs: readonly Anchor[]): readonly Anchor[] {
  /** By length: the index of the pair with the smallest `b` that ends an ascending subsequence of that length. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  const bOf = (index: number | undefined): number => pairs[index ?? -1]?.b ?? -1;
  for (const [index, { b }] of pairs.entries()) {
    // Appending is the common case: nothing moved.
    const place = bOf(ends.at(-1)) < b ? ends.length : lowerBound(ends.length, (at) => bOf(ends[at]) < b);
    before[index] = ends[place - 1] ?? -1;
    ends[place] = index;
  }
  const row: Anchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) row.push(pair);
  }
  return row.reverse();
}
