import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { localBuilds } from '../builds/index.js';
import {
  measurePoints,
  type NamedVersion,
  sampledCommits,
  sensitivityFor,
  type Timeline,
  timeline,
} from '../history/index.js';
import { Fault } from '../machine/index.js';
import { timelineHtml, timelineJson, timelineText } from '../report/index.js';
import { Repository } from '../repository/index.js';
import { LocalRunner, readCalibration } from '../solver/index.js';
import { countArgument, differenceOf, seedArgument, sizeOption, timeOption } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { interruptible } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { Progress } from './progress.js';
import { type RecipeOptions, recipeFrom, withRecipeOptions } from './recipe-options.js';
import { orFail, versionsOf } from './versions.js';

interface TimelineOptions extends RecipeOptions {
  readonly on?: string;
  readonly repo: string;
  readonly good?: string;
  readonly bad: string;
  readonly every: number;
  readonly by: 'time' | 'effort';
  readonly repeat: number;
  readonly timeout: number;
  readonly memory: number;
  readonly threshold?: string;
  readonly seed?: number;
  readonly html?: string;
  readonly json?: boolean;
}

/** `culprit timeline`: cases over many versions. */
export function timelineCommand(): Command {
  return withRecipeOptions(new Command('timeline'))
    .description('how slow formulas are from version to version, and where that changed')
    .argument('<formula...>', 'files, folders of .smt2 files, or - for standard input')
    .option('--on <versions>', 'versions, oldest first')
    .option('--repo <path>', 'instead of --on, commits of this repository; it is only read', '.')
    .option('--good <revision>', 'from this commit …')
    .option('--bad <revision>', '… to this one', 'HEAD')
    .option('--every <n>', 'one in so many commits, and both ends', countArgument, 100)
    .addOption(new Option('--by <measure>', 'what is compared').choices(['time', 'effort']).default('time'))
    .option('--repeat <n>', 'runs of each version', countArgument, 3)
    .addOption(timeOption('--timeout <time>', 'wall time a run may take', '10s'))
    .addOption(sizeOption('--memory <size>', 'memory a run may take', '2GB'))
    .option(
      '--threshold <difference>',
      'what counts: a time, or a number with --by effort; a fifth of the largest at least',
    )
    .option('--seed <n>', 'random seed of the solver', seedArgument)
    .option('--html <file>', 'write the charts as one page that needs nothing but itself')
    .option('--json', 'print one JSON object a formula')
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
  const formulas = inputsOf(paths).map((input) => {
    const formula = checkInput(input);
    if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
    if (!hasQuestion(formula.value))
      throw new CommandFailure(2, `${input.name} holds no check-sat: there is nothing to run`);
    return { name: input.name, formula: formula.value };
  });
  if ((options.on === undefined) === (options.good === undefined))
    throw new CommandFailure(2, 'name versions with --on, or commits with --good and --bad');
  const progress = new Progress();
  const runner = new LocalRunner({ workers: 1 });
  const { by, repeat, timeout, memory, seed } = options;
  const threshold = differenceOf(options.threshold, by === 'effort');
  try {
    const places = await placesOf(options, progress, signal);
    await runner.prepare(
      places.flatMap(({ version }) => (version instanceof Fault ? [] : [version])),
      signal,
    );
    const { relative } = await readCalibration();
    const lines: { name: string; line: Timeline }[] = [];
    for (const { name, formula } of formulas) {
      if (signal.aborted) break;
      const points = await measurePoints(runner, formula, places, {
        by,
        repeat,
        limits: { wallMs: timeout, memoryBytes: memory },
        seed,
        signal,
        onRun: (version) => progress.show(`${name}  ${version}`),
      });
      progress.clear();
      const line = timeline(points, sensitivityFor(by, { threshold, relativeNoise: relative }));
      lines.push({ name, line });
      const text = options.json ? JSON.stringify(timelineJson(name, line)) : timelineText(name, line, by);
      process.stdout.write(`${text}\n${options.json ? '' : '\n'}`);
    }
    if (options.html !== undefined) await writeFile(options.html, timelineHtml(lines, by, packageVersion));
    if (!signal.aborted) return 0;
    process.stderr.write('culprit: interrupted; this is what was measured until then\n');
    return 130;
  } finally {
    progress.clear();
    await runner.close();
  }
}

async function placesOf(
  options: TimelineOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<readonly NamedVersion[]> {
  if (options.on !== undefined) {
    const { versions, warnings } = await versionsOf(options.on, signal);
    for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
    return versions.map((version) => ({ name: version.name, version }));
  }
  const repository = orFail(await Repository.open(options.repo, signal));
  const good = orFail(await repository.resolve(options.good ?? '', signal));
  const bad = orFail(await repository.resolve(options.bad, signal));
  const places = orFail(
    await sampledCommits({
      repository,
      good,
      bad,
      every: options.every,
      builder: await recipeFrom(repository, bad, options, signal),
      builds: localBuilds(),
      jobs: availableParallelism(),
      signal,
      onBuild: (at, all, commit) => progress.show(`building ${commit}, ${at} of ${all}`),
    }),
  );
  progress.clear();
  return places;
}
