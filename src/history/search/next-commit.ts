/** Chooses the commits with the highest expected information. */

/** A range of commits that contains, or may contain, steps of some cases. */
export interface OpenRange {
  /** Untested commits in the range, in order. */
  readonly unseen: readonly number[];
  /** Commits in the range that cannot be measured, in order. */
  readonly silent: readonly number[];
  /** The number of cases with a step in the range, weighted by importance. */
  readonly cases: number;
}

/** The next commits to build in parallel, each chosen as if the others were known. */
export function mostInformative(ranges: readonly OpenRange[], most: number): readonly number[] {
  const chosen: number[] = [];
  let open = ranges;
  while (chosen.length < most) {
    const best = highestValue(open);
    if (best === undefined) break;
    chosen.push(best);
    // Each half is left with half of the cases, whichever side matters.
    open = open.flatMap(({ unseen, silent, cases }) => {
      if (!unseen.includes(best)) return [{ unseen, silent, cases }];
      return [unseen.filter((commit) => commit < best), unseen.filter((commit) => commit > best)].map(
        (part) => ({ unseen: part, silent, cases: cases / 2 }),
      );
    });
  }
  return chosen;
}

/**
 * The estimated probability that a commit can be measured. Broken builds come in stretches: the more unmeasurable
 * commits are near, the farther the search jumps.
 */
function measurability(commit: number, silent: readonly number[]): number {
  if (silent.length === 0) return 1;
  const distance = Math.min(...silent.map((other) => Math.abs(other - commit)));
  return distance / (distance + silent.length);
}

/** The commit with the most expected bits over all ranges and cases; the first of equals. */
function highestValue(ranges: readonly OpenRange[]): number | undefined {
  const worth = new Map<number, number>();
  for (const { unseen, silent, cases } of ranges) {
    unseen.forEach((commit, i) => {
      const bits = entropy((i + 1) / (unseen.length + 1)) * measurability(commit, silent);
      worth.set(commit, (worth.get(commit) ?? 0) + cases * bits);
    });
  }
  let best: number | undefined;
  let most = 0;
  for (const [commit, value] of worth)
    if (value > most || (value === most && best !== undefined && commit < best))
      [best, most] = [commit, value];
  return best;
}

/** The entropy of a question with these odds, in bits. */
function entropy(share: number): number {
  const other = 1 - share;
  return share <= 0 || other <= 0 ? 0 : -(share * Math.log2(share) + other * Math.log2(other));
}
