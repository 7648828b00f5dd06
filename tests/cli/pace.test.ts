import { describe, expect, it } from 'vitest';
import { askedPace, Pace } from '../../src/cli/screen/pace.js';

/** The times in seconds at which a job that reports continuously prints a line. */
function toldAt(pace: Pace, untilMs: number): readonly number[] {
  const told: number[] = [];
  for (let at = 0; at <= untilMs; at += 100)
    if (pace.isDue(at)) {
      pace.told(at);
      told.push(at / 1000);
    }
  return told;
}

describe('progress lines of a log', () => {
  it('are absent for commands of a few seconds', () => {
    expect(toldAt(new Pace(), 2900)).toEqual([]);
  });

  it('begin soon, and continue at intervals', () => {
    expect(toldAt(new Pace(), 40_000)).toEqual([3, 13, 23, 33]);
  });

  it('become less frequent over time, so that a night has some hundred lines', () => {
    const told = toldAt(new Pace(), 12 * 3_600_000);
    expect(told.length).toBeLessThan(250);
    const gaps = told.slice(1).map((at, i) => Math.round(at - (told[i] ?? 0)));
    expect(Math.max(...gaps)).toBe(300);
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  });

  it('follow the requested interval', () => {
    const { everyMs } = askedPace('30s', () => 30_000);
    expect(toldAt(new Pace(everyMs), 100_000)).toEqual([30, 60, 90]);
  });

  it('can be requested for every change, or disabled', () => {
    const unread = (): number => Number.NaN;
    expect(askedPace('0', unread)).toEqual({ isSilent: false, everyMs: 0 });
    expect(askedPace('never', unread)).toEqual({ isSilent: true });
    expect(askedPace(undefined, unread)).toEqual({ isSilent: false });
  });
});
