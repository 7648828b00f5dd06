import { Command, Option } from 'commander';
import { limitsFor } from '../../machine/index.js';
import { counted, duration } from '../../page/index.js';
import { noiseText, stabilityTable, unfinishedNotes } from '../../report/index.js';
import {
  calibrateMachine,
  openRunner,
  paperSlowness,
  publishedThresholdMs,
  randomFormulas,
  type Skew,
  safetyFactor,
  thresholdMs,
} from '../../solver/index.js';
import { publishedNoise, publishedNoiseSize } from '../../study/index.js';
import { countArgument, durationArgument, seedArgument } from '../options/arguments.js';
import { embeddedVersions, versionsOf } from '../options/versions.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { advise, ink, print, printJson, screenWidth, warn } from '../screen/terminal.js';

interface CalibrateOptions {
  readonly on: string;
  readonly formulas?: number;
  readonly repeat?: number;
  readonly timeout?: number;
  readonly preset?: 'paper';
  readonly seed: number;
  readonly workers: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

const usual = { formulas: 30, repeats: 5, timeoutMs: 2000 } as const;
const asPublished = { ...publishedNoiseSize, timeoutMs: paperSlowness.timeoutMs } as const;

/** `culprit calibrate`: SPRFinder's Table 1 for this machine, and the threshold for all later comparisons. */
export function calibrateCommand(): Command {
  return new Command('calibrate')
    .option('--on <versions>', 'versions to measure with', embeddedVersions)
    .option('--formulas <n>', `number of random string formulas (default: ${usual.formulas})`, countArgument)
    .option('--repeat <n>', `runs of each formula (default: ${usual.repeats})`, countArgument)
    .option(
      '--timeout <time>',
      `processor time limit of a run (default: ${usual.timeoutMs / 1000}s)`,
      durationArgument,
    )
    .addOption(
      new Option('--preset <name>', 'paper: 500 formulas, 10 runs of each, 20 s; some hours').choices([
        'paper',
      ]),
    )
    .option('--seed <n>', 'random seed of the formulas', seedArgument, 1)
    .option(
      '--workers <n>',
      'number of parallel runs whose influence on each other is measured',
      countArgument,
      2,
    )
    .option('--force', 'store the calibration even if the machine is busier than at the last one')
    .option('--json', 'print the result as JSON')
    .action(async (options: CalibrateOptions) => {
      await interruptible((signal) => measure(options, signal));
    });
}

async function measure(options: CalibrateOptions, signal: AbortSignal): Promise<void> {
  const { on, preset, seed, workers, json } = options;
  const size = preset === 'paper' ? asPublished : usual;
  const { formulas = size.formulas, repeat = size.repeats, timeout = size.timeoutMs } = options;
  const [first, ...others] = orFail(await versionsOf(on, signal));
  if (first === undefined) throw new CommandFailure(2, 'no version was named: --on VERSION');
  const runner = openRunner({ workers });
  const progress = new Progress();
  try {
    progress.show('starting the solvers');
    await runner.prepare([first, ...others], signal);
    const {
      versions,
      noise,
      skew,
      isBusy,
      keptCalibration: stays,
      path,
    } = await calibrateMachine(runner, [first, ...others], {
      formulas: randomFormulas(seed, formulas),
      repeats: repeat,
      limits: limitsFor(timeout),
      workers,
      isForced: options.force,
      signal,
      onRun: (done, total) => progress.follow({ step: 'step 1 of 2, alone', done, total, what: 'run' }),
      onTurn: (done, total) =>
        progress.follow({ step: `step 2 of 2, ${workers} at once`, done, total, what: 'turn' }),
    });
    progress.clear();
    if (json) {
      printJson('calibrate', {
        versions,
        noise,
        skew: skew.factor ?? 1,
        skewFormulas: skew.formulas,
        skewUnfinished: skew.unfinished,
        isBusy,
        isKept: stays === undefined,
        safetyFactor,
        publishedThresholdMs: publishedThresholdMs(versions),
        path,
      });
      return;
    }
    print(
      `${stabilityTable([...versions, ...publishedNoise], ink, screenWidth)}\n` +
        `By the paper's rule, ${safetyFactor} times the largest difference of all formulas, ` +
        `slower would mean by ${duration(publishedThresholdMs(versions))}.\n` +
        `By the usual difference, which all but one formula in twenty stay under: a run is slower for sure from ${duration(thresholdMs(noise, 0))} on, ` +
        `${duration(thresholdMs(noise, 1000))} for runs of one second.\n` +
        `${skewSentence(skew, workers)}\n` +
        (stays === undefined
          ? `Kept in ${path}.`
          : `Not kept: what was measured on ${stays.measuredAt.slice(0, 10)} stays in ${path} (${noiseText(stays.noise)}).`),
    );
    for (const note of unfinishedNotes(versions)) warn(note);
    if (isBusy)
      warn(
        `times differ so much that the machine was busy with something else; calibrate again when it is idle${
          stays === undefined ? '' : ', or --force keeps them all the same'
        }`,
      );
    else advise('Look for what got slower: culprit hunt');
  } finally {
    progress.clear();
    await runner.close();
  }
}

/** The influence of parallel runs on each other, and the measurements without it. */
function skewSentence({ factor, formulas, unfinished }: Skew, workers: number): string {
  const late = `${unfinished} of ${counted(formulas, 'formula')} did not always end in time`;
  if (factor === undefined)
    return `How ${workers} runs at once slow each other down was not measured: ${late}.`;
  const left =
    unfinished === 0 ? '' : `; ${late}, and ${unfinished === 1 ? 'is' : 'are'} left out from there on`;
  return `With ${workers} runs at once each takes ${factor.toFixed(2)} times as long as alone${left}.`;
}
