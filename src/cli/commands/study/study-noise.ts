import { Command } from 'commander';
import { withSolvers } from '../../../jobs/index.js';
import { limitsFor } from '../../../machine/index.js';
import { shellWord } from '../../../page/index.js';
import { stabilityTable, unfinishedNotes } from '../../../report/index.js';
import { calibrate, randomFormulas } from '../../../solver/index.js';
import { publishedNoise, publishedNoiseSize } from '../../../study/index.js';
import { countArgument, seedArgument, timeOption } from '../../options/arguments.js';
import { embeddedVersions, versionsOf } from '../../options/versions.js';
import { orFail } from '../../screen/failure.js';
import { interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { advise, ink, print, printJson, screenWidth, warn } from '../../screen/terminal.js';

interface NoiseOptions {
  readonly on: string;
  readonly formulas: number;
  readonly repeat: number;
  readonly timeout: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** `culprit study noise`: the stability of times (SPRFinder, Table 1). */
export function studyNoiseCommand(): Command {
  return new Command('noise')
    .description('how stable the times of one version are: SPRFinder, Table 1')
    .option('--on <versions>', 'versions to measure', embeddedVersions)
    .option('--formulas <n>', 'number of random string formulas', countArgument, publishedNoiseSize.formulas)
    .option('--repeat <n>', 'runs of each formula', countArgument, publishedNoiseSize.repeats)
    .addOption(timeOption('--timeout <time>', 'processor time limit of a run', '20s'))
    .option('--seed <n>', 'random seed of the formulas', seedArgument, 1)
    .option('--json', 'print the result as JSON')
    .action(async (options: NoiseOptions) => {
      await interruptible((signal) => study(options, signal));
    });
}

async function study(options: NoiseOptions, signal: AbortSignal): Promise<void> {
  const versions = orFail(await versionsOf(options.on, signal));
  const progress = new Progress();
  try {
    progress.show('starting the solvers');
    const stabilities = await withSolvers(undefined, async (runner) => {
      await runner.prepare(versions, signal);
      return calibrate(runner, versions, {
        formulas: randomFormulas(options.seed, options.formulas),
        repeats: options.repeat,
        limits: limitsFor(options.timeout),
        signal,
        onRun: (done, total) => progress.follow({ step: 'measuring', done, total, what: 'run' }),
      });
    });
    progress.clear();
    if (options.json) {
      printJson('study-noise', { versions: stabilities, published: publishedNoise });
      return;
    }
    print(stabilityTable([...stabilities, ...publishedNoise], ink, screenWidth));
    for (const note of unfinishedNotes(stabilities)) warn(note);
    advise(
      `Keep the threshold that follows for this machine: culprit calibrate --on ${shellWord(options.on)}`,
    );
  } finally {
    progress.clear();
  }
}
