/** Where the newest version has been: what formulas made it execute for the first time, and where slow ones keep it. */

import { type PackedCounts, PackedLines } from '../../coverage/index.js';

/** What any formula of the campaign executed. */
export class Reached {
  readonly #places = new Set<number>();

  get count(): number {
    return this.#places.size;
  }

  /** How many places nothing had executed before. */
  add({ bytes }: PackedCounts): number {
    const before = this.#places.size;
    const executed = new PackedLines(bytes);
    while (executed.next()) this.#places.add(executed.line);
    return this.#places.size - before;
  }
}

/** How the work of a run is shared among places. */
type Shares = ReadonlyMap<number, number>;

/** What a slowdown kept the newest version busy with. */
export interface Work {
  readonly executed: PackedCounts;
  /** How much more of it is done in each function than by an older version, where that one counts, too. */
  readonly grown?: PackedCounts | undefined;
}

/** A slowdown that is remembered. */
interface Seen {
  readonly executed: Shares;
  readonly grown: Shares | undefined;
}

/** What slowdowns kept the newest version busy with, one after the other. */
export class Busyness {
  readonly #seen: Seen[] = [];

  /** @param room how many slowdowns are remembered, the last ones */
  constructor(private readonly room: number) {}

  add(work: Work): void {
    this.#seen.push(seenOf(work));
    if (this.#seen.length > this.room) this.#seen.shift();
  }

  /**
   * The share of the work that is done where the most alike of the slowdowns before does its own; 0 where there is none. Of
   * two that are both known to do more than an older version, what they do more of is compared: the rest is not to blame.
   */
  likeness(work: Work): number {
    const own = seenOf(work);
    return Math.max(
      0,
      ...this.#seen.map((seen) =>
        own.grown !== undefined && seen.grown !== undefined
          ? inCommon(own.grown, seen.grown)
          : inCommon(own.executed, seen.executed),
      ),
    );
  }
}

function seenOf({ executed, grown }: Work): Seen {
  return { executed: sharesOf(executed), grown: grown && sharesOf(grown) };
}

function sharesOf({ bytes, total }: PackedCounts): Shares {
  const shares = new Map<number, number>();
  const executed = new PackedLines(bytes);
  while (executed.next()) shares.set(executed.line, executed.count / total);
  return shares;
}

function inCommon(some: Shares, others: Shares): number {
  let sum = 0;
  for (const [place, share] of some) sum += Math.min(share, others.get(place) ?? 0);
  return sum;
}
