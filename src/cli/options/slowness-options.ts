/** What counts as slower, as a user asks for it; the same words for every command that hunts or confirms. */

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

/** More hosts of an embedded solver than this would want more memory than most machines can spare. */
const mostUsualWorkers = 8;

/** @param usualTimeout how long a run may take where nothing else says so, as a user would write it */
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

/** A preset, a threshold of the user's own, or the machine's. */
export function slownessRequest({
  preset,
  threshold,
  timeout,
}: Omit<SlownessOptions, 'memory' | 'workers'>): SlownessRequest {
  return { preset, thresholdMs: threshold, timeoutMs: timeout };
}
