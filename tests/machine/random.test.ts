import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';

const seeds = fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });

const draws = (random: Random, count = 20): number[] =>
  Array.from({ length: count }, () => random.below(1_000_000));

describe('a seeded generator', () => {
  it('gives the same numbers for the same seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(draws(Random.fromSeed(seed))).toEqual(draws(Random.fromSeed(seed)));
      }),
    );
  });

  it('gives the same numbers in every release', () => {
    expect(draws(Random.fromSeed(1), 5)).toMatchInlineSnapshot(`
      [
        108646,
        414439,
        957065,
        449580,
        743266,
      ]
    `);
  });

  it('gives unrelated first numbers for neighbouring seeds', () => {
    const first = Array.from({ length: 1000 }, (_, seed) => Random.fromSeed(seed).below(10));
    for (let digit = 0; digit < 10; digit++) {
      expect(first.filter((drawn) => drawn === digit).length).toBeGreaterThan(60);
    }
  });

  it('distinguishes seeds that differ above 32 bits', () => {
    expect(draws(Random.fromSeed(1))).not.toEqual(draws(Random.fromSeed(1 + 2 ** 32)));
  });

  it('continues from a stored state', () => {
    fc.assert(
      fc.property(seeds, fc.nat(50), (seed, before) => {
        const random = Random.fromSeed(seed);
        draws(random, before);
        const stored = JSON.parse(JSON.stringify(random.state()));
        expect(draws(Random.fromState(stored))).toEqual(draws(random));
      }),
    );
  });

  it('rejects a seed that is not an integer', () => {
    expect(() => Random.fromSeed(0.5)).toThrow('0.5');
    expect(() => Random.fromSeed(Number.NaN)).toThrow(RangeError);
  });
});

describe('splitting', () => {
  it('gives a generator whose draws do not disturb the first', () => {
    fc.assert(
      fc.property(seeds, fc.nat(100), (seed, count) => {
        const [a, b] = [Random.fromSeed(seed), Random.fromSeed(seed)];
        draws(a.split(), count);
        b.split();
        expect(draws(a)).toEqual(draws(b));
      }),
    );
  });

  it('gives different numbers in every generation and branch', () => {
    const random = Random.fromSeed(3);
    const child = random.split();
    const all = [random, child, child.split(), random.split(), random.split().split()].map((generator) =>
      draws(generator),
    );
    expect(new Set(all.map((numbers) => numbers.join())).size).toBe(all.length);
  });
});

describe('a drawn value', () => {
  it('stays within its bounds', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 2 ** 40 }), fc.integer(), (seed, count, low) => {
        const random = Random.fromSeed(seed);
        const below = random.below(count);
        expect(below >= 0 && below < count).toBe(true);
        const between = random.between(low, low + 5);
        expect(between >= low && between <= low + 5).toBe(true);
      }),
    );
  });

  it('of chance is true with the given probability', () => {
    const random = Random.fromSeed(5);
    const share = (probability: number): number => {
      let count = 0;
      for (let i = 0; i < 10_000; i++) if (random.chance(probability)) count++;
      return count / 10_000;
    };
    expect(share(0)).toBe(0);
    expect(share(1)).toBe(1);
    expect(share(0.3)).toBeCloseTo(0.3, 1);
  });

  it('of sample contains different items', () => {
    fc.assert(
      fc.property(seeds, fc.uniqueArray(fc.nat()), fc.nat(20), (seed, items, count) => {
        const taken = Random.fromSeed(seed).sample(items, count);
        expect(new Set(taken).size).toBe(Math.min(count, items.length));
        expect(taken.every((item) => items.includes(item))).toBe(true);
        expect(Random.fromSeed(seed).shuffled(items).sort()).toEqual([...items].sort());
      }),
    );
  });
});
