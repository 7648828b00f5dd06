import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAnswer,
  quickRule,
  type Slowness,
  score,
  slowdownIn,
  thresholdOver,
  timeSequence,
} from '../../src/solver/measure/slowness.js';
import { type Ending, ended, slowness, timedOut } from '../simulated/solver.js';

const fixed: Slowness = { ...slowness, thresholdMs: 1000, timeoutMs: 20_000 };

describe('score', () => {
  it('is the newest version’s time minus the least of the others', () => {
    expect(score([ended('sat', 300), ended('unsat', 200), ended('sat', 700)])).toBe(500);
    expect(score([ended('sat', 300), timedOut(2000), ended('sat', 100)])).toBe(-200);
  });

  it('ignores versions that were not run', () => {
    expect(score([undefined, ended('sat', 300), ended('sat', 700)])).toBe(400);
    expect(score([undefined, ended('sat', 700)])).toBe(700);
  });
});

describe('timeSequence', () => {
  it('is the time of each version in seconds', () => {
    expect(timeSequence([ended('sat', 500), undefined, timedOut(2000)])).toEqual([0.5, 0, 2]);
  });
});

describe('thresholdOver', () => {
  it('is the requested threshold, if any', () => {
    expect(thresholdOver(fixed, 10)).toBe(1000);
    expect(thresholdOver(fixed, 10_000)).toBe(1000);
  });

  it('follows from the machine’s noise otherwise, but is never too small for a report', () => {
    expect(thresholdOver(slowness, 10)).toBe(250);
    expect(thresholdOver({ ...slowness, noise: { floorMs: 100, relative: 0.1 } }, 10)).toBe(500);
    expect(thresholdOver(slowness, 10_000)).toBe(5000);
  });
});

describe('slowdownIn', () => {
  it('finds a newest version slower than the reference by more than the threshold', () => {
    expect(slowdownIn([ended('sat', 10), ended('sat', 260)], slowness)).toBeUndefined();
    expect(slowdownIn([ended('sat', 10), ended('sat', 261)], slowness)).toEqual({
      reference: 0,
      referenceMs: 10,
      newestMs: 261,
      hasEnded: true,
    });
  });

  it('finds a newest version that did not finish', () => {
    expect(slowdownIn([ended('unsat', 10), timedOut(2000)], slowness)).toMatchObject({
      newestMs: 2000,
      hasEnded: false,
    });
  });

  it('compares with the fastest older version that answered', () => {
    const runs = [
      ended('sat', 500),
      ended('unknown', 1),
      ended('sat', 100),
      ended('crash', 2),
      ended('sat', 400),
    ];
    expect(slowdownIn(runs, slowness)).toMatchObject({ reference: 2, referenceMs: 100 });
  });

  it('needs an older version that answers', () => {
    expect(slowdownIn([timedOut(100), timedOut(2000)], slowness)).toBeUndefined();
    expect(slowdownIn([undefined, ended('sat', 2000)], slowness)).toBeUndefined();
    expect(slowdownIn([], slowness)).toBeUndefined();
  });

  it('ignores time that other programs took from the solver', () => {
    const waiting = { ...ended('sat', 900), cpuMs: 30 };
    expect(slowdownIn([ended('sat', 10), waiting], slowness)).toBeUndefined();
    const working = { ...ended('sat', 900), cpuMs: 850 };
    expect(slowdownIn([ended('sat', 10), working], slowness)).toMatchObject({ newestMs: 850 });
    // Several threads use more processor time than wall time.
    const threads = { ...ended('sat', 900), cpuMs: 3000 };
    expect(slowdownIn([ended('sat', 10), threads], slowness)).toMatchObject({ newestMs: 900 });
  });

  const failures = ['unknown', 'memout', 'crash', 'error'] as const satisfies readonly Ending[];

  it.each(failures)('ignores runs that end as %s, on either side', (ending) => {
    expect(slowdownIn([ended('sat', 10), ended(ending, 1900)], slowness)).toBeUndefined();
    expect(slowdownIn([ended(ending, 10), ended('sat', 1900)], slowness)).toBeUndefined();
  });

  it('returns a reference that answered and was quicker', () => {
    const run = fc
      .tuple(
        fc.constantFrom<Ending | 'timeout'>('sat', 'unsat', 'timeout', ...failures),
        fc.integer({ min: 0, max: 3000 }),
      )
      .map(([ending, ms]) => (ending === 'timeout' ? timedOut(ms) : ended(ending, ms)));
    fc.assert(
      fc.property(fc.array(fc.option(run, { nil: undefined }), { maxLength: 5 }), (runs) => {
        const found = slowdownIn(runs, slowness);
        if (found === undefined) return;
        expect(isAnswer(runs[found.reference])).toBe(true);
        expect(found.reference).toBeLessThan(runs.length - 1);
        expect(found.newestMs - found.referenceMs).toBeGreaterThan(250);
      }),
    );
  });
});

describe('quickRule', () => {
  it('takes a quarter of a fixed threshold', () => {
    expect(quickRule(fixed)).toEqual({ ...fixed, thresholdMs: 250 });
  });

  it('stays above the machine’s noise', () => {
    expect(quickRule({ ...fixed, noise: { floorMs: 80, relative: 0.1 } }).thresholdMs).toBe(400);
  });

  it('is never stricter than the rule itself', () => {
    expect(quickRule({ ...fixed, thresholdMs: 60 }).thresholdMs).toBe(60);
  });

  it('is the rule itself without a fixed threshold', () => {
    expect(quickRule(slowness)).toBe(slowness);
  });
});
