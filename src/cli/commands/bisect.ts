import { Command, Option } from 'commander';
import {
  type BegunBisection,
  type Bisection,
  type BisectSettings,
  beginBisection,
  bisectLocally,
  resumeBisection,
  shellCommand,
  standingOf,
} from '../../history/index.js';
import { explainCulprits } from '../../jobs/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import {
  bisectionJson,
  bisectionProgressText,
  bisectionReport,
  bisectionText,
  pageStep,
  trackerStep,
  triageStep,
} from '../../report/index.js';
import { type CommitLine, Repository } from '../../repository/index.js';
import { printScript } from '../../smtlib/index.js';
import {
  differenceOf,
  durationArgument,
  memoryOption,
  seedArgument,
  seedsArgument,
} from '../options/arguments.js';
import { runnableFormulas } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import { builderRequest, type RecipeOptions, withRecipeOptions } from '../options/recipe-options.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { printedNotes } from '../options/versions.js';
import { packageVersion } from '../package-version.js';
import { BisectWatch } from '../screen/bisect-progress.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { Interrupted, interruptible } from '../screen/interrupt.js';
import { explanationPrinter } from '../screen/print-culprits.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, screenWidth, tell, warn } from '../screen/terminal.js';

interface BisectOptions extends RecipeOptions, TrustOption {
  readonly repo: string;
  readonly good?: string;
  readonly bad: string;
  readonly line: CommitLine;
  readonly measure?: string;
  readonly prints?: boolean;
  readonly by?: 'time' | 'effort';
  readonly quick?: boolean;
  readonly whole?: boolean;
  readonly verify?: boolean;
  readonly timeout?: number;
  readonly memory: number;
  readonly threshold?: string;
  readonly confidence: number;
  readonly strategy: BisectSettings['strategy'];
  readonly seed?: number;
  readonly seeds?: readonly number[];
  readonly explain?: boolean;
  readonly out?: string;
  readonly resume?: string;
  readonly json?: boolean;
}

/** `culprit bisect`: the commits that made cases slow. */
export function bisectCommand(): Command {
  return withTrustOption(withRecipeOptions(new Command('bisect')))
    .argument(
      '[case...]',
      'formulas or folders of formulas; with a command after --, any names: the command gets {program} and {case}',
    )
    .option('--repo <path>', 'git repository (read only)', '.')
    .option('--good <revision>', 'a commit on which the cases are quick')
    .option('--bad <revision>', 'a later commit on which the cases are slow', 'HEAD')
    .addOption(
      new Option('--line <name>', 'search within merges, or treat a merge as one commit')
        .choices(['all', 'first-parent'])
        .default('all'),
    )
    .option(
      '--measure <command>',
      "shell command to measure, such as '{program} < {case}'; replaces the command after --",
    )
    .option('--prints', 'measure the last number that the command prints instead of its time')
    .option(
      '--quick',
      'use unoptimised builds, compared by effort, the work that the solver counts itself (default if both are available)',
    )
    .option('--no-quick', 'use optimised builds, compared by time')
    .option('--whole', 'with --quick: build all of each commit, including code that no case calls')
    .option('--verify', 'measure the culprits of quick builds again, by time on optimised builds')
    .addOption(
      new Option('--by <measure>', 'measure to compare (default: time, with --quick effort)').choices([
        'time',
        'effort',
      ]),
    )
    .option(
      '--timeout <time>',
      'processor time limit of a run (default: 10s, with --quick 30s)',
      durationArgument,
    )
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option(
      '--threshold <difference>',
      'smallest difference that counts: a time, or a number for effort and printed numbers (at least a fifth of the largest difference)',
    )
    .option(
      '--confidence <share>',
      'required probability that no slow period is missed between equal commits, such as 0.95',
      shareArgument,
      0,
    )
    .addOption(
      new Option(
        '--strategy <name>',
        "batch: all cases at once; sprfinder: SPRFinder's Algorithm 2 as published; git-bisect: one case after the other",
      )
        .choices(['batch', 'sprfinder', 'git-bisect'])
        .default('batch'),
    )
    .option('--seed <n>', 'random seed of the solver', seedArgument)
    .option(
      '--seeds <list>',
      'run each case under these random seeds at both ends, such as 1-30, and fix a seed under which it is slower',
      seedsArgument,
    )
    .option('--out <folder>', 'folder for all measurements (default: bisections/ and the current time)')
    .option(
      '--explain',
      'also name the changes within each culprit commit, and the functions that do more work since',
    )
    .option('--resume <folder>', 'resume a bisection')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit bisect slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8\n' +
        '  $ culprit bisect --good v1.0 --build make --binary tool -- {program} --input big.txt\n' +
        "  $ culprit bisect *.txt --good v1.0 --build make --binary tool --measure '{program} < {case}'",
    )
    .action(async (words: string[], options: BisectOptions) => {
      // Commander appends the words after -- to the cases.
      const dashes = process.argv.indexOf('--');
      const after = dashes < 0 ? [] : process.argv.slice(dashes + 1);
      const cases = words.slice(0, words.length - after.length);
      process.exitCode = await interruptible((signal) => run(cases, after, options, signal));
    });
}

function shareArgument(text: string): number {
  const share = Number(text);
  if (!(share >= 0 && share < 1))
    throw new CommandFailure(2, 'a confidence is a number from 0 up to 1, such as 0.95');
  return share;
}

/** @param after the words of the command after -- */
async function run(
  cases: readonly string[],
  after: readonly string[],
  options: BisectOptions,
  signal: AbortSignal,
): Promise<number> {
  const { folder, settings } = orFail(
    options.resume === undefined
      ? await begun(cases, after, options, signal)
      : await resumeBisection(options.resume, allowanceFor(options.resume, options)),
  );
  if (options.resume === undefined && settings.by === 'time' && !settings.isPrinted)
    await tellBusyCalibration(options);
  const resume = `culprit bisect --resume ${shellWord(folder.path)}`;
  const progress = new Progress();
  const watch = new BisectWatch(progress);
  try {
    const bisecting = bisectLocally(folder, settings, {
      signal,
      resume,
      onProgress: (state) => watch.show(state),
      onStage: (line) => watch.stage(line),
      onStep: (step) => watch.step(step),
      onSeeded: ({ name, seeds }) =>
        watch.stage(`${name}: slower under ${seeds?.slower.length} of ${seeds?.tried.length} seeds`),
    });
    // The settings now contain the limits and seeds that were found.
    const found = orFail(await bisecting.finally(() => progress.clear()));
    const repository = orFail(await Repository.open(settings.repository, signal));
    const report = orFail(await bisectionReport(found, repository, signal));
    if (options.json) printJson('bisect', bisectionJson(report));
    else print(`${bisectionText(report, ink, screenWidth)}${nextLines(found.bisection, folder.path)}`);
    if (options.explain)
      await explainCulprits(found, folder, packageVersion, {
        ...{ ...printedNotes(signal), ...explanationPrinter(progress, options.json ?? false) },
        onStep: (step) => progress.follow(step),
      });
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) {
      error.isTold = true;
      progress.clear();
      const standing = await standingOf(folder.path, async () => undefined, new AbortController().signal);
      if (!(standing instanceof Fault) && standing.looked.length > 1)
        for (const line of bisectionProgressText(standing).split('\n')) tell(line);
      warn(`interrupted; resume with ${resume}`);
    }
    throw error;
  }
}

function nextLines({ culprits }: Bisection, path: string): string {
  if (culprits.length === 0) return '';
  return ['\n', triageStep(path), trackerStep(path), pageStep(path)].join('\n');
}

async function begun(
  words: readonly string[],
  after: readonly string[],
  options: BisectOptions,
  signal: AbortSignal,
): Promise<BegunBisection | Fault> {
  const {
    measure,
    repo,
    good,
    bad,
    line,
    by,
    quick,
    whole,
    verify,
    timeout,
    memory,
    confidence,
    strategy,
    seed,
    seeds,
    out,
  } = options;
  const { prints: isPrinted = false } = options;
  if (measure !== undefined && after.length > 0)
    return usageFault('say what to measure by --measure or after --, not both');
  const command = measure === undefined ? after : shellCommand(measure);
  const cases = command.length === 0 ? formulaCases(words) : words.map((name) => ({ name }));
  if (cases instanceof Fault) return cases;
  return beginBisection({
    culprit: packageVersion,
    cases,
    command,
    written: measure,
    repo,
    good,
    bad,
    line,
    builder: builderRequest(options),
    isPrinted,
    by,
    isQuick: quick,
    isWhole: whole,
    verifies: verify,
    timeoutMs: timeout,
    memoryBytes: memory,
    threshold: differenceOf(options.threshold, isPrinted || by === 'effort'),
    confidence,
    strategy,
    seed,
    seeds,
    out,
    signal,
  });
}

function formulaCases(paths: readonly string[]): readonly { name: string; text: string }[] | Fault {
  const formulas = runnableFormulas(paths);
  if (formulas instanceof Fault) return formulas;
  tellLeftOut(formulas);
  return formulas.map(({ name, formula }) => ({ name, text: printScript(formula) }));
}
