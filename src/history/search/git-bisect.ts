/**
 * Simulates `git bisect run`: one case after the other, each from the start; a commit is slow above the middle
 * between its ends. It is the baseline for batch localization, with the same threshold.
 */

export interface PlainAnswer {
  /** The first slow commit found. Undefined if the bad end is not slower by the threshold. */
  readonly at: number | undefined;
  /** The number of builds, including failed ones. */
  readonly builds: number;
}

/**
 * @param commits the number of commits, including both ends
 * @param least the threshold
 * @param look returns the level of the case at a commit, or undefined if it cannot be measured there
 */
export async function plainBisect(
  commits: number,
  least: number,
  look: (commit: number) => Promise<number | undefined>,
): Promise<PlainAnswer> {
  let builds = 0;
  const seen = new Map<number, number | undefined>();
  const levelAt = async (commit: number): Promise<number | undefined> => {
    if (!seen.has(commit)) {
      builds++;
      seen.set(commit, await look(commit));
    }
    return seen.get(commit);
  };
  // git builds neither end.
  const [good, bad] = [await look(0), await look(commits - 1)];
  if (good === undefined || bad === undefined || bad <= good || bad - good < least)
    return { at: undefined, builds };
  const middle = (good + bad) / 2;
  let [low, high] = [0, commits - 1];
  while (high - low > 1) {
    const found = await nearestThatTells(low, high, levelAt);
    if (found === undefined) break;
    if (found.level > middle) high = found.commit;
    else low = found.commit;
  }
  return { at: high, builds };
}

/** Searches from the middle outwards, as git does after `git bisect skip`. */
async function nearestThatTells(
  low: number,
  high: number,
  levelAt: (commit: number) => Promise<number | undefined>,
): Promise<{ commit: number; level: number } | undefined> {
  const middle = (low + high) >> 1;
  for (let distance = 0; distance < high - low; distance++) {
    for (const commit of new Set([middle + distance, middle - distance])) {
      if (commit <= low || commit >= high) continue;
      const level = await levelAt(commit);
      if (level !== undefined) return { commit, level };
    }
  }
  return undefined;
}
