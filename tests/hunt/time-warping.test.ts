import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeSequences, warpedDistance } from '../../src/hunt/search/time-warping.js';

const sequence = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 });

describe('warpedDistance', () => {
  it('of a sequence to itself is 0', () => {
    fc.assert(fc.property(sequence, (a) => warpedDistance(a, a) === 0));
  });

  it('is symmetric', () => {
    fc.assert(fc.property(sequence, sequence, (a, b) => warpedDistance(a, b) === warpedDistance(b, a)));
  });

  it('is at least the difference of the first and of the last elements', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const ends = [0, -1].map((at) => Math.abs((a.at(at) as number) - (b.at(at) as number)));
        expect(warpedDistance(a, b)).toBeGreaterThanOrEqual(Math.max(...ends));
      }),
    );
  });

  it('is at most the sum of the pairwise differences', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { minLength: 1, maxLength: 6 }), (pairs) => {
        const oneByOne = pairs.reduce((sum, [x, y]) => sum + Math.abs(x - y), 0);
        const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
        expect(warpedDistance(a, b)).toBeLessThanOrEqual(oneByOne);
      }),
    );
  });

  it('of single values is their difference', () => {
    fc.assert(fc.property(fc.nat(), fc.nat(), (x, y) => warpedDistance([x], [y]) === Math.abs(x - y)));
  });

  it('ignores repeated values', () => {
    fc.assert(
      fc.property(sequence, fc.nat(), fc.integer({ min: 1, max: 4 }), (a, at, times) => {
        const place = at % a.length;
        const longer = a.toSpliced(place, 0, ...new Array<number>(times).fill(a[place] as number));
        expect(warpedDistance(a, longer)).toBe(0);
      }),
    );
  });

  it('equals the distance computed by hand', () => {
    expect(warpedDistance([1, 3, 4, 9], [1, 3, 7, 8, 9])).toBe(4);
    expect(warpedDistance([0, 20], [0, 0])).toBe(20);
  });

  it('of an empty sequence to another is infinite', () => {
    expect(warpedDistance([], [])).toBe(0);
    expect(warpedDistance([], [1])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('TimeSequences', () => {
  const times = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 4 });

  it('has no nearest sequence at first', () => {
    expect(new TimeSequences().nearest([1, 2])).toBeUndefined();
  });

  it('gives the distance to the nearest sequence', () => {
    const earlier = new TimeSequences();
    earlier.add([0, 20]);
    earlier.add([0, 5]);
    expect(earlier.nearest([0, 6])).toBe(1);
    expect(earlier.nearest([0, 19])).toBe(1);
    expect(earlier.nearest([0, 5])).toBe(0);
  });

  it('does not round, even small times', () => {
    const earlier = new TimeSequences();
    earlier.add([0.011, 0.012]);
    expect(earlier.nearest([0.011, 0.0121])).toBe(Math.abs(0.0121 - 0.012));
  });

  it('equals a linear search in any order of insertion', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 30 }), times, (all, own) => {
        const earlier = new TimeSequences();
        for (const other of all) earlier.add(other);
        expect(earlier.nearest(own)).toBe(Math.min(...all.map((other) => warpedDistance(own, other))));
      }),
    );
  });

  it('visits few of many sequences', () => {
    const earlier = new TimeSequences();
    let looks = 0;
    const counted = (sequence: readonly number[]): readonly number[] =>
      new Proxy([...sequence], {
        get: (target, key, receiver) => {
          // Only the distance computation reads a sequence's length.
          if (key === 'length') looks++;
          return Reflect.get(target, key, receiver);
        },
      });
    for (let i = 0; i < 5000; i++) earlier.add(counted([0.01 + (i % 70) / 1000, i / 250]));
    looks = 0;
    expect(earlier.nearest([0.02, 10.0001])).toBeLessThan(0.1);
    expect(looks).toBeLessThan(500);
  });
});
