/**
 * Sets of byte offsets that go up in equal steps: all that is known of where in an object a pointer points. A single
 * offset has the step 0; "anywhere" is every byte from 0 on.
 */

export interface Offsets {
  readonly first: number;
  /** 0 for a single offset. */
  readonly step: number;
  /** The last one, at `first` plus a whole number of steps; Infinity where nothing bounds them. */
  readonly last: number;
}

export const start: Offsets = { first: 0, step: 0, last: 0 };
export const anywhere: Offsets = { first: 0, step: 1, last: Number.POSITIVE_INFINITY };

export function single(offset: number): Offsets {
  return { first: offset, step: 0, last: offset };
}

/** `count` offsets `step` bytes apart. */
export function elements(step: number, count: number): Offsets {
  return count <= 1 || step === 0 ? start : { first: 0, step, last: step * (count - 1) };
}

/** Multiples of `step` without a bound. */
export function upward(step: number): Offsets {
  return step === 0 ? start : { first: 0, step, last: Number.POSITIVE_INFINITY };
}

/** What the sum of one of each can be. */
export function sum(a: Offsets, b: Offsets): Offsets {
  if (b.step === 0 && b.first === 0) return a;
  const offsets = { first: a.first + b.first, step: gcd(a.step, b.step), last: a.last + b.last };
  return isFree(a) ? unbounded(offsets) : offsets;
}

/**
 * Where pointers get to that go on by so much. A pointer may stand past the last of a row, where there is nothing to
 * be got at; when it steps back from there it gets to the last.
 */
export function movedBy(a: Offsets, b: Offsets): Offsets {
  const moved = sum(a, b);
  return b.first < 0 && a.step !== 0 ? { ...moved, last: moved.last + a.step } : moved;
}

/** Nothing bounds it on either side: it has every offset of its row, even those before the object begins. */
export function isFree({ first, step, last }: Offsets): boolean {
  return last === Number.POSITIVE_INFINITY && first < step;
}

/** The same steps in both directions. */
export function unbounded({ first, step }: Offsets): Offsets {
  return step === 0 ? single(first) : { first: modulo(first, step), step, last: Number.POSITIVE_INFINITY };
}

/** One set that has all of both in it and has no bound. */
export function widened(a: Offsets, b: Offsets): Offsets {
  const step = gcd(gcd(a.step, b.step), Math.abs(a.first - b.first));
  return unbounded({ first: a.first, step, last: Number.POSITIVE_INFINITY });
}

/** Is every offset of the second one of the first? */
export function covers(a: Offsets, b: Offsets): boolean {
  if (a.step === 0) return b.step === 0 && a.first === b.first;
  if (isFree(a)) return (b.first - a.first) % a.step === 0 && b.step % a.step === 0;
  return (
    b.first >= a.first && b.last <= a.last && (b.first - a.first) % a.step === 0 && b.step % a.step === 0
  );
}

/** May `aBytes` from one of the first touch `bBytes` from one of the second? */
export function mayMeet(a: Offsets, aBytes: number, b: Offsets, bBytes: number): boolean {
  const low = Math.max(1 - bBytes, b.first - a.last);
  const high = Math.min(aBytes - 1, b.last - a.first);
  if (low > high) return false;
  const step = gcd(a.step, b.step);
  if (step <= 1) return true;
  const from = low === Number.NEGATIVE_INFINITY ? Math.min(high, 0) - step : low;
  return from + modulo(b.first - a.first - from, step) <= high;
}

/** How far the second may be behind the first, where `aBytes` and `bBytes` from them touch; undefined if never. */
export function distances(a: Offsets, aBytes: number, b: Offsets, bBytes: number): Offsets | undefined {
  const low = Math.max(1 - bBytes, b.first - a.last);
  const high = Math.min(aBytes - 1, b.last - a.first);
  if (low > high) return undefined;
  const step = gcd(a.step, b.step);
  if (step === 0) return single(b.first - a.first);
  // Where nothing bounds them below, one of the negative ones stands for all.
  const from = low === Number.NEGATIVE_INFINITY ? Math.min(high, 0) - step : low;
  const first = from + modulo(b.first - a.first - from, step);
  if (first > high) return undefined;
  if (high === Number.POSITIVE_INFINITY) return { first, step, last: high };
  const last = first + Math.floor((high - first) / step) * step;
  return first === last ? single(first) : { first, step, last };
}

export function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function modulo(a: number, b: number): number {
  const rest = a % b;
  // Plus 0, for there is a negative one.
  return rest < 0 ? rest + b : rest + 0;
}
