/** Where the newest version has been: what formulas made it execute for the first time, and where slow ones keep it. */

import { type PackedCounts, PackedLines } from '../coverage/index.js';

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

/** What slowdowns kept the newest version busy with, one after the other. */
export class Busyness {
  readonly #seen: Shares[] = [];

  /** @param room how many slowdowns are remembered, the last ones */
  constructor(private readonly room: number) {}

  add(executed: PackedCounts): void {
    this.#seen.push(sharesOf(executed));
    if (this.#seen.length > this.room) this.#seen.shift();
  }

  /** The share of the work that is done where the most alike of the slowdowns before does its own; 0 where there is none. */
  likeness(executed: PackedCounts): number {
    const shares = sharesOf(executed);
    return Math.max(0, ...this.#seen.map((seen) => inCommon(shares, seen)));
  }
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
