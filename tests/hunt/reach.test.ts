import { describe, expect, it } from 'vitest';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { Busyness, Reached } from '../../src/hunt/search/reach.js';

const executed = (...counts: readonly (readonly [line: number, count: number])[]) =>
  packedPlaces(counts.map(([line, count]) => [placeOf(1, line), count]));

describe('what formulas reached', () => {
  it('is new once', () => {
    const reached = new Reached();
    expect(reached.add(executed([3, 1], [9, 100]))).toBe(2);
    expect(reached.add(executed([3, 50]))).toBe(0);
    expect(reached.add(executed([3, 1], [4, 1]))).toBe(1);
    expect(reached.count).toBe(3);
  });
});

describe('what slowdowns keep a solver busy with', () => {
  it('is like nothing at first', () => {
    expect(new Busyness(10).likeness({ executed: executed([1, 5]) })).toBe(0);
  });

  it('is the same however long it takes', () => {
    const busyness = new Busyness(10);
    busyness.add({ executed: executed([1, 30], [2, 10]) });
    expect(busyness.likeness({ executed: executed([1, 3000], [2, 1000]) })).toBeCloseTo(1);
    expect(busyness.likeness({ executed: executed([1, 10], [2, 30]) })).toBeCloseTo(0.5);
    expect(busyness.likeness({ executed: executed([3, 10]) })).toBe(0);
  });

  it('is compared with the most alike of those it remembers', () => {
    const busyness = new Busyness(2);
    for (const line of [1, 2, 3]) busyness.add({ executed: executed([line, 7]) });
    expect(busyness.likeness({ executed: executed([3, 1]) })).toBe(1);
    expect(busyness.likeness({ executed: executed([2, 1], [9, 1]) })).toBeCloseTo(0.5);
    expect(busyness.likeness({ executed: executed([1, 1]) })).toBe(0);
  });

  it('is what grew from an older version, where that is known of both', () => {
    const busyness = new Busyness(10);
    busyness.add({ executed: executed([1, 90], [2, 10]), grown: executed([2, 10]) });
    // Most of what both execute the older version executes, too.
    const likely = { executed: executed([1, 90], [3, 10]) };
    expect(busyness.likeness({ ...likely, grown: executed([3, 10]) })).toBe(0);
    expect(busyness.likeness(likely)).toBeCloseTo(0.9);
    expect(busyness.likeness({ executed: executed([7, 1]), grown: executed([2, 3]) })).toBe(1);
  });
});
