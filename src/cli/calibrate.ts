import { Command } from 'commander';
import { duration, stabilityTable } from '../report/index.js';
import { defaultParameters, generate, Random } from '../smtlib/index.js';
import {
  calibrate,
  largestNoise,
  machineName,
  measureSkew,
  openRunner,
  safetyFactor,
  thresholdMs,
  type Version,
  writeCalibration,
} from '../solver/index.js';
import { countArgument, seedArgument, timeOption } from './arguments.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { versionsOf } from './versions.js';

/** An idle machine stays far below this. */
const busyNoise = 0.3;

interface CalibrateOptions {
  readonly on: string;
  readonly formulas: number;
  readonly repeat: number;
  readonly timeout: number;
  readonly seed: number;
  readonly workers: number;
  readonly json?: boolean;
}

/** `culprit calibrate`: SPRFinder's Table 1 for this machine, and the threshold every comparison uses from then on. */
export function calibrateCommand(): Command {
  return new Command('calibrate')
    .description('measure how stable times are on this machine and keep the threshold that follows')
    .option('--on <versions>', 'versions to measure with', 'z3@4.8.17,z3@5.2.0')
    .option('--formulas <n>', 'random string formulas (the paper has 500)', countArgument, 30)
    .option('--repeat <n>', 'runs of each (the paper has 10)', countArgument, 5)
    .addOption(timeOption('--timeout <time>', 'wall time a run may take', '2s'))
    .option('--seed <n>', 'seed of the formulas', seedArgument, 1)
    .option('--workers <n>', 'runs at once whose influence on each other is measured', countArgument, 2)
    .option('--json', 'print JSON')
    .action(async (options: CalibrateOptions) => {
      await interruptible((signal) => measure(options, signal));
    });
}

async function measure(options: CalibrateOptions, signal: AbortSignal): Promise<void> {
  const { versions, warnings } = await versionsOf(options.on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  const random = Random.fromSeed(options.seed);
  const formulas = Array.from({ length: options.formulas }, () => generate(random, defaultParameters));
  const runner = openRunner({ workers: options.workers });
  const progress = new Progress();
  try {
    await runner.prepare(versions, signal);
    const settings = { formulas, repeats: options.repeat, limits: { wallMs: options.timeout }, signal };
    const stabilities = await calibrate(runner, versions, {
      ...settings,
      onFormula: (done, of) => progress.show(`formula ${done} of ${of}`),
    });
    progress.show(`${options.workers} runs at once`);
    const skew = await measureSkew(runner, versions[0] as Version, {
      ...settings,
      formulas: formulas.slice(0, 10),
      repeats: 3,
      workers: options.workers,
    });
    const noise = largestNoise(stabilities.map((one) => one.noise));
    const path = await writeCalibration({
      machine: machineName(),
      measuredAt: new Date().toISOString(),
      noise,
      skew,
    });
    progress.clear();
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ versions: stabilities, noise, skew, safetyFactor, path })}\n`);
      return;
    }
    process.stdout.write(`${stabilityTable(stabilities)}\n`);
    process.stdout.write(
      `A run is slower for sure from ${duration(thresholdMs(noise, 0))} on, ` +
        `${duration(thresholdMs(noise, 1000))} for runs of one second.\n` +
        `With ${options.workers} runs at once each takes ${skew.toFixed(2)} times as long as alone.\n` +
        `Kept in ${path}.\n`,
    );
    if (noise.relative > busyNoise) {
      process.stderr.write(
        'culprit: times differ so much that the machine was busy with something else; calibrate again when it is idle\n',
      );
    }
  } finally {
    progress.clear();
    await runner.close();
  }
}
