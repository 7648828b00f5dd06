import { describe, expect, it } from 'vitest';
import { dateText } from '../../src/page/index.js';
import { dayText } from '../../src/page/quantities.js';
import { thresholdText } from '../../src/report/index.js';
import { assumedNoise } from '../../src/solver/index.js';

describe('a threshold', () => {
  it('is what was asked for, what was measured of the machine, or assumed', () => {
    const measured = { floorMs: 4, relative: 0.03 };
    expect(thresholdText({ noise: measured, timeoutMs: 2000, thresholdMs: 1500 })).toBe('1.50 s');
    expect(thresholdText({ noise: measured, timeoutMs: 2000 })).toBe(
      'calibrated to the machine (4.0 ms and 3 % of noise)',
    );
    expect(thresholdText({ noise: assumedNoise, timeoutMs: 2000 })).toBe(
      'assumed (20 ms and 10 % of noise; culprit calibrate measures this machine)',
    );
    expect(thresholdText({ noise: { floorMs: 227, relative: 0.05 }, timeoutMs: 2000 })).toBe(
      'calibrated while the machine was busy (227 ms and 5 % of noise; culprit calibrate when it is idle)',
    );
  });
});

describe('a date', () => {
  it('is the same wherever it is read, and the day of it is for people', () => {
    expect(dateText(1_600_000_000)).toBe('2020-09-13T12:26:40.000Z');
    expect(dayText(1_600_000_000)).toBe('2020-09-13');
  });

  it('is one for every number that a commit may claim', () => {
    for (const seconds of [0, 2 ** 53, Number.MAX_VALUE])
      expect(dateText(seconds)).toMatch(/^[+\d-]+T[\d:.]+Z$/);
  });
});
