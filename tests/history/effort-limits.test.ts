import { describe, expect, it } from 'vitest';
import { effortWithin } from '../../src/history/measuring/effort-limits.js';
import { observationOf } from '../../src/history/measuring/measurer.js';
import { ended, timedOut } from '../simulated/solver.js';

describe('the limit of effort', () => {
  it('is what a commit where it is quick would do in the time', () => {
    expect(effortWithin(10_000, { ...ended('sat', 3000, 50_000), cpuMs: 1000 })).toBe(500_000);
    expect(effortWithin(10_000, ended('unsat', 2000, 123_456))).toBe(620_000);
  });

  it('leaves room to get slower, and takes a start for no work', () => {
    expect(effortWithin(10_000, ended('sat', 9000, 1000))).toBe(4000);
    expect(effortWithin(10_000, ended('sat', 1, 1000))).toBe(500_000);
  });

  it('is not known of what is not answered or not counted', () => {
    expect(effortWithin(10_000, timedOut(10_000))).toBeUndefined();
    expect(effortWithin(10_000, ended('unknown', 10, 1000))).toBeUndefined();
    expect(effortWithin(10_000, ended('sat', 10))).toBeUndefined();
  });

  it('is the most that is seen, wherever a run was ended', () => {
    const seen = (run: Parameters<typeof observationOf>[0]) => observationOf(run, 1000, 'effort', 500);
    expect(seen(ended('sat', 10, 300))).toMatchObject({ samples: [300] });
    expect(seen(ended('sat', 10, 700))).toMatchObject({ samples: [500] });
    expect(seen({ ...timedOut(1000), effort: 512 })).toMatchObject({ samples: [500] });
    expect(seen(timedOut(1000))).toMatchObject({ samples: [500] });
    expect(seen(ended('unknown', 10, 300))).toMatchObject({ kind: 'unmeasured' });
  });
});
