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
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';

const formulas = ['(assert true)(check-sat)', '(assert false)(check-sat)'].map((text) => parseScript(text));
const limits = { wallMs: 1000 };

describe('calibrate', () => {
  it('runs every formula on every version in turns', async () => {
    const runner = new SimulatedRunner(() => ended('sat', 10, 5));
    const versions = [simulatedVersion('a'), simulatedVersion('b')];
    const rows = await calibrate(runner, versions, { formulas, repeats: 2, limits });
    expect(runner.requests.map(({ version }) => version.name).join('')).toBe('abababab');
    expect(rows.map((row) => [row.version, row.formulas, row.steadyEffort])).toEqual([
      ['a', 2, 1],
      ['b', 2, 1],
    ]);
  });

  it('measures the spread of short runs in milliseconds and of longer runs as a share', () => {
    const row = stability('v', [
      [ended('sat', 10, 1), ended('sat', 16, 1)],
      [ended('sat', 1000, 2), ended('sat', 1200, 3)],
      [timedOut(5000), timedOut(5000)],
    ]);
    expect(row).toMatchObject({ maximalDifferenceMs: 200, steadyEffort: 0.5 });
    expect(row.noise.floorMs).toBe(6);
    expect(row.noise.relative).toBeCloseTo(200 / 1100, 10);
  });

  it('averages over all formulas like the paper, and counts formulas that timed out', () => {
    const row = stability('v', [
      [ended('sat', 10, 1), ended('sat', 16, 1)],
      [ended('sat', 1000, 2), ended('sat', 1200, 3)],
      [timedOut(5000), timedOut(5000)],
      [ended('sat', 4000, 7), timedOut(5000)],
    ]);
    expect(row).toMatchObject({
      formulas: 4,
      averageMs: (13 + 1100 + 5000 + 4500) / 4,
      averageDifferenceMs: (6 + 200 + 0 + 1000) / 4,
      maximalDifferenceMs: 1000,
      unfinished: 2,
      neverFinished: 1,
      // Efforts of timed-out runs are not comparable.
      steadyEffort: 0.5,
    });
    // A formula that timed out only once is certainly unsteady.
    expect(row.noise.relative).toBeGreaterThan(200 / 1100);
    expect(publishedThresholdMs([row])).toBe(5000);
  });

  it('takes the largest noise of all versions, which is never zero', () => {
    const still = stability('v', [[ended('sat', 10), ended('sat', 10)]]).noise;
    expect(still).toEqual({ floorMs: 1, relative: 0.01 });
    expect(largestNoise([still, { floorMs: 0.5, relative: 0.2 }])).toEqual({ floorMs: 1, relative: 0.2 });
  });

  it('measures how much concurrent runs slow each other down', async () => {
    const runner = new SimulatedRunner((_, at) => ended('sat', at % 3 === 0 ? 100 : 130));
    const options = { formulas, repeats: 3, limits, workers: 2 };
    expect(await measureSkew(runner, simulatedVersion('a'), options)).toEqual({
      factor: 1.3,
      formulas: 2,
      unfinished: 0,
    });
  });

  it('counts formulas that add nothing because a run timed out', async () => {
    const options = { formulas, repeats: 3, limits, workers: 2 };
    // Alone the second formula finishes, concurrently it times out.
    const late = new SimulatedRunner((_, at) => (at === 10 ? timedOut(1000) : ended('sat', 100)));
    expect(await measureSkew(late, simulatedVersion('a'), options)).toEqual({
      factor: 1,
      formulas: 2,
      unfinished: 1,
    });
    const never = new SimulatedRunner(() => timedOut(1000));
    expect(await measureSkew(never, simulatedVersion('a'), options)).toEqual({
      factor: undefined,
      formulas: 2,
      unfinished: 2,
    });
  });
});

describe('calibrateMachine', () => {
  const { CULPRIT_CACHE: before } = process.env;
  beforeEach(() => {
    process.env.CULPRIT_CACHE = temporaryFolder('calibration');
  });
  afterEach(() => {
    if (before === undefined) delete process.env.CULPRIT_CACHE;
    else process.env.CULPRIT_CACHE = before;
  });

  /** The busy machine: times of one formula differ this much. */
  const calibrated = (differenceMs: number, isForced?: boolean) =>
    calibrateMachine(
      new SimulatedRunner((_, at) => ended('sat', 10 + (at % 2) * differenceMs)),
      [simulatedVersion('a')],
      { formulas, repeats: 2, limits, workers: 1, isForced },
    );

  it('stores a calibration of a busy machine if there is no other', async () => {
    expect(await calibrated(100)).toMatchObject({ isBusy: true, keptCalibration: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 100 });
    expect(await calibrated(90)).toMatchObject({ isBusy: true, keptCalibration: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 90 });
  });

  it('replaces a calibration of the idle machine by another one, but by one of the busy machine only if forced', async () => {
    await calibrated(5);
    expect(await calibrated(7)).toMatchObject({ isBusy: false, keptCalibration: undefined });
    expect(await calibrated(100)).toMatchObject({ isBusy: true, keptCalibration: { noise: { floorMs: 7 } } });
    expect(await readCalibration()).toMatchObject({ floorMs: 7 });
    expect(await calibrated(100, true)).toMatchObject({ isBusy: true, keptCalibration: undefined });
    expect(await readCalibration()).toMatchObject({ floorMs: 100 });
  });
});
