/** Crowding: how different a member is from the rest of its front. Selection prefers different members. */

import type { Scores } from './fronts.js';

/**
 * NSGA-II's crowding distance: for each objective, the gap between both neighbours divided by the range; infinite at
 * both ends.
 */
export function classicalCrowding(front: readonly Scores[]): readonly number[] {
  const distances = front.map(() => 0);
  const objectives = front[0]?.length ?? 0;
  for (let objective = 0; objective < objectives; objective++) {
    const value = (at: number): number => front[at]?.[objective] ?? 0;
    const order = front.map((_, at) => at).toSorted((a, b) => value(a) - value(b));
    const [worst, best] = [order[0] ?? 0, order.at(-1) ?? 0];
    const range = value(best) - value(worst);
    distances[worst] = Number.POSITIVE_INFINITY;
    distances[best] = Number.POSITIVE_INFINITY;
    if (range === 0) continue;
    for (let at = 1; at + 1 < order.length; at++) {
      const [before = 0, here = 0, after = 0] = order.slice(at - 1, at + 2);
      distances[here] = (distances[here] ?? 0) + (value(after) - value(before)) / range;
    }
  }
  return distances;
}

/**
 * MulStringFuzz, Eq. 4: 1 minus the mean similarity to the rest of the front. A single member gets 1.
 *
 * @param similarity of two members, between 0 and 1
 */
export function traceCrowding<Member>(
  front: readonly Member[],
  similarity: (a: Member, b: Member) => number,
): readonly number[] {
  const sums = front.map(() => 0);
  for (const [a, one] of front.entries())
    for (let b = a + 1; b < front.length; b++) {
      const common = similarity(one, front[b] as Member);
      sums[a] = (sums[a] ?? 0) + common;
      sums[b] = (sums[b] ?? 0) + common;
    }
  return sums.map((sum) => 1 - sum / Math.max(1, front.length - 1));
}
