/** How different two slowdowns look: dynamic time warping over the times a formula takes on each version. */

/** The DTW distance of two sequences, with the absolute difference as the cost of a step. */
export function warpedDistance(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  let above: number[] = new Array(b.length + 1).fill(Number.POSITIVE_INFINITY);
  above[0] = 0;
  for (const x of a) {
    const row = [Number.POSITIVE_INFINITY];
    for (let j = 1; j <= b.length; j++) {
      const before = Math.min(above[j] as number, above[j - 1] as number, row[j - 1] as number);
      row.push(Math.abs(x - (b[j - 1] as number)) + before);
    }
    above = row;
  }
  return above[b.length] as number;
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
