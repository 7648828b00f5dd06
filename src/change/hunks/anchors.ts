/**
 * Places of two sequences that surely belong together, after Bram Cohen's patience diff: runs that occur once in each,
 * as far as both have them in the same order.
 */

/** A place in each of the sequences, with equal keys. */
export interface Anchor {
  readonly a: number;
  readonly b: number;
}

export interface AnchorOptions {
  /** How many keys in a row must be the same. */
  readonly length: number;
  /** May a run begin here? All may unless told. */
  readonly mayBegin?: (keys: Int32Array, at: number) => boolean;
}

/** Each stands for the first key of a run. They rise in both sequences. */
export function anchorsOf(a: Int32Array, b: Int32Array, options: AnchorOptions): readonly Anchor[] {
  if (Math.min(a.length, b.length) < options.length) return [];
  const inB = runsThatOccurOnce(b, options);
  const pairs: Anchor[] = [];
  for (const [hash, at] of runsThatOccurOnce(a, options)) {
    const other = inB.get(hash) ?? repeated;
    if (at !== repeated && other !== repeated && isSameRun(a, at, b, other, options.length))
      pairs.push({ a: at, b: other });
  }
  return longestRising(pairs.sort((pair, other) => pair.a - other.a));
}

/** A number that runs of the same keys have in common; others seldom have it. */
export function hashOf(keys: Int32Array, from: number, length: number): number {
  let hash = 0;
  for (let at = from; at < from + length; at++)
    hash = (Math.imul(hash, 0x01000193) + (keys[at] ?? 0) + 1) | 0;
  return hash;
}

const repeated = -1;

/** Where each run stands, by its hash. Two runs of one hash pass for repeated ones: an anchor less. */
function runsThatOccurOnce(
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

/** The most pairs that rise in `b` as they do in `a`: patience sorting. */
function longestRising(pairs: readonly Anchor[]): readonly Anchor[] {
  /** By length: the index of the pair with the smallest `b` that ends a rising row of that length. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  const bOf = (index: number | undefined): number => pairs[index ?? -1]?.b ?? -1;
  for (const [index, { b }] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    // Most of the time nothing has moved.
    if (bOf(ends.at(-1)) < b) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bOf(ends[middle]) < b) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const row: Anchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) row.push(pair);
  }
  return row.reverse();
}
