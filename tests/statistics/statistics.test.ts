import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agreement,
  correlationProbability,
  pairedProbability,
  rankCorrelation,
  rankProbability,
  ranks,
  shift,
} from '../../src/statistics/index.js';

/** The share of the standard normal distribution farther out than this on either side, by Simpson's rule. */
function outside(z: number): number {
  const steps = 2000;
  const width = z / steps;
  let sum = 0;
  for (let at = 0; at <= steps; at++) {
    const weight = at === 0 || at === steps ? 1 : at % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((at * width) ** 2) / 2);
  }
  return 1 - (2 * (sum * width)) / 3 / Math.sqrt(2 * Math.PI);
}

describe('statistics by ranks', () => {
  it('rank numbers so that equal ones share the middle of their places', () => {
    expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (values) => {
        const found = ranks(values);
        expect(found.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(
          (values.length * (values.length + 1)) / 2,
        );
        for (const [i, x] of values.entries())
          for (const [k, y] of values.entries())
            expect(Math.sign((found[i] ?? 0) - (found[k] ?? 0))).toBe(Math.sign(x - y));
      }),
    );
  });

  it('correlate ranks whatever order ties come in', () => {
    // Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4: 3.75 over 4.5.
    expect(rankCorrelation([1, 1, 2, 3], [5, 6, 6, 9])?.rho).toBeCloseTo(3.75 / 4.5, 12);
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (all) => {
        const of = (some: typeof all) =>
          rankCorrelation(
            some.map(([a]) => a),
            some.map(([, b]) => b),
          )?.rho;
        const rho = of(all);
        const other = of(all.toReversed());
        if (rho === undefined) expect(other).toBeUndefined();
        else expect(other).toBeCloseTo(rho, 9);
      }),
    );
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeUndefined();
  });

  it('give the probabilities of the thesis for its correlations (5.5.1)', () => {
    expect(correlationProbability(0.0675, 70)).toBeCloseTo(0.579, 3);
    expect(correlationProbability(0.1656, 70)).toBeCloseTo(0.1705, 3);
    expect(correlationProbability(0.86, 200)).toBeLessThan(0.0001);
    expect(correlationProbability(-0.1656, 70)).toBeCloseTo(0.1705, 3);
    // Tables of Student's t have 2.228139 for 5 % and 10 degrees of freedom.
    expect(correlationProbability(2.228139 / Math.sqrt(10 + 2.228139 ** 2), 12)).toBeCloseTo(0.05, 6);
    expect([correlationProbability(0, 9), correlationProbability(1, 9)]).toEqual([1, 0]);
  });

  it('estimate the shift between two samples', () => {
    expect(shift([1, 2, 3], [11, 12, 13])).toBe(10);
  });

  it('give the exact rank probabilities of the tables', () => {
    expect(rankProbability([1, 2, 3], [4, 5, 6])).toBeCloseTo(1 / 20, 10);
    expect(rankProbability([1, 2, 3, 4], [5, 6, 7, 8])).toBeCloseTo(1 / 70, 10);
    expect(rankProbability([4, 5, 6], [1, 2, 3])).toBe(1);
    const [low, high] = [
      Array.from({ length: 15 }, (_, i) => i),
      Array.from({ length: 15 }, (_, i) => i + 100),
    ];
    expect(rankProbability(low, high)).toBeLessThan(1e-5);
  });

  it('compare small samples exactly, also with ties', () => {
    const [a, b] = [
      [1, 2, 2, 3, 5, 7, 7],
      [2, 4, 6, 7, 8, 9, 9],
    ];
    expect(rankProbability(a, b, 'different')).toBeCloseTo(exactly(a, b), 12);
    expect(rankProbability(b, a, 'different')).toBeCloseTo(rankProbability(a, b, 'different'), 12);
    expect(rankProbability([3, 3, 3], [7, 7, 7])).toBeCloseTo(1 / 20, 12);
    expect(rankProbability([1, 1], [1, 1], 'different')).toBe(1);
    expect(rankProbability([], [1], 'different')).toBe(1);
  });

  it('compare large samples by the normal approximation, corrected for ties', () => {
    const a = [1, 2, 2, 3, 5, 7, 7, 1, 2, 2, 3, 5, 7, 7];
    const b = [2, 4, 6, 7, 8, 9, 9, 2, 4, 6, 7, 8, 9, 9];
    // U is 44 of 196; the ties are in five groups of 2, one of 4 and two of 6.
    const variance = (196 / 12) * (29 - (6 * 6 + 60 + 210 + 210) / (28 * 27));
    const z = (98 - 44 - 0.5) / Math.sqrt(variance);
    expect(rankProbability(a, b, 'different')).toBeCloseTo(outside(z), 9);
    expect(rankProbability(a, b)).toBeCloseTo(outside(z) / 2, 9);
    expect(rankProbability(b, a)).toBeCloseTo(1 - outside((98 - 44 + 0.5) / Math.sqrt(variance)) / 2, 9);
    const same = new Array<number>(15).fill(1);
    expect(rankProbability(same, same, 'different')).toBe(1);
  });

  it('compare pairs', () => {
    // Hollander and Wolfe, depression: V is 40 of 45.
    const x = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
    const y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    const pairs = x.map((value, at) => [value, y[at] ?? 0] as const);
    expect(pairedProbability(pairs)).toBeCloseTo(outside((40 - 22.5 - 0.5) / Math.sqrt(71.25)), 9);
    expect(pairedProbability([...pairs, [1, 1]])).toBe(pairedProbability(pairs));
    expect(pairedProbability([[2, 2]])).toBe(1);
  });

  it('say how far two agree beyond chance', () => {
    const times = (count: number, pair: readonly [number, number]) =>
      Array.from({ length: count }, () => pair);
    const all = [...times(20, [1, 1]), ...times(5, [1, 0]), ...times(10, [0, 1]), ...times(15, [0, 0])];
    expect(agreement(all)).toBeCloseTo(0.4, 12);
    expect(agreement(times(3, [1, 1]).concat(times(3, [2, 2])))).toBe(1);
    expect([agreement([]), agreement(times(2, [1, 1]))]).toEqual([undefined, undefined]);
  });
});

/** Over all ways to deal the numbers out. */
function exactly(a: readonly number[], b: readonly number[]): number {
  const of = ranks([...a, ...b]);
  const all = a.length + b.length;
  const middle = (a.length * (all + 1)) / 2;
  const away = Math.abs(of.slice(0, a.length).reduce((sum, rank) => sum + rank, 0) - middle);
  let [asFar, count] = [0, 0];
  const deal = (at: number, left: number, sum: number): void => {
    if (left === 0) {
      count++;
      if (Math.abs(sum - middle) >= away - 1e-9) asFar++;
    } else if (all - at >= left) {
      deal(at + 1, left - 1, sum + (of[at] ?? 0));
      deal(at + 1, left, sum);
    }
  };
  deal(0, a.length, 0);
  return asFar / count;
}
