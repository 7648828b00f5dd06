import { Command } from 'commander';
import { duration, stabilityTable } from '../report/index.js';
import {
  calibrateMachine,
  limitsFor,
  openRunner,
  randomFormulas,
  safetyFactor,
  thresholdMs,
} from '../solver/index.js';
import { countArgument, seedArgument, timeOption } from './arguments.js';
import { CommandFailure, orFail } from './failure.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { print, printJson, warn } from './terminal.js';
import { versionsOf } from './versions.js';

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
    .addOption(timeOption('--timeout <time>', 'processor time a run may take', '2s'))
    .option('--seed <n>', 'seed of the formulas', seedArgument, 1)
    .option('--workers <n>', 'runs at once whose influence on each other is measured', countArgument, 2)
    .option('--json', 'print JSON')
    .action(async (options: CalibrateOptions) => {
      await interruptible((signal) => measure(options, signal));
    });
}

async function measure(options: CalibrateOptions, signal: AbortSignal): Promise<void> {
  const { on, formulas, repeat, timeout, seed, workers, json } = options;
  const [first, ...others] = orFail(await versionsOf(on, signal));
  if (first === undefined) throw new CommandFailure(2, 'no version was named: --on VERSION');
  const runner = openRunner({ workers });
  const progress = new Progress();
  try {
    await runner.prepare([first, ...others], signal);
    const { versions, noise, skew, isBusy, path } = await calibrateMachine(runner, [first, ...others], {
      formulas: randomFormulas(seed, formulas),
      repeats: repeat,
      limits: limitsFor(timeout),
      workers,
      signal,
      onFormula: (done, of) => progress.show(`formula ${done} of ${of}`),
      onSkew: () => progress.show(`${workers} runs at once`),
    });
    progress.clear();
    if (json) {
      printJson({ versions, noise, skew, safetyFactor, path });
      return;
    }
    print(
      `${stabilityTable(versions)}\n` +
        `A run is slower for sure from ${duration(thresholdMs(noise, 0))} on, ` +
        `${duration(thresholdMs(noise, 1000))} for runs of one second.\n` +
        `With ${workers} runs at once each takes ${skew.toFixed(2)} times as long as alone.\n` +
        `Kept in ${path}.`,
    );
    if (isBusy)
      warn(
        'times differ so much that the machine was busy with something else; calibrate again when it is idle',
      );
  } finally {
    progress.clear();
    await runner.close();
  }
}
