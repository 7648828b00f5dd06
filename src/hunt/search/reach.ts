/** Coverage of the newest version: code that a formula reached first, and code that slow formulas execute most. */

import { type PackedCounts, PackedLines } from '../../coverage/index.js';

/** The code that any formula of the campaign executed. */
export class ReachedPlaces {
  readonly #places = new Set<number>();

  get count(): number {
    return this.#places.size;
  }

  /** Returns the number of newly reached places. */
  add({ bytes }: PackedCounts): number {
    const before = this.#places.size;
    const executed = new PackedLines(bytes);
    while (executed.next()) this.#places.add(executed.line);
    return this.#places.size - before;
  }
}

/** Each place's share of a run's execution counts. */
type Shares = ReadonlyMap<number, number>;

/** The newest version's coverage of a slowdown. */
export interface SlowdownCoverage {
  readonly executed: PackedCounts;
  /** Per function, the counts that exceed an older version's, if that version counts too. */
  readonly grown?: PackedCounts | undefined;
}

interface Profile {
  readonly executed: Shares;
  readonly grown: Shares | undefined;
}

/** The coverage profiles of recent slowdowns. */
export class CoverageProfiles {
  readonly #profiles: Profile[] = [];

  /** @param capacity how many recent slowdowns to remember */
  constructor(private readonly capacity: number) {}

  add(work: SlowdownCoverage): void {
    this.#profiles.push(profileOf(work));
    if (this.#profiles.length > this.capacity) this.#profiles.shift();
  }

  /**
   * The largest overlap of this profile with a remembered one; 0 if there is none. If both have `grown` counts, only
   * they are compared, since the rest is not the cause.
   */
  similarity(work: SlowdownCoverage): number {
    const own = profileOf(work);
    return Math.max(
      0,
      ...this.#profiles.map((seen) =>
        own.grown !== undefined && seen.grown !== undefined
          ? overlap(own.grown, seen.grown)
          : overlap(own.executed, seen.executed),
      ),
    );
  }
}

function profileOf({ executed, grown }: SlowdownCoverage): Profile {
  return { executed: sharesOf(executed), grown: grown && sharesOf(grown) };
}

function sharesOf({ bytes, total }: PackedCounts): Shares {
  const shares = new Map<number, number>();
  const executed = new PackedLines(bytes);
  while (executed.next()) shares.set(executed.line, executed.count / total);
  return shares;
}

function overlap(some: Shares, others: Shares): number {
  let sum = 0;
  for (const [place, share] of some) sum += Math.min(share, others.get(place) ?? 0);
  return sum;
}
