import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import { calibrate, largestNoise, measureSkew, stability } from '../../src/solver/measure/calibrate.js';
import { answered, FakeRunner, fakeVersion, timedOut } from './fake.js';

const formulas = ['(assert true)(check-sat)', '(assert false)(check-sat)'].map((text) => parseScript(text));
const limits = { wallMs: 1000 };

describe('calibrating', () => {
  it('runs every formula on every version in turns', async () => {
    const runner = new FakeRunner(() => answered('sat', 10, 5));
    const versions = [fakeVersion('a'), fakeVersion('b')];
    const rows = await calibrate(runner, versions, { formulas, repeats: 2, limits });
    expect(runner.requests.map(({ version }) => version.name).join('')).toBe('abababab');
    expect(rows.map((row) => [row.version, row.formulas, row.steadyEffort])).toEqual([
      ['a', 2, 1],
      ['b', 2, 1],
    ]);
  });

  it('measures the spread of short runs in time and of longer ones as a share', () => {
    const row = stability('v', [
      [answered('sat', 10, 1), answered('sat', 16, 1)],
      [answered('sat', 1000, 2), answered('sat', 1200, 3)],
      [timedOut(5000), timedOut(5000)],
    ]);
    expect(row).toMatchObject({
      formulas: 2,
      averageDifferenceMs: 103,
      maximalDifferenceMs: 200,
      steadyEffort: 0.5,
    });
    expect(row.noise.floorMs).toBe(6);
    expect(row.noise.relative).toBeCloseTo(200 / 1100, 10);
  });

  it('covers all versions with the largest noise, and is never zero', () => {
    const still = stability('v', [[answered('sat', 10), answered('sat', 10)]]).noise;
    expect(still).toEqual({ floorMs: 1, relative: 0.01 });
    expect(largestNoise([still, { floorMs: 0.5, relative: 0.2 }])).toEqual({ floorMs: 1, relative: 0.2 });
  });

  it('measures how much runs at once slow each other down', async () => {
    const runner = new FakeRunner((_, at) => answered('sat', at % 3 === 0 ? 100 : 130));
    expect(await measureSkew(runner, fakeVersion('a'), { formulas, repeats: 3, limits, workers: 2 })).toBe(
      1.3,
    );
  });
});
