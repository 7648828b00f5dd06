import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { beginCampaign, CampaignFolder } from '../campaign/index.js';
import {
  type Bisection,
  type BisectSettings,
  bisectLocally,
  bisectSettingsSchema,
  sensitivityFor,
} from '../history/index.js';
import { bisectionJson, bisectionText, duration, shellWord } from '../report/index.js';
import { type Line, Repository } from '../repository/index.js';
import { printScript } from '../smtlib/index.js';
import { readCalibration } from '../solver/index.js';
import { differenceOf, seedArgument, seedsArgument, sizeOption, timeOption } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { Progress } from './progress.js';
import { type RecipeOptions, recipeFrom, withRecipeOptions } from './recipe-options.js';
import { orFail } from './versions.js';

interface BisectOptions extends RecipeOptions {
  readonly repo: string;
  readonly good?: string;
  readonly bad: string;
  readonly line: Line;
  readonly measure?: string;
  readonly prints?: boolean;
  readonly by: 'time' | 'effort';
  readonly timeout: number;
  readonly memory: number;
  readonly threshold?: string;
  readonly confidence: number;
  readonly strategy: 'batch' | 'git-bisect';
  readonly seed?: number;
  readonly seeds?: readonly number[];
  readonly out?: string;
  readonly resume?: string;
  readonly json?: boolean;
}

/** `culprit bisect`: the commits that made cases slow. */
export function bisectCommand(): Command {
  return withRecipeOptions(new Command('bisect'))
    .description('find the commits that made formulas, or any command, slower: for all of them at once')
    .argument(
      '[case...]',
      'formulas, folders of them, or anything for a command after --: it sees {program} and {case}',
    )
    .option('--repo <path>', 'the git repository; it is only read', '.')
    .option('--good <revision>', 'a commit where the cases are quick')
    .option('--bad <revision>', 'a later commit where they are slow', 'HEAD')
    .addOption(
      new Option('--line <name>', 'look into what merges brought in, or take a merge as one commit')
        .choices(['all', 'first-parent'])
        .default('all'),
    )
    .option(
      '--measure <command>',
      "the command as one text for sh, such as '{program} < {case}'; instead of --",
    )
    .option('--prints', 'the last number the command prints is the measure, and not its time')
    .addOption(new Option('--by <measure>', 'what is compared').choices(['time', 'effort']).default('time'))
    .addOption(timeOption('--timeout <time>', 'wall time a run may take', '10s'))
    .addOption(sizeOption('--memory <size>', 'memory a run may take', '2GB'))
    .option(
      '--threshold <difference>',
      'what counts: a time, or a number for effort and what is printed; a fifth of the largest at least',
    )
    .option(
      '--confidence <share>',
      'how sure it must be that nothing is hidden where a case looks the same, such as 0.95',
      shareArgument,
      0,
    )
    .addOption(
      new Option('--strategy <name>', 'all cases at once, or one after the other as git bisect does')
        .choices(['batch', 'git-bisect'])
        .default('batch'),
    )
    .option('--seed <n>', 'random seed of the solver', seedArgument)
    .option(
      '--seeds <list>',
      'run each case under these at both ends, such as 1-30, and fix one under which it is slower',
      seedsArgument,
    )
    .option('--out <folder>', 'where what was measured is kept (default: bisections/ and the time)')
    .option('--resume <folder>', 'go on with a bisection')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit bisect slow.smt2 --repo ../z3 --good z3-4.8.7 --bad z3-4.8.8\n' +
        '  $ culprit bisect --good v1.0 --build make --binary tool -- {program} --input big.txt\n' +
        "  $ culprit bisect *.txt --good v1.0 --build make --binary tool --measure '{program} < {case}'",
    )
    .action(async (words: string[], options: BisectOptions) => {
      // Commander puts what follows -- behind the cases.
      const dashes = process.argv.indexOf('--');
      const after = dashes < 0 ? [] : process.argv.slice(dashes + 1);
      const cases = words.slice(0, words.length - after.length);
      process.exitCode = await interruptible((signal) =>
        run({ cases, command: commandFrom(after, options.measure) }, options, signal),
      );
    });
}

/** A text for the shell gets what it names as arguments, so that any name is taken as it is. */
function commandFrom(after: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return after;
  if (after.length > 0) throw new CommandFailure(2, 'say what to measure by --measure or after --, not both');
  const script = text.replaceAll('{program}', '"$1"').replaceAll('{case}', '"$2"');
  return [
    ...['sh', '-c', script, 'sh'],
    ...(text.includes('{program}') ? ['{program}'] : []),
    ...(text.includes('{case}') ? ['{case}'] : []),
  ];
}

function shareArgument(text: string): number {
  const share = Number(text);
  if (!(share >= 0 && share < 1))
    throw new CommandFailure(2, 'a confidence is a number from 0 up to 1, such as 0.95');
  return share;
}

/** What is measured: formulas, or a command, for each case if it names them by {case}. */
interface Asked {
  readonly cases: readonly string[];
  readonly command: readonly string[];
}

async function run(asked: Asked, options: BisectOptions, signal: AbortSignal): Promise<number> {
  const { folder, settings } =
    options.resume === undefined
      ? await begun(asked, options, signal)
      : orFail(await CampaignFolder.open(options.resume, bisectSettingsSchema, 'bisect'));
  const progress = new Progress();
  try {
    const found = orFail(
      await bisectLocally(folder, settings, {
        signal,
        resume: `culprit bisect --resume ${shellWord(folder.path)}`,
        onProgress: ({ looked, remaining, found: steps, leftMs, doing }) => {
          const left = leftMs === undefined ? '' : `, about ${duration(leftMs)}`;
          progress.show(`${looked} looked at, ${remaining} to go${left}; ${steps} steps found  ${doing}`);
        },
        onSeeded: ({ name, seeds }) =>
          progress.show(`${name}: slower under ${seeds?.slower.length} of ${seeds?.tried.length} seeds`),
      }),
    );
    progress.clear();
    await print(found.bisection, settings, options);
    return 0;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted) {
      error.isTold = true;
      process.stderr.write(
        `culprit: interrupted; go on with culprit bisect --resume ${shellWord(folder.path)}\n`,
      );
    }
    throw error;
  } finally {
    progress.clear();
  }
}

async function print(bisection: Bisection, settings: BisectSettings, options: BisectOptions): Promise<void> {
  const repository = orFail(await Repository.open(settings.repository));
  const ids = [...new Set(bisection.culprits.map((one) => one.commit))];
  const commits = new Map((await repository.commits(ids)).map((one) => [one.id, one]));
  const caseNames = settings.cases.map((one) => one.name);
  const by = settings.isPrinted ? 'printed' : settings.by;
  const report = { bisection, caseNames, commits, by, limitMs: settings.timeoutMs } as const;
  process.stdout.write(
    options.json ? `${JSON.stringify(bisectionJson(report))}\n` : `${bisectionText(report)}\n`,
  );
}

/** Writes down what is asked for, so that it can be gone on with. */
async function begun(
  { cases, command }: Asked,
  options: BisectOptions,
  signal: AbortSignal,
): Promise<{ folder: CampaignFolder; settings: BisectSettings }> {
  if (options.good === undefined)
    throw new CommandFailure(2, 'name a commit where the cases are quick: --good REV');
  if (command.length > 0 && options.by === 'effort')
    throw new CommandFailure(
      2,
      '--by effort is for formulas; a command can print a measure of its own: --prints',
    );
  if (command.length === 0 && options.prints)
    throw new CommandFailure(2, '--prints is for a command: --measure, or after --');
  if (command.length > 0 && !command.some((word) => word.includes('{program}')))
    throw new CommandFailure(2, 'the command that is measured runs what was built: it must name {program}');
  if (command.length > 0 && cases.length > 1 && !command.some((word) => word.includes('{case}')))
    throw new CommandFailure(
      2,
      'the command that is measured is the same for all cases: it must name {case}',
    );
  const repository = orFail(await Repository.open(options.repo, signal));
  const good = orFail(await repository.resolve(options.good, signal));
  const bad = orFail(await repository.resolve(options.bad, signal));
  orFail(await repository.line(good, bad, 'first-parent', signal));
  const { recipe, family } = await recipeFrom(repository, bad, options, signal);
  const { relative } = await readCalibration();
  const settings: BisectSettings = {
    format: 1,
    job: 'bisect',
    culprit: packageVersion,
    repository: resolve(options.repo),
    good,
    bad,
    line: options.line,
    recipe,
    cases: command.length === 0 ? formulaCases(cases, options) : commandCases(cases, command),
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(family === undefined ? {} : { family }),
    isPrinted: options.prints ?? false,
    by: options.by,
    timeoutMs: options.timeout,
    memoryBytes: options.memory,
    sensitivity: sensitivityFor(options.prints ? 'printed' : options.by, {
      threshold: differenceOf(options.threshold, options.prints || options.by === 'effort'),
      relativeNoise: relative,
    }),
    ...(options.seeds === undefined ? {} : { seeding: await seedingOf(options, command.length > 0) }),
    confidence: options.confidence,
    strategy: options.strategy,
  };
  const folder = orFail(await beginCampaign(options.out, 'bisections', settings));
  return { folder, settings };
}

async function seedingOf(
  { seeds = [], by, threshold, timeout }: BisectOptions,
  isCommand: boolean,
): Promise<BisectSettings['seeding']> {
  if (isCommand) throw new CommandFailure(2, '--seeds is for formulas; a command sets its own seed');
  const slowness = {
    noise: await readCalibration(),
    timeoutMs: timeout,
    ...(threshold === undefined || by === 'effort' ? {} : { thresholdMs: differenceOf(threshold, false) }),
  };
  return { seeds: [...seeds], slowness };
}

function formulaCases(words: readonly string[], { seed }: BisectOptions): BisectSettings['cases'] {
  return inputsOf(words).map((input) => {
    const formula = checkInput(input);
    if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
    if (!hasQuestion(formula.value))
      throw new CommandFailure(2, `${input.name} holds no check-sat: there is nothing to run`);
    return { name: input.name, text: printScript(formula.value), ...(seed === undefined ? {} : { seed }) };
  });
}

function commandCases(cases: readonly string[], command: readonly string[]): BisectSettings['cases'] {
  return cases.length === 0 ? [{ name: command.join(' ') }] : cases.map((name) => ({ name }));
}
