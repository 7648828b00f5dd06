/** How stable times are on this machine, measured and kept for every later comparison. */

import { defaultParameters, generate, Random, type Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import {
  type CalibrationOptions,
  calibrate,
  largestNoise,
  measureSkew,
  type VersionStability,
} from './calibrate.js';
import { machineName, writeCalibration } from './calibration-file.js';
import type { Noise } from './noise.js';

/** Random string formulas, the same for the same seed. */
export function randomFormulas(seed: number, many: number): readonly Script[] {
  const random = Random.fromSeed(seed);
  return Array.from({ length: many }, () => generate(random, defaultParameters));
}

export interface MachineOptions extends CalibrationOptions {
  /** Runs at once whose influence on each other is measured. */
  readonly workers: number;
  /** The same of the turns that show it. */
  readonly onTurn?: ((done: number, of: number) => void) | undefined;
}

export interface MachineCalibration {
  readonly versions: readonly VersionStability[];
  readonly noise: Noise;
  /** So many times as long as alone a run takes beside the others. */
  readonly skew: number;
  /** Times differ more than they do on an idle machine. */
  readonly isBusy: boolean;
  /** Where it is kept. */
  readonly path: string;
}

/** What the influence of runs on each other is measured with. */
const skewFormulas = 10;
const skewRepeats = 3;

/** An idle machine stays far below this. */
const busyNoise = 0.3;

export async function calibrateMachine(
  runner: Runner,
  versions: readonly [Version, ...Version[]],
  options: MachineOptions,
): Promise<MachineCalibration> {
  const stabilities = await calibrate(runner, versions, options);
  const skew = await measureSkew(runner, versions[0], {
    ...options,
    formulas: options.formulas.slice(0, skewFormulas),
    repeats: skewRepeats,
    onRun: options.onTurn,
  });
  const noise = largestNoise(stabilities.map((stability) => stability.noise));
  const path = await writeCalibration({
    machine: machineName(),
    measuredAt: new Date().toISOString(),
    noise,
    skew,
  });
  return { versions: stabilities, noise, skew, isBusy: noise.relative > busyNoise, path };
}
