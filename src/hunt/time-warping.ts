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

/** Sequences this close are kept once: most formulas are quick everywhere, and their times say the same. */
const grain = 0.01;

/** The time sequences of the cases so far (SPRFinder, Definition 2). */
export class TimeSequences {
  private readonly known = new Map<string, readonly number[]>();

  add(sequence: readonly number[]): void {
    const rounded = sequence.map((time) => Math.round(time / grain) * grain);
    this.known.set(rounded.map((time) => time.toFixed(2)).join(), rounded);
  }

  /** The distance to the nearest of them; 0 as long as there is none. */
  nearest(sequence: readonly number[]): number {
    let least = Number.POSITIVE_INFINITY;
    for (const known of this.known.values()) least = Math.min(least, warpedDistance(sequence, known));
    return Number.isFinite(least) ? least : 0;
  }
}
