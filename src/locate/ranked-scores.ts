import { aggregates } from './aggregate.js';

export interface Ranked {
  readonly name: string;
  readonly score: number;
  /** From 1; equal scores share the worst rank among them (SMTLOC, 3.3). */
  readonly rank: number;
}

/** Sorts by score, highest first, then by name. */
export function ranked(scores: ReadonlyMap<string, number>): readonly Ranked[] {
  const sorted = [...scores].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const found: Ranked[] = [];
  for (let from = 0; from < sorted.length; ) {
    const score = sorted[from]?.[1] ?? 0;
    let to = from;
    while (to < sorted.length && sorted[to]?.[1] === score) to++;
    for (const [name] of sorted.slice(from, to)) found.push({ name, score, rank: to });
    from = to;
  }
  return found;
}

/** The quality of rankings over several faults, given the ranks of their true causes. */
export interface RankingQuality {
  /** Faults with a cause among the first 1, 5, 10 and 20. */
  readonly top: Readonly<Record<1 | 5 | 10 | 20, number>>;
  /** Means over faults of the best rank and of the mean rank. */
  readonly meanFirst: number;
  readonly meanAverage: number;
}

/** @param ranks of each fault's true causes; an unranked one counts as one past the last */
export function rankingQuality(ranks: readonly (readonly number[])[]): RankingQuality {
  const { mean } = aggregates;
  const best = ranks.map((own) => Math.min(...own));
  const within = (most: number): number => best.filter((rank) => rank <= most).length;
  return {
    top: { 1: within(1), 5: within(5), 10: within(10), 20: within(20) },
    meanFirst: mean(best),
    meanAverage: mean(ranks.map(mean)),
  };
}
