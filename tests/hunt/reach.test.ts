import { describe, expect, it } from 'vitest';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { CoverageProfiles, ReachedPlaces } from '../../src/hunt/search/reach.js';

const executed = (...counts: readonly (readonly [line: number, count: number])[]) =>
  packedPlaces(counts.map(([line, count]) => [placeOf(1, line), count]));

describe('ReachedPlaces', () => {
  it('counts each place as new once', () => {
    const reached = new ReachedPlaces();
    expect(reached.add(executed([3, 1], [9, 100]))).toBe(2);
    expect(reached.add(executed([3, 50]))).toBe(0);
    expect(reached.add(executed([3, 1], [4, 1]))).toBe(1);
    expect(reached.count).toBe(3);
  });
});

describe('CoverageProfiles', () => {
  it('has similarity 0 to everything at first', () => {
    expect(new CoverageProfiles(10).similarity({ executed: executed([1, 5]) })).toBe(0);
  });

  it('does not depend on the total amount of work', () => {
    const busyness = new CoverageProfiles(10);
    busyness.add({ executed: executed([1, 30], [2, 10]) });
    expect(busyness.similarity({ executed: executed([1, 3000], [2, 1000]) })).toBeCloseTo(1);
    expect(busyness.similarity({ executed: executed([1, 10], [2, 30]) })).toBeCloseTo(0.5);
    expect(busyness.similarity({ executed: executed([3, 10]) })).toBe(0);
  });

  it('compares with the most similar remembered slowdown', () => {
    const busyness = new CoverageProfiles(2);
    for (const line of [1, 2, 3]) busyness.add({ executed: executed([line, 7]) });
    expect(busyness.similarity({ executed: executed([3, 1]) })).toBe(1);
    expect(busyness.similarity({ executed: executed([2, 1], [9, 1]) })).toBeCloseTo(0.5);
    expect(busyness.similarity({ executed: executed([1, 1]) })).toBe(0);
  });

  it('compares growth over an older version if both have it', () => {
    const busyness = new CoverageProfiles(10);
    busyness.add({ executed: executed([1, 90], [2, 10]), grown: executed([2, 10]) });
    // The older version executes most of the common code too.
    const likely = { executed: executed([1, 90], [3, 10]) };
    expect(busyness.similarity({ ...likely, grown: executed([3, 10]) })).toBe(0);
    expect(busyness.similarity(likely)).toBeCloseTo(0.9);
    expect(busyness.similarity({ executed: executed([7, 1]), grown: executed([2, 3]) })).toBe(1);
  });
});
