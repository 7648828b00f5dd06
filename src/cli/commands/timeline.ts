import { Command, Option } from 'commander';
import { measureTimelines, type NamedVersion, type Quickness, versionsBetween } from '../../history/index.js';
import { withSolvers } from '../../jobs/index.js';
import { Fault, limitsFor, usageFault } from '../../machine/index.js';
import { timelineHtml, timelineJson, timelineNextSteps, timelineText } from '../../report/index.js';
import {
  countArgument,
  differenceOf,
  durationArgument,
  memoryOption,
  seedArgument,
} from '../options/arguments.js';
import { formulaArgument, runnableFormulas } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { type ForceOption, mustBeWritable, putAndTell, withForceOption } from '../options/named-output.js';
import { builderRequest, type RecipeOptions, withRecipeOptions } from '../options/recipe-options.js';
import { versionsOf } from '../options/versions.js';
import { packageVersion } from '../package-version.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { orFail } from '../screen/failure.js';
import { codeOfEnd, interruptible } from '../screen/interrupt.js';
import { Parts, Progress } from '../screen/progress.js';
import { advise, ink, print, printJson, screenWidth, warn } from '../screen/terminal.js';

interface TimelineOptions extends RecipeOptions, ForceOption {
  readonly on?: string;
  readonly repo: string;
  readonly good?: string;
  readonly bad: string;
  readonly every: number;
  readonly by?: 'time' | 'effort';
  readonly quick?: boolean;
  readonly repeat?: number;
  readonly timeout?: number;
  readonly memory: number;
  readonly threshold?: string;
  readonly seed?: number;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit timeline`: cases on many versions. */
export function timelineCommand(): Command {
  return withForceOption(withRecipeOptions(new Command('timeline')))
    .argument('<formula...>', formulaArgument)
    .option('--on <versions>', 'versions, oldest first')
    .option('--repo <path>', 'git repository (read only), to measure commits instead of --on', '.')
    .option('--good <revision>', 'with --repo: the first commit')
    .option('--bad <revision>', 'with --repo: the last commit', 'HEAD')
    .option('--every <n>', 'measure every n-th commit, and both ends', countArgument, 100)
    .option(
      '--quick',
      'use unoptimised builds, compared by effort, the work that the solver counts itself (default if both are available)',
    )
    .option('--no-quick', 'use optimised builds, compared by time')
    .addOption(
      new Option('--by <measure>', 'measure to compare (default: time, with --quick effort)').choices([
        'time',
        'effort',
      ]),
    )
    .option('--repeat <n>', 'runs of each version (default: 3, or 1 if effort is compared)', countArgument)
    .option(
      '--timeout <time>',
      'processor time limit of a run (default: 10s, with --quick 30s)',
      durationArgument,
    )
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option(
      '--threshold <difference>',
      'smallest difference that counts: a time, or a number with --by effort (at least a fifth of the largest difference)',
    )
    .option('--seed <n>', 'random seed of the solver', seedArgument)
    .option('--html <file>', 'write the charts as one self-contained HTML page')
    .option('--json', 'print one JSON object per formula')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit timeline slow.smt2 --on z3@4.8.17,z3@4.12.2,z3@5.2.0\n' +
        '  $ culprit timeline slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8 --every 200',
    )
    .action(async (paths: string[], options: TimelineOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: TimelineOptions, signal: AbortSignal): Promise<number> {
  const formulas = orFail(runnableFormulas(paths));
  const { memory, seed, json, html } = options;
  await mustBeWritable(html, options);
  const progress = new Progress();
  try {
    const { versions, by, timeoutMs } = orFail(await namedVersions(options, progress, signal));
    const threshold = differenceOf(options.threshold, by === 'effort');
    if (by === 'time') await tellBusyCalibration(options);
    const repeat = options.repeat ?? (by === 'effort' ? 1 : usualRepeat);
    const there = versions.flatMap(({ version }) => (version instanceof Fault ? [] : [version]));
    tellLeftOut(formulas, there);
    progress.show('starting the solvers');
    const parts = new Parts<string>();
    const most = Math.max(1, repeat * there.length);
    let begun = 0;
    const timelines = await withSolvers(1, async (runner) => {
      await runner.prepare(there, signal);
      const measuring = progress.step({
        step: 'measuring',
        work: { total: formulas.length, what: 'formula' },
      });
      return measureTimelines(runner, {
        formulas,
        versions,
        by,
        repeat,
        limits: limitsFor(timeoutMs, memory),
        seed,
        threshold,
        signal,
        onRun: (formula, version) => {
          parts.set(formula, begun++ / most);
          measuring.show(parts.done, `${formula}  ${version}`);
        },
        onTimeline: (measured) => {
          parts.set(measured.name, 1);
          begun = 0;
          if (json) printJson('timeline', timelineJson(measured, by));
          else print(`${timelineText(measured, by, ink, screenWidth)}\n`);
        },
      });
    });
    if (html !== undefined) await putAndTell(html, timelineHtml(timelines, by, packageVersion), options);
    if (!signal.aborted) {
      const repo = options.good === undefined ? undefined : options.repo;
      if (!json) advise(...timelineNextSteps(timelines, by, repo, { timeoutMs, thresholdMs: threshold }));
      return 0;
    }
    warn('interrupted; these are the measurements until then');
    return codeOfEnd(signal);
  } finally {
    progress.clear();
  }
}

/** Times vary between runs; effort does not. */
const usualRepeat = 3;

/** The limit for versions that need no build. */
const usualTimeoutMs = 10_000;

/** The versions to compare, and the measure. */
interface Course extends Pick<Quickness, 'by' | 'timeoutMs'> {
  readonly versions: readonly NamedVersion[];
}

/** Named versions, or every n-th commit of a range. */
async function namedVersions(
  options: TimelineOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Course | Fault> {
  const { on, repo, good, bad, every, by, quick, timeout, threshold } = options;
  if (on !== undefined && good === undefined) {
    const named = await versionsOf(on, signal);
    if (named instanceof Fault) return named;
    const versions = named.map((version) => ({ name: version.name, version }));
    return { versions, by: by ?? 'time', timeoutMs: timeout ?? usualTimeoutMs };
  }
  if (on !== undefined || good === undefined)
    return usageFault('name versions with --on, or commits with --good and --bad');
  const built = await versionsBetween({
    repo,
    good,
    bad,
    every,
    builder: builderRequest(options),
    quickness: { isQuick: quick, by, hasThreshold: threshold !== undefined, timeoutMs: timeout },
    signal,
    onBuild: (at, total, commit) =>
      progress.follow({ step: 'building', done: at - 1, total, what: 'commit', at: commit }),
  });
  progress.clear();
  return built instanceof Fault ? built : { versions: built.versions, ...built.quickness };
}
