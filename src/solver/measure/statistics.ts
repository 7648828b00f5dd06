/** The few statistics comparisons need beyond `simple-statistics`. */

import { median } from 'simple-statistics';

/** The Hodges–Lehmann estimate of how much larger `b` is than `a`: the median of all pairwise differences. */
export function shift(a: readonly number[], b: readonly number[]): number {
  return median(b.flatMap((y) => a.map((x) => y - x)));
}

/**
 * The one-sided probability that `b` ranks as high against `a` as it does, were there no difference (Mann–Whitney).
 * Exact by counting for samples up to 20 in all, normal approximation above.
 */
export function rankProbability(a: readonly number[], b: readonly number[]): number {
  let u = 0;
  for (const y of b) for (const x of a) u += y > x ? 1 : y === x ? 0.5 : 0;
  const [n, m] = [a.length, b.length];
  if (n === 0 || m === 0) return 1;
  if (n + m <= 20) {
    const counts = rankCounts(n, m);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const asHigh = counts.reduce((sum, count, value) => (value >= u ? sum + count : sum), 0);
    return asHigh / total;
  }
  const mean = (n * m) / 2;
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  return 1 - normalBelow((u - mean - 0.5) / deviation);
}

/**
 * In how many ways each value of U can come about: the largest of all is one of `a`, and adds nothing, or one of `b`,
 * and adds as many as there are of `a`.
 */
function rankCounts(n: number, m: number): readonly number[] {
  let ofFewer: readonly (readonly number[])[] = Array.from({ length: n + 1 }, () => [1]);
  for (let j = 1; j <= m; j++) {
    let counts: readonly number[] = [1];
    ofFewer = ofFewer.map((withoutOneOfB, i) => {
      const withoutOneOfA = counts;
      if (i > 0)
        counts = Array.from(
          { length: i * j + 1 },
          (_, u) => (withoutOneOfA[u] ?? 0) + (withoutOneOfB[u - i] ?? 0),
        );
      return counts;
    });
  }
  return ofFewer.at(-1) ?? [];
}

/** The standard normal distribution (Abramowitz and Stegun 7.1.26). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(z) / Math.SQRT2));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (series * Math.exp((-z * z) / 2)) / 2;
  return z >= 0 ? 1 - above : above;
}
