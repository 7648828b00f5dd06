import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import {
  calibrate,
  largestNoise,
  measureSkew,
  publishedThresholdMs,
  stability,
} from '../../src/solver/measure/calibrate.js';
import { calibrateMachine } from '../../src/solver/measure/calibrate-machine.js';
import { readCalibration } from '../../src/solver/measure/calibration-file.js';
import { temporaryFolder } from '../temporary-folder.js';
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
    expect(row).toMatchObject({ maximalDifferenceMs: 200, steadyEffort: 0.5 });
    expect(row.noise.floorMs).toBe(6);
    expect(row.noise.relative).toBeCloseTo(200 / 1100, 10);
  });

  it('averages over all formulas as the paper does, and counts those that did not end', () => {
    const row = stability('v', [
      [answered('sat', 10, 1), answered('sat', 16, 1)],
      [answered('sat', 1000, 2), answered('sat', 1200, 3)],
      [timedOut(5000), timedOut(5000)],
      [answered('sat', 4000, 7), timedOut(5000)],
    ]);
    expect(row).toMatchObject({
      formulas: 4,
      averageMs: (13 + 1100 + 5000 + 4500) / 4,
      averageDifferenceMs: (6 + 200 + 0 + 1000) / 4,
      maximalDifferenceMs: 1000,
      unfinished: 2,
      neverFinished: 1,
      // Efforts of runs that were cut off are not comparable.
      steadyEffort: 0.5,
    });
    // One that ended once and not the next time is unsteady for sure.
    expect(row.noise.relative).toBeGreaterThan(200 / 1100);
    expect(publishedThresholdMs([row])).toBe(5000);
  });

  it('covers all versions with the largest noise, and is never zero', () => {
    const still = stability('v', [[answered('sat', 10), answered('sat', 10)]]).noise;
    expect(still).toEqual({ floorMs: 1, relative: 0.01 });
    expect(largestNoise([still, { floorMs: 0.5, relative: 0.2 }])).toEqual({ floorMs: 1, relative: 0.2 });
  });

  it('measures how much runs at once slow each other down', async () => {
    const runner = new FakeRunner((_, at) => answered('sat', at % 3 === 0 ? 100 : 130));
    const options = { formulas, repeats: 3, limits, workers: 2 };
    expect(await measureSkew(runner, fakeVersion('a'), options)).toEqual({
      factor: 1.3,
      formulas: 2,
      unfinished: 0,
    });
  });

  it('counts formulas that it can learn nothing more of, since a run was out of time', async () => {
    const options = { formulas, repeats: 3, limits, workers: 2 };
    // The second formula ends in time alone, and not beside others.
    const late = new FakeRunner((_, at) => (at === 10 ? timedOut(1000) : answered('sat', 100)));
    expect(await measureSkew(late, fakeVersion('a'), options)).toEqual({
      factor: 1,
      formulas: 2,
      unfinished: 1,
    });
    const never = new FakeRunner(() => timedOut(1000));
    expect(await measureSkew(never, fakeVersion('a'), options)).toEqual({
      factor: undefined,
      formulas: 2,
      unfinished: 2,
    });
  });
});

describe('the calibration of a machine', () => {
  const { CULPRIT_CACHE: before } = process.env;
  beforeEach(() => {
    process.env.CULPRIT_CACHE = temporaryFolder('calibration');
  });
  afterEach(() => {
    if (before === undefined) delete process.env.CULPRIT_CACHE;
    else process.env.CULPRIT_CACHE = before;
  });

  /** Where times of one formula differ so much. */
  const calibrated = (differenceMs: number, isForced?: boolean) =>
    calibrateMachine(
      new FakeRunner((_, at) => answered('sat', 10 + (at % 2) * differenceMs)),
      [fakeVersion('a')],
      { formulas, repeats: 2, limits, workers: 1, isForced },
    );

  it('is kept, of a busy machine as well where nothing else is known', async () => {
    expect(await calibrated(100)).toMatchObject({ isBusy: true, stays: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 100 });
    expect(await calibrated(90)).toMatchObject({ isBusy: true, stays: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 90 });
  });

  it('of an idle machine is replaced by that of another idle hour, and by a busy one only when asked', async () => {
    await calibrated(5);
    expect(await calibrated(7)).toMatchObject({ isBusy: false, stays: undefined });
    expect(await calibrated(100)).toMatchObject({ isBusy: true, stays: { noise: { floorMs: 7 } } });
    expect(await readCalibration()).toMatchObject({ floorMs: 7 });
    expect(await calibrated(100, true)).toMatchObject({ isBusy: true, stays: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 100 });
  });
});
