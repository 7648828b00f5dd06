/** How different two slowdowns look: dynamic time warping over the times a formula takes on each version. */

/** The DTW distance of two sequences, with the absolute difference as the cost of a step. */
export function warpedDistance(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  /** The least cost of each beginning of `b`, so far. */
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
 * The time sequences of the cases so far (SPRFinder, Definition 2), exactly as they were measured. They stand in the order
 * of their last times: any warping ends with the last of both, so that a sequence whose last time is further away than
 * the nearest one found so far need not be looked at, nor any beyond it. Hours of formulas stay quick to search.
 */
export class TimeSequences {
  readonly #sorted: (readonly number[])[] = [];
  /** Most formulas are quick everywhere, and many take the same times to the last digit. */
  readonly #known = new Set<string>();

  add(sequence: readonly number[]): void {
    const key = sequence.join();
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#sorted.splice(this.#placeOf(lastOf(sequence)), 0, sequence);
  }

  /** The distance to the nearest of them; undefined as long as there is none. */
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

  /** The first place whose last time is not below this one. */
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
