/** Non-dominated sorting as in NSGA-II; every objective is maximized. */

/** One number per objective. */
export type Scores = readonly number[];

/** At least as good in every objective and better in one. */
export function dominates(a: Scores, b: Scores): boolean {
  let isBetter = false;
  for (let at = 0; at < a.length; at++) {
    const [ours, theirs] = [a[at] ?? 0, b[at] ?? 0];
    if (ours < theirs) return false;
    if (ours > theirs) isBetter = true;
  }
  return isBetter;
}

/**
 * Indices of the members that no other dominates, then of those that only the first front dominates, and so on. Each
 * front keeps the order of its members.
 */
export function frontsOf(population: readonly Scores[]): readonly (readonly number[])[] {
  const dominators = population.map(() => 0);
  const dominated: number[][] = population.map(() => []);
  for (let a = 0; a < population.length; a++)
    for (let b = a + 1; b < population.length; b++) {
      const [ofA, ofB] = [population[a] ?? [], population[b] ?? []];
      const [winner, loser] = dominates(ofA, ofB) ? [a, b] : dominates(ofB, ofA) ? [b, a] : [-1, -1];
      if (winner < 0) continue;
      dominated[winner]?.push(loser);
      dominators[loser] = (dominators[loser] ?? 0) + 1;
    }
  const fronts: number[][] = [];
  let front = dominators.flatMap((times, at) => (times === 0 ? [at] : []));
  while (front.length > 0) {
    fronts.push(front);
    const next: number[] = [];
    for (const winner of front)
      for (const loser of dominated[winner] ?? []) {
        const left = (dominators[loser] ?? 0) - 1;
        dominators[loser] = left;
        if (left === 0) next.push(loser);
      }
    front = next.toSorted((a, b) => a - b);
  }
  return fronts;
}
