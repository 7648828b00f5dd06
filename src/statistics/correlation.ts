import { gammaln, sampleCorrelation } from 'simple-statistics';
import { ranks } from './ranks.js';

export interface Correlation {
  readonly rho: number;
  /** How likely so strong a correlation is by chance, in either direction. */
  readonly probability: number;
}

/** Spearman's ρ with tied ranks; undefined for fewer than three pairs or if all values are equal. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): Correlation | undefined {
  if (a.length < 3 || a.length !== b.length) return undefined;
  const rho = sampleCorrelation([...ranks(a)], [...ranks(b)]);
  return Number.isNaN(rho) ? undefined : { rho, probability: correlationProbability(rho, a.length) };
}

/** By Student's t, as in the thesis: ρ = 0.0675 of 70 pairs has the probability 0.579. */
export function correlationProbability(rho: number, count: number): number {
  const freedom = count - 2;
  if (Math.abs(rho) >= 1) return 0;
  const t2 = (rho * rho * freedom) / (1 - rho * rho);
  return betaShare(freedom / (freedom + t2), freedom / 2, 1 / 2);
}

/** Cohen's unweighted κ of two raters: 1 if they always agree, 0 if no more often than by chance. */
export function agreement(pairs: readonly (readonly [number, number])[]): number | undefined {
  const count = pairs.length;
  const [first, second] = [new Map<number, number>(), new Map<number, number>()];
  let same = 0;
  for (const [a, b] of pairs) {
    first.set(a, (first.get(a) ?? 0) + 1);
    second.set(b, (second.get(b) ?? 0) + 1);
    if (a === b) same++;
  }
  let chance = 0;
  for (const [value, times] of first) chance += (times / count) * ((second.get(value) ?? 0) / count);
  return count === 0 || chance === 1 ? undefined : (same / count - chance) / (1 - chance);
}

/** The regularized incomplete beta function, as a continued fraction (Lentz). */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges quickly only below the middle.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const before =
    Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const apart = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 / apart(1 + term * d);
      c = apart(1 + term / c);
      step = d * c;
      fraction *= step;
    }
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return before * fraction;
}
