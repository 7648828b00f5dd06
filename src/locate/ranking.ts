/** Scores put in order. */

export interface Ranked {
  readonly name: string;
  readonly score: number;
  /** From one; those of the same score all have the worst rank among them (SMTLOC, 3.3). */
  readonly rank: number;
}

/** The highest score first, names in order among equals. */
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

/** How well a ranking names what is to blame: over the things to blame of each fault, their ranks. */
export interface RankingQuality {
  /** Faults whose best is among the first one, five, ten, twenty. */
  readonly top: Readonly<Record<1 | 5 | 10 | 20, number>>;
  /** The mean over faults of the best rank, and of the mean rank. */
  readonly meanFirst: number;
  readonly meanAverage: number;
}

/** @param ranks of what is to blame, for each fault; what was not ranked counts as the one after the last */
export function rankingQuality(ranks: readonly (readonly number[])[]): RankingQuality {
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const best = ranks.map((own) => Math.min(...own));
  const within = (most: number): number => best.filter((rank) => rank <= most).length;
  return {
    top: { 1: within(1), 5: within(5), 10: within(10), 20: within(20) },
    meanFirst: mean(best),
    meanAverage: mean(ranks.map(mean)),
  };
}
