import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/page/index.js';
import { dayText } from '../../src/page/quantities.js';
import { thresholdText } from '../../src/report/index.js';
import { assumedNoise } from '../../src/solver/index.js';

describe('threshold text', () => {
  it('names a requested, a calibrated and an assumed threshold', () => {
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

describe('date text', () => {
  it('is in UTC, with a day for people', () => {
    expect(isoDate(1_600_000_000)).toBe('2020-09-13T12:26:40.000Z');
    expect(dayText(1_600_000_000)).toBe('2020-09-13');
  });

  it('is valid for every time that a commit may claim', () => {
    for (const seconds of [0, 2 ** 53, Number.MAX_VALUE])
      expect(isoDate(seconds)).toMatch(/^[+\d-]+T[\d:.]+Z$/);
  });
});
