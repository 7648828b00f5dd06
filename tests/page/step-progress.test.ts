import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, progressBar, roughDuration, StepProgress } from '../../src/page/index.js';

const state = { step: 'measuring', work: { total: 10, what: 'formula' } };

describe('StepProgress', () => {
  it('has no estimate before the first item is done', () => {
    const left = new StepProgress(state, 5000);
    expect(left.leftMs(9000)).toBeUndefined();
    expect(left.text(9000)).toBe('measuring: 0 of 10 formulas, no estimate yet');
  });

  it('estimates the time left from the items done', () => {
    const left = new StepProgress(state, 5000);
    left.reached(2, 9000);
    expect(left.leftMs(9000)).toBe(16_000);
    expect(left.text(9000)).toBe('measuring: 2 of 10 formulas, about 16 s left');
  });

  it('lowers the estimate while an item runs, but not below the items after it', () => {
    const left = new StepProgress(state, 0);
    left.reached(2, 4000);
    expect(left.leftMs(5000)).toBe(15_000);
    expect(left.leftMs(60_000)).toBe(14_000);
  });

  it('ignores items from before a resume', () => {
    const left = new StepProgress(state, 0, 8);
    expect(left.text(1000)).toBe('measuring: 8 of 10 formulas, no estimate yet');
    left.reached(9, 7000);
    expect(left.leftMs(7000)).toBe(7000);
  });

  it('counts parts of an item and shows whole ones', () => {
    const left = new StepProgress({ step: 'measuring', work: { total: 1, what: 'formula' } }, 0);
    left.reached(0.25, 1000);
    expect(left.text(1000)).toBe('measuring: 0 of 1 formula, about 3 s left');
    expect(left.share).toBe(0.25);
  });

  it('estimates nothing at the end', () => {
    const left = new StepProgress(state, 0);
    left.reached(10, 1000);
    expect(left.text(1000)).toBe('measuring: 10 of 10 formulas');
  });

  it('never estimates a negative time', () => {
    const numbers = fc.array(fc.tuple(fc.nat(20), fc.nat(10_000)));
    fc.assert(
      fc.property(numbers, fc.nat(1_000_000), (reached, at) => {
        const left = new StepProgress(state, 0);
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

it('roughDuration prints seconds, minutes or hours', () => {
  expect([100, 59_000, 80_000, 3_600_000, 43_260_000].map(roughDuration)).toEqual([
    '1 s',
    '59 s',
    '1 m 20 s',
    '1 h 0 m',
    '12 h 1 m',
  ]);
});

it('progressBar draws the finished share', () => {
  expect(progressBar(0.5, 8)).toBe('[████░░░░]');
  expect(progressBar(2, 4)).toBe('[████]');
});

it('counted forms plurals', () => {
  expect([counted(1, 'history'), counted(2, 'history'), counted(2, 'day'), counted(0, 'case')]).toEqual([
    '1 history',
    '2 histories',
    '2 days',
    '0 cases',
  ]);
});
