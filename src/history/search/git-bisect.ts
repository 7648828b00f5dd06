/**
 * What `git bisect run` would do: one case after the other, each from the beginning, slow or not by the middle between
 * its ends. The baseline batch localization is compared with, so that the least difference that counts is the same.
 */

export interface PlainAnswer {
  /** The first slow commit that was seen; undefined if it is not slower at the end by what counts. */
  readonly at: number | undefined;
  /** Builds it took, those that failed included. */
  readonly builds: number;
}

/**
 * @param commits how many there are, from the good one to the bad one
 * @param least a difference that counts
 * @param look the level of the case at a commit; undefined if it says nothing there
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
  // git is told of the ends; it builds neither.
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

/** From the middle outwards, as git goes on after a commit that is to be skipped. */
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
