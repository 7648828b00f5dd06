import { median, sum } from 'simple-statistics';
import { ranks, tieSum } from './ranks.js';

/** The Hodges–Lehmann estimate of how much larger `b` is than `a`: the median of all pairwise differences. */
export function shift(a: readonly number[], b: readonly number[]): number {
  return median(b.flatMap((y) => a.map((x) => y - x)));
}

export type Alternative = 'greater' | 'different';

/** Samples of up to this many values together are compared by all ways to divide them. */
const largestExact = 20;

/**
 * The test of Mann and Whitney: how likely `b` ranks as high against `a`, or as far from it in either direction, if
 * both come from the same distribution. Exact for small samples, else by the normal approximation with ties and
 * continuity corrected.
 */
export function rankProbability(
  a: readonly number[],
  b: readonly number[],
  alternative: Alternative = 'greater',
): number {
  if (a.length === 0 || b.length === 0) return 1;
  const all = [...a, ...b];
  const ranked = ranks(all);
  const count = all.length;
  const expected = (b.length * (count + 1)) / 2;
  const excess = sum(ranked.slice(a.length)) - expected;
  if (count > largestExact) {
    const variance = ((a.length * b.length) / 12) * (count + 1 - tieSum(all) / (count * (count - 1)));
    return normalProbability(excess, variance, alternative);
  }
  let [extreme, total] = [0, 0];
  for (const [rankSum, ways] of divisions(ranked, b.length)) {
    const other = rankSum - expected;
    if (alternative === 'greater' ? other >= excess : Math.abs(other) >= Math.abs(excess)) extreme += ways;
    total += ways;
  }
  return extreme / total;
}

/** By sum of ranks, how many ways there are to take `size` of them. Ranks are multiples of 1/2, so sums are exact. */
function divisions(ranked: readonly number[], size: number): ReadonlyMap<number, number> {
  const bySize = Array.from({ length: size + 1 }, () => new Map<number, number>());
  bySize[0]?.set(0, 1);
  for (const rank of ranked)
    for (let taken = size; taken > 0; taken--)
      for (const [rankSum, ways] of bySize[taken - 1] ?? []) {
        const sums = bySize[taken];
        sums?.set(rankSum + rank, (sums.get(rankSum + rank) ?? 0) + ways);
      }
  return bySize[size] ?? new Map();
}

/** Wilcoxon's signed ranks: how likely the pairs differ as much in either direction by chance. Equal pairs are left out. */
export function pairedProbability(pairs: readonly (readonly [number, number])[]): number {
  const gaps = pairs.map(([a, b]) => a - b).filter((gap) => gap !== 0);
  const sizes = gaps.map(Math.abs);
  const ranked = ranks(sizes);
  const above = sum(ranked.filter((_, at) => (gaps[at] ?? 0) > 0));
  const count = gaps.length;
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - tieSum(sizes) / 48;
  return normalProbability(above - (count * (count + 1)) / 4, variance, 'different');
}

/** Of a rank sum, which grows in steps: half a step is attributed to chance. */
function normalProbability(excess: number, variance: number, alternative: Alternative): number {
  if (variance <= 0) return 1;
  const away = alternative === 'greater' ? excess - 1 / 2 : Math.max(0, Math.abs(excess) - 1 / 2);
  const outside = complementaryError(Math.abs(away) / Math.sqrt(2 * variance));
  if (alternative === 'different') return Math.min(1, outside);
  return away >= 0 ? outside / 2 : 1 - outside / 2;
}

/** 1 minus the error function, for x ≥ 0. The one of `simple-statistics` is right to seven digits only. */
function complementaryError(x: number): number {
  const square = x * x;
  if (square < 1.5) {
    let term = x;
    let series = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(series); n++) {
      term *= -square / n;
      series += term / (2 * n + 1);
      if (n > 200) break;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * series;
  }
  // 1 / (x + (1/2) / (x + 1 / (x + (3/2) / (x + …)))), from its far end.
  let fraction = x;
  for (let n = 100; n >= 1; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-square) / (Math.sqrt(Math.PI) * fraction);
}
