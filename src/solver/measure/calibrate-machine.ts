/** Measures how stable times are on this machine, and stores the result for later comparisons. */

import { Random } from '../../machine/index.js';
import { defaultParameters, generate, type Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import {
  type CalibrationOptions,
  calibrate,
  largestNoise,
  measureSkew,
  type Skew,
  type VersionStability,
} from './calibrate.js';
import {
  type Calibration,
  calibrationPath,
  machineName,
  storedCalibration,
  writeCalibration,
} from './calibration-file.js';
import { isBusyNoise, type Noise } from './noise.js';

/** Random string formulas, determined by the seed. */
export function randomFormulas(seed: number, many: number): readonly Script[] {
  const random = Random.fromSeed(seed);
  return Array.from({ length: many }, () => generate(random, defaultParameters));
}

export interface MachineOptions extends CalibrationOptions {
  /** Number of concurrent runs whose mutual influence is measured. */
  readonly workers: number;
  /** Store the result, even if the machine was busy or has a better calibration. */
  readonly isForced?: boolean | undefined;
  readonly onTurn?: ((done: number, of: number) => void) | undefined;
}

export interface MachineCalibration {
  readonly versions: readonly VersionStability[];
  readonly noise: Noise;
  readonly skew: Skew;
  readonly isBusy: boolean;
  /** The earlier calibration of the idle machine, which is not replaced by one of the busy machine. */
  readonly keptCalibration: Calibration | undefined;
  readonly path: string;
}

const skewFormulas = 10;
const skewRepeats = 3;

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
  const isBusy = isBusyNoise(noise);
  const keptCalibration = isBusy && !options.isForced ? idleCalibration() : undefined;
  const path =
    keptCalibration === undefined
      ? await writeCalibration({
          machine: machineName(),
          measuredAt: new Date().toISOString(),
          noise,
          skew: skew.factor ?? 1,
        })
      : calibrationPath();
  return { versions: stabilities, noise, skew, isBusy, keptCalibration, path };
}

/** The stored calibration, if the machine was idle then. */
function idleCalibration(): Calibration | undefined {
  const kept = storedCalibration();
  return kept === undefined || isBusyNoise(kept.noise) ? undefined : kept;
}
