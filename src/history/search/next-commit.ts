/** Which commits tell the most about where cases changed. */

/** A range of commits in which some cases changed, or may have. */
export interface OpenRange {
  /** Commits in it that were not looked at, in order. */
  readonly unseen: readonly number[];
  /** Commits in it that were looked at and say nothing, in order. */
  readonly silent: readonly number[];
  /** How many cases have a step there; what is less wanted counts less. */
  readonly cases: number;
}

/** The commits to look at next where several can be built at once, each chosen as if the others were known. */
export function mostTelling(ranges: readonly OpenRange[], most: number): readonly number[] {
  const chosen: number[] = [];
  let open = ranges;
  while (chosen.length < most) {
    const best = worthMost(open);
    if (best === undefined) break;
    chosen.push(best);
    // Whichever side of it turns out to matter, the other range is left with half the cases.
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
 * How likely a commit is to say something. What breaks a build stays broken for a while: the more commits around have
 * said nothing, the farther away the next one is looked for, so that a long broken stretch is crossed in few strides.
 */
function outspokenness(commit: number, silent: readonly number[]): number {
  if (silent.length === 0) return 1;
  const distance = Math.min(...silent.map((other) => Math.abs(other - commit)));
  return distance / (distance + silent.length);
}

/** The commit whose answer tells the most bits, over all ranges and cases; the first of equals. */
function worthMost(ranges: readonly OpenRange[]): number | undefined {
  const worth = new Map<number, number>();
  for (const { unseen, silent, cases } of ranges) {
    unseen.forEach((commit, i) => {
      const bits = entropy((i + 1) / (unseen.length + 1)) * outspokenness(commit, silent);
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

/** What a question with these odds tells, in bits. */
function entropy(share: number): number {
  const other = 1 - share;
  return share <= 0 || other <= 0 ? 0 : -(share * Math.log2(share) + other * Math.log2(other));
}
