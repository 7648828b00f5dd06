/**
 * Byte offsets in arithmetic progression: the possible targets of a pointer within an object. A single offset has
 * step 0; `anywhere` is every byte from 0 on.
 */

export interface Offsets {
  readonly first: number;
  readonly step: number;
  /** `first` plus a whole number of steps; Infinity if unbounded. */
  readonly last: number;
}

export const start: Offsets = { first: 0, step: 0, last: 0 };
export const anywhere: Offsets = { first: 0, step: 1, last: Number.POSITIVE_INFINITY };

export function single(offset: number): Offsets {
  return { first: offset, step: 0, last: offset };
}

export function elements(step: number, count: number): Offsets {
  return count <= 1 || step === 0 ? start : { first: 0, step, last: step * (count - 1) };
}

export function upward(step: number): Offsets {
  return step === 0 ? start : { first: 0, step, last: Number.POSITIVE_INFINITY };
}

/** All sums of an offset of `a` and an offset of `b`. */
export function sum(a: Offsets, b: Offsets): Offsets {
  if (b.step === 0 && b.first === 0) return a;
  const offsets = { first: a.first + b.first, step: gcd(a.step, b.step), last: a.last + b.last };
  return isFree(a) ? unbounded(offsets) : offsets;
}

/**
 * The targets of pointers into `a` that are moved by `b`. A pointer may stand one past the last element, where
 * nothing is accessible; a step back from there reaches the last element.
 */
export function movedBy(a: Offsets, b: Offsets): Offsets {
  const moved = sum(a, b);
  return b.first < 0 && a.step !== 0 ? { ...moved, last: moved.last + a.step } : moved;
}

/** Unbounded on both sides: it has every offset of its progression, even those before the object's start. */
export function isFree({ first, step, last }: Offsets): boolean {
  return last === Number.POSITIVE_INFINITY && first < step;
}

/** The same progression without bounds. */
export function unbounded({ first, step }: Offsets): Offsets {
  return step === 0 ? single(first) : { first: modulo(first, step), step, last: Number.POSITIVE_INFINITY };
}

/** An unbounded progression that contains both. */
export function widened(a: Offsets, b: Offsets): Offsets {
  const step = gcd(gcd(a.step, b.step), Math.abs(a.first - b.first));
  return unbounded({ first: a.first, step, last: Number.POSITIVE_INFINITY });
}

export function covers(a: Offsets, b: Offsets): boolean {
  if (a.step === 0) return b.step === 0 && a.first === b.first;
  if (isFree(a)) return (b.first - a.first) % a.step === 0 && b.step % a.step === 0;
  return (
    b.first >= a.first && b.last <= a.last && (b.first - a.first) % a.step === 0 && b.step % a.step === 0
  );
}

/** May `aBytes` at an offset of `a` overlap `bBytes` at an offset of `b`? */
export function mayMeet(a: Offsets, aBytes: number, b: Offsets, bBytes: number): boolean {
  const low = Math.max(1 - bBytes, b.first - a.last);
  const high = Math.min(aBytes - 1, b.last - a.first);
  if (low > high) return false;
  const step = gcd(a.step, b.step);
  if (step <= 1) return true;
  const from = low === Number.NEGATIVE_INFINITY ? Math.min(high, 0) - step : low;
  return from + modulo(b.first - a.first - from, step) <= high;
}

/** The distances from `a` to `b` at which `aBytes` and `bBytes` overlap; undefined if there are none. */
export function distances(a: Offsets, aBytes: number, b: Offsets, bBytes: number): Offsets | undefined {
  const low = Math.max(1 - bBytes, b.first - a.last);
  const high = Math.min(aBytes - 1, b.last - a.first);
  if (low > high) return undefined;
  const step = gcd(a.step, b.step);
  if (step === 0) return single(b.first - a.first);
  // If unbounded below, one negative distance stands for all.
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
  // Plus 0 turns -0 into 0.
  return rest < 0 ? rest + b : rest + 0;
}
