import * as fc from 'fast-check';
import { mean, sampleVariance } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { beta, gamma, normal, uniform } from '../../src/hunt/search/sample.js';
import { Random } from '../../src/machine/index.js';

const count = 20_000;

function draws(draw: (random: Random) => number, seed = 11): number[] {
  const random = Random.fromSeed(seed);
  return Array.from({ length: count }, () => draw(random));
}

/** Five standard errors: a correct sampler fails for one in two million seeds, and the seed is fixed. */
function expectMean(numbers: readonly number[], expected: number, variance: number): void {
  expect(Math.abs(mean([...numbers]) - expected)).toBeLessThan(5 * Math.sqrt(variance / count));
}

describe('samples', () => {
  it('uniform lies strictly between 0 and 1', () => {
    const numbers = draws(uniform);
    expectMean(numbers, 1 / 2, 1 / 12);
    expect(Math.min(...numbers)).toBeGreaterThan(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
  });

  it('normal has mean 0 and variance 1', () => {
    const numbers = draws(normal);
    expectMean(numbers, 0, 1);
    expect(sampleVariance(numbers)).toBeCloseTo(1, 1);
  });

  it.each([0.05, 0.5, 1, 2.5, 40])('gamma with shape %d has the right mean and variance', (shape) => {
    const numbers = draws((random) => gamma(random, shape));
    expectMean(numbers, shape, shape);
    expect(sampleVariance(numbers) / shape).toBeGreaterThan(0.85);
    expect(sampleVariance(numbers) / shape).toBeLessThan(1.15);
  });

  it.each([
    [1, 1],
    [2, 5],
    [0.3, 0.7],
    [30, 3],
    [1.05, 12],
  ])('beta with %d and %d has the right mean', (a, b) => {
    const variance = (a * b) / ((a + b) ** 2 * (a + b + 1));
    expectMean(
      draws((random) => beta(random, a, b)),
      a / (a + b),
      variance,
    );
  });

  it('beta lies between 0 and 1', () => {
    const size = fc.double({ min: 0.01, max: 1000, noNaN: true });
    fc.assert(
      fc.property(fc.integer(), size, size, (seed, a, b) => {
        const drawn = beta(Random.fromSeed(seed), a, b);
        expect(drawn).toBeGreaterThanOrEqual(0);
        expect(drawn).toBeLessThanOrEqual(1);
      }),
    );
  });
});
