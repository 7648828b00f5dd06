/** The options that define a slowdown, the same for every command that hunts or confirms. */

import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import type { SlownessRequest } from '../../solver/index.js';
import { durationArgument, memoryOption, workersArgument } from './arguments.js';

export interface SlownessOptions {
  readonly threshold?: number;
  readonly timeout?: number;
  readonly preset?: 'paper';
  readonly memory: number;
  readonly workers: number;
}

/** More hosts of an embedded solver need more memory than most machines have. */
const mostUsualWorkers = 8;

/** @param usualTimeout the default time limit in the user's notation */
export function withSlownessOptions(command: Command, usualTimeout = '2s'): Command {
  return command
    .option(
      '--threshold <time>',
      'smallest difference that counts (default: calibrated to the machine)',
      durationArgument,
    )
    .option(
      '--timeout <time>',
      `processor time limit of a run (default: twice the threshold, or ${usualTimeout})`,
      durationArgument,
    )
    .addOption(
      new Option('--preset <name>', 'paper: a threshold of 10 s and a limit of 20 s').choices(['paper']),
    )
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .addOption(
      new Option('--workers <n>', 'number of formulas measured at once')
        .argParser(workersArgument)
        .default(
          Math.min(availableParallelism(), mostUsualWorkers),
          `one per processor, ${mostUsualWorkers} at most`,
        ),
    );
}

/** A preset, the user's threshold, or the calibrated one. */
export function slownessRequest({
  preset,
  threshold,
  timeout,
}: Omit<SlownessOptions, 'memory' | 'workers'>): SlownessRequest {
  return { preset, thresholdMs: threshold, timeoutMs: timeout };
}
