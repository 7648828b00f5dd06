/** How stable times are on this machine, measured and kept for every later comparison. */

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
  keptCalibration,
  machineName,
  writeCalibration,
} from './calibration-file.js';
import { isBusyNoise, type Noise } from './noise.js';

/** Random string formulas, the same for the same seed. */
export function randomFormulas(seed: number, many: number): readonly Script[] {
  const random = Random.fromSeed(seed);
  return Array.from({ length: many }, () => generate(random, defaultParameters));
}

export interface MachineOptions extends CalibrationOptions {
  /** Runs at once whose influence on each other is measured. */
  readonly workers: number;
  /** Kept, whatever the machine was busy with and whatever is known of it already. */
  readonly isForced?: boolean | undefined;
  /** The same of the turns that show it. */
  readonly onTurn?: ((done: number, of: number) => void) | undefined;
}

export interface MachineCalibration {
  readonly versions: readonly VersionStability[];
  readonly noise: Noise;
  readonly skew: Skew;
  /** Times differ more than they do on an idle machine. */
  readonly isBusy: boolean;
  /** The earlier measurement, of an idle machine, that is kept in place of this one, of a busy one. */
  readonly stays: Calibration | undefined;
  /** Where what is kept is. */
  readonly path: string;
}

/** What the influence of runs on each other is measured with. */
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
  const stays = isBusy && !options.isForced ? quietCalibration() : undefined;
  const path =
    stays === undefined
      ? await writeCalibration({
          machine: machineName(),
          measuredAt: new Date().toISOString(),
          noise,
          skew: skew.factor ?? 1,
        })
      : calibrationPath();
  return { versions: stabilities, noise, skew, isBusy, stays, path };
}

/** What is known of this machine from a time when it was idle. */
function quietCalibration(): Calibration | undefined {
  const kept = keptCalibration();
  return kept === undefined || isBusyNoise(kept.noise) ? undefined : kept;
}
