import { describe, expect, it } from 'vitest';
import { effortWithin } from '../../src/history/measuring/effort-limits.js';
import { observationOf } from '../../src/history/measuring/measurer.js';
import { ended, timedOut } from '../simulated/solver.js';

describe('the effort limit', () => {
  it('is the effort that the fast commit would reach within the time limit', () => {
    expect(effortWithin(10_000, { ...ended('sat', 3000, 50_000), cpuMs: 1000 })).toBe(500_000);
    expect(effortWithin(10_000, ended('unsat', 2000, 123_456))).toBe(620_000);
  });

  it('leaves room for slowdowns and ignores startup effort', () => {
    expect(effortWithin(10_000, ended('sat', 9000, 1000))).toBe(4000);
    expect(effortWithin(10_000, ended('sat', 1, 1000))).toBe(500_000);
  });

  it('is unknown without an answer or a counter', () => {
    expect(effortWithin(10_000, timedOut(10_000))).toBeUndefined();
    expect(effortWithin(10_000, ended('unknown', 10, 1000))).toBeUndefined();
    expect(effortWithin(10_000, ended('sat', 10))).toBeUndefined();
  });

  it('is the maximum observed effort, whenever a run ended', () => {
    const seen = (run: Parameters<typeof observationOf>[0]) => observationOf(run, 1000, 'effort', 500);
    expect(seen(ended('sat', 10, 300))).toMatchObject({ samples: [300] });
    expect(seen(ended('sat', 10, 700))).toMatchObject({ samples: [500] });
    expect(seen({ ...timedOut(1000), effort: 512 })).toMatchObject({ samples: [500] });
    expect(seen(timedOut(1000))).toMatchObject({ samples: [500] });
    expect(seen(ended('unknown', 10, 300))).toMatchObject({ kind: 'unmeasured' });
  });
});
