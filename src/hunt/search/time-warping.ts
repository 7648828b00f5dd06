/** Distance of two slowdowns: dynamic time warping over a formula's times on each version. */

/** The DTW distance with absolute difference as the cost of a step. */
export function warpedDistance(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  /** The lowest cost for each prefix of `b`. */
  const row: number[] = new Array(b.length).fill(Number.POSITIVE_INFINITY);
  let corner = 0;
  for (const x of a) {
    let [diagonal, left] = [corner, Number.POSITIVE_INFINITY];
    corner = Number.POSITIVE_INFINITY;
    row.forEach((above, j) => {
      left = Math.abs(x - (b[j] ?? 0)) + Math.min(above, diagonal, left);
      diagonal = above;
      row[j] = left;
    });
  }
  return row.at(-1) ?? 0;
}

/**
 * Time sequences of earlier cases (SPRFinder, Definition 2), sorted by their last time. Every warping path ends with
 * both last times, so their difference is a lower bound of the distance and the search can stop early.
 */
export class TimeSequences {
  readonly #sorted: (readonly number[])[] = [];
  /** Skips duplicates: many formulas take exactly the same times. */
  readonly #known = new Set<string>();

  add(sequence: readonly number[]): void {
    const key = sequence.join();
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#sorted.splice(this.#placeOf(lastOf(sequence)), 0, sequence);
  }

  /** The distance to the nearest sequence; undefined if there is none. */
  nearest(sequence: readonly number[]): number | undefined {
    if (this.#sorted.length === 0) return undefined;
    const last = lastOf(sequence);
    let least = Number.POSITIVE_INFINITY;
    const place = this.#placeOf(last);
    for (const [from, step] of [
      [place, 1],
      [place - 1, -1],
    ] as const) {
      for (let at = from; ; at += step) {
        const known = this.#sorted[at];
        if (known === undefined || Math.abs(lastOf(known) - last) >= least) break;
        least = Math.min(least, warpedDistance(sequence, known));
      }
    }
    return least;
  }

  /** The first index whose last time is not smaller. */
  #placeOf(last: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lastOf(this.#sorted[middle] ?? []) < last) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lastOf(sequence: readonly number[]): number {
  return sequence.at(-1) ?? 0;
}
