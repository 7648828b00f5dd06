import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barText, counted, LeftWork, roughly } from '../../src/page/index.js';

const state = { step: 'measuring', work: { total: 10, what: 'formula' } };

describe('what is left of a step', () => {
  it('is not estimated before anything is done', () => {
    const left = new LeftWork(state, 5000);
    expect(left.leftMs(9000)).toBeUndefined();
    expect(left.text(9000)).toBe('measuring: 0 of 10 formulas, no estimate yet');
  });

  it('takes as long as what was done tells', () => {
    const left = new LeftWork(state, 5000);
    left.reached(2, 9000);
    expect(left.leftMs(9000)).toBe(16_000);
    expect(left.text(9000)).toBe('measuring: 2 of 10 formulas, about 16 s left');
  });

  it('gets less while nothing is reached, but never less than what comes after', () => {
    const left = new LeftWork(state, 0);
    left.reached(2, 4000);
    expect(left.leftMs(5000)).toBe(15_000);
    expect(left.leftMs(60_000)).toBe(14_000);
  });

  it('is not told by what was there before', () => {
    const left = new LeftWork(state, 0, 8);
    expect(left.text(1000)).toBe('measuring: 8 of 10 formulas, no estimate yet');
    left.reached(9, 7000);
    expect(left.leftMs(7000)).toBe(7000);
  });

  it('counts parts of what is under way, and shows whole ones', () => {
    const left = new LeftWork({ step: 'measuring', work: { total: 1, what: 'formula' } }, 0);
    left.reached(0.25, 1000);
    expect(left.text(1000)).toBe('measuring: 0 of 1 formula, about 3 s left');
    expect(left.share).toBe(0.25);
  });

  it('is nothing at the end', () => {
    const left = new LeftWork(state, 0);
    left.reached(10, 1000);
    expect(left.text(1000)).toBe('measuring: 10 of 10 formulas');
  });

  it('is never negative, whatever comes when', () => {
    const numbers = fc.array(fc.tuple(fc.nat(20), fc.nat(10_000)));
    fc.assert(
      fc.property(numbers, fc.nat(1_000_000), (reached, at) => {
        const left = new LeftWork(state, 0);
        let now = 0;
        for (const [done, after] of reached) {
          now += after;
          left.reached(done, now);
        }
        expect(left.leftMs(now + at) ?? 0).toBeGreaterThanOrEqual(0);
        expect(left.share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it('says estimated times roughly', () => {
  expect([100, 59_000, 80_000, 3_600_000, 43_260_000].map(roughly)).toEqual([
    '1 s',
    '59 s',
    '1 m 20 s',
    '1 h 0 m',
    '12 h 1 m',
  ]);
});

it('draws how much is done', () => {
  expect(barText(0.5, 8)).toBe('[████░░░░]');
  expect(barText(2, 4)).toBe('[████]');
});

it('counts in words', () => {
  expect([counted(1, 'history'), counted(2, 'history'), counted(2, 'day'), counted(0, 'case')]).toEqual([
    '1 history',
    '2 histories',
    '2 days',
    '0 cases',
  ]);
});
