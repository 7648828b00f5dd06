import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Step, shrink } from '../../src/reduce/shrink.js';

/** Lists of numbers; a step deletes or decrements one number. */
function simpler(list: readonly number[]): Step<readonly number[]>[] {
  return [
    ...list.map((_, i) => ({ make: () => list.toSpliced(i, 1) })),
    { make: () => undefined },
    ...list.flatMap((number, i) => (number > 0 ? [{ make: () => list.with(i, number - 1) }] : [])),
  ];
}

function shrunk(start: readonly number[], holds: (list: readonly number[]) => boolean, most?: number) {
  const tried: (readonly number[])[] = [];
  const shrinking = shrink(start, simpler, most);
  let step = shrinking.next();
  while (!step.done) {
    if (step.value !== undefined) tried.push(step.value);
    step = shrinking.next(step.value !== undefined && holds(step.value));
  }
  return { best: step.value, tried };
}

describe('shrink', () => {
  it('ends at an item without a smaller step', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.nat(60), (list, least) => {
        const holds = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) >= least;
        fc.pre(holds(list));
        const { best } = shrunk(list, holds);
        expect(holds(best)).toBe(true);
        for (const { make } of simpler(best)) {
          const smaller = make();
          expect(smaller !== undefined && holds(smaller)).toBe(false);
        }
      }),
    );
  });

  it('returns the best item so far after the given number of tries', () => {
    const { best, tried } = shrunk([9, 9, 9, 9], () => true, 2);
    expect(tried).toHaveLength(2);
    expect(best).toEqual([9, 9]);
  });
});
