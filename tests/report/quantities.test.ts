import { describe, expect, it } from 'vitest';
import { thresholdText } from '../../src/report/index.js';
import { assumedNoise } from '../../src/solver/index.js';

describe('a threshold', () => {
  it('is what was asked for, what was measured of the machine, or assumed', () => {
    const measured = { floorMs: 4, relative: 0.03 };
    expect(thresholdText({ noise: measured, timeoutMs: 2000, thresholdMs: 1500 })).toBe('1.50 s');
    expect(thresholdText({ noise: measured, timeoutMs: 2000 })).toBe(
      'calibrated to the machine (4.0 ms and 3% of noise)',
    );
    expect(thresholdText({ noise: assumedNoise, timeoutMs: 2000 })).toBe(
      'assumed (20 ms and 10% of noise; culprit calibrate measures this machine)',
    );
  });
});
