import { describe, expect, it } from 'vitest';
import { askedPace, Pace } from '../../src/cli/screen/pace.js';

/** When a job that asks all the time tells something, in seconds. */
function toldAt(pace: Pace, untilMs: number): readonly number[] {
  const told: number[] = [];
  for (let at = 0; at <= untilMs; at += 100)
    if (pace.isDue(at)) {
      pace.told(at);
      told.push(at / 1000);
    }
  return told;
}

describe('lines where no terminal shows how far a job is', () => {
  it('do not come from what ends within a few seconds', () => {
    expect(toldAt(new Pace(), 2900)).toEqual([]);
  });

  it('come soon, and then now and then', () => {
    expect(toldAt(new Pace(), 40_000)).toEqual([3, 13, 23, 33]);
  });

  it('come more seldom the longer it takes, so that a night is some hundred lines', () => {
    const told = toldAt(new Pace(), 12 * 3_600_000);
    expect(told.length).toBeLessThan(250);
    const gaps = told.slice(1).map((at, i) => Math.round(at - (told[i] ?? 0)));
    expect(Math.max(...gaps)).toBe(300);
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  });

  it('come as often as is asked for', () => {
    const { everyMs } = askedPace('30s', () => 30_000);
    expect(toldAt(new Pace(everyMs), 100_000)).toEqual([30, 60, 90]);
  });

  it('can be asked for at every change, and never', () => {
    const unread = (): number => Number.NaN;
    expect(askedPace('0', unread)).toEqual({ isSilent: false, everyMs: 0 });
    expect(askedPace('never', unread)).toEqual({ isSilent: true });
    expect(askedPace(undefined, unread)).toEqual({ isSilent: false });
  });
});
