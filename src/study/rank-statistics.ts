/** Statistics by ranks with the probabilities that go with them, which `simple-statistics` has not or breaks ties in. */

import { gammaln, sampleCorrelation } from 'simple-statistics';

/** From 1; those that are equal share the middle of their places. */
export function ranks(values: readonly number[]): readonly number[] {
  const found = new Array<number>(values.length).fill(0);
  for (const { from, members } of tied(values))
    for (const at of members) found[at] = from + (members.length + 1) / 2;
  return found;
}

/** The places of equal values together, the smallest value first. */
function tied(values: readonly number[]): readonly { readonly from: number; readonly members: number[] }[] {
  const order = [...values.entries()].toSorted(([, a], [, b]) => a - b);
  const groups: { readonly from: number; readonly members: number[] }[] = [];
  let last: number | undefined;
  for (const [from, [at, value]] of order.entries()) {
    if (value === last) groups.at(-1)?.members.push(at);
    else groups.push({ from, members: [at] });
    last = value;
  }
  return groups;
}

export interface Correlation {
  readonly rho: number;
  /** Two-sided: how likely as strong a one is where there is none. */
  readonly probability: number;
}

/** Spearman's, of ranks that ties share; undefined where there is too little, or nothing differs. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): Correlation | undefined {
  if (a.length < 3 || a.length !== b.length) return undefined;
  const rho = sampleCorrelation([...ranks(a)], [...ranks(b)]);
  return Number.isNaN(rho) ? undefined : { rho, probability: correlationProbability(rho, a.length) };
}

/** By Student's t, as the thesis has it: 0.0675 of 70 has 0.579. */
export function correlationProbability(rho: number, count: number): number {
  const freedom = count - 2;
  if (Math.abs(rho) >= 1) return 0;
  const t2 = (rho * rho * freedom) / (1 - rho * rho);
  return betaShare(freedom / (freedom + t2), freedom / 2, 1 / 2);
}

/**
 * Whether one of two samples tends to be larger (Mann and Whitney): two-sided, by the normal approximation with ties and
 * continuity corrected. 1 where nothing can be said.
 */
export function twoSampleProbability(a: readonly number[], b: readonly number[]): number {
  const [n, m] = [a.length, b.length];
  const all = [...a, ...b];
  const of = ranks(all);
  const u = of.slice(0, n).reduce((sum, rank) => sum + rank, 0) - (n * (n + 1)) / 2;
  const count = n + m;
  const variance = ((n * m) / 12) * (count + 1 - tieSum(all) / (count * (count - 1)));
  return normalProbability(u - (n * m) / 2, variance);
}

/** The same of pairs (Wilcoxon's signed ranks); pairs of equals are left out. */
export function pairedProbability(pairs: readonly (readonly [number, number])[]): number {
  const gaps = pairs.map(([a, b]) => a - b).filter((gap) => gap !== 0);
  const sizes = gaps.map(Math.abs);
  const of = ranks(sizes);
  const above = gaps.reduce((sum, gap, at) => (gap > 0 ? sum + (of[at] ?? 0) : sum), 0);
  const count = gaps.length;
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - tieSum(sizes) / 48;
  return normalProbability(above - (count * (count + 1)) / 4, variance);
}

/** Of every group of t equal ones t³ - t. */
function tieSum(values: readonly number[]): number {
  return tied(values).reduce((sum, { members: { length } }) => sum + length ** 3 - length, 0);
}

/** Two-sided, of something that is counted: half a step is given to chance. */
function normalProbability(away: number, variance: number): number {
  const z = Math.max(0, Math.abs(away) - 1 / 2) / Math.sqrt(variance);
  return variance > 0 ? Math.min(1, complementaryError(z / Math.SQRT2)) : 1;
}

/**
 * Cohen's kappa of two who each give one number to a thing: how much oftener they give the same than by chance, 1 for
 * always. Unweighted: numbers that are close agree no more than others.
 */
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
  // The fraction is quick to settle below the middle alone.
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

/** 1 minus the error function, for what is not negative: its incomplete gamma function. */
function complementaryError(x: number): number {
  const square = x * x;
  if (square < 1.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= -square / n;
      sum += term / (2 * n + 1);
      if (n > 200) break;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  // 1 / (x + (1/2) / (x + 1 / (x + (3/2) / (x + …)))), from its far end.
  let fraction = x;
  for (let n = 100; n >= 1; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-square) / (Math.sqrt(Math.PI) * fraction);
}
