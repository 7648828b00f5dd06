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

/** In how many ways each value of U can come about. */
function rankCounts(n: number, m: number): number[] {
  // ways[k][u]: arrangements of the first k of `b` with statistic u; each new one passes 0…n of `a`.
  let ways = new Map<string, number>([['0,0', 1]]);
  for (let k = 0; k < m; k++) {
    const next = new Map<string, number>();
    for (const [key, count] of ways) {
      const [passed, u] = key.split(',').map(Number) as [number, number];
      for (let p = passed; p <= n; p++) {
        const to = `${p},${u + p}`;
        next.set(to, (next.get(to) ?? 0) + count);
      }
    }
    ways = next;
  }
  const counts = new Array<number>(n * m + 1).fill(0);
  for (const [key, count] of ways) {
    const u = Number(key.split(',')[1]);
    counts[u] = (counts[u] ?? 0) + count;
  }
  return counts;
}

/** The standard normal distribution (Abramowitz and Stegun 7.1.26). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(z) / Math.SQRT2));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (series * Math.exp((-z * z) / 2)) / 2;
  return z >= 0 ? 1 - above : above;
}
