import { Command } from 'commander';
import { CoverageRunner, type Executable } from '../coverage/index.js';
import { Fault } from '../machine/index.js';
import { type CoverageView, coverageJson } from '../report/index.js';
import { limitsFor, type Version } from '../solver/index.js';
import { memoryOption, timeOption } from './arguments.js';
import { coverBuilds, type UserBuildOptions } from './coverage-builds.js';
import { type CoverageForms, mustBeForms, putForms } from './coverage-forms.js';
import { CommandFailure, exitCodeOf, orFail } from './failure.js';
import { formulaArgument, inputsOf, runnableFormula } from './inputs.js';
import { interruptible } from './interrupt.js';
import { withForceOption } from './named-output.js';
import { Progress } from './progress.js';
import { printJson, tell, warn } from './terminal.js';
import { embeddedNewest, versionsOf } from './versions.js';

interface CoverageOptions extends CoverageForms, UserBuildOptions {
  readonly on: string;
  readonly timeout: number;
  readonly memory: number;
}

/** `culprit coverage`: what a run executed, and what only one of two did. */
export function coverageCommand(): Command {
  return withForceOption(new Command('coverage'))
    .argument('[formula...]', formulaArgument)
    .option(
      '--on <versions>',
      'versions that count what they execute: embedded ones count calls, git:REPOSITORY@REVISION?coverage counts lines',
      embeddedNewest,
    )
    .option(
      '--gcov <folder>',
      'instead of formulas, what ran of a build by gcc --coverage: .gcno and .gcda files',
    )
    .option('--sources <folder...>', 'the folder with the sources of such a build; for two builds one or two')
    .option(
      '--against <other>',
      'what this formula executes is compared with what the others do; with --gcov another such folder',
    )
    .addOption(timeOption('--timeout <time>', 'processor time a run may take', '10s'))
    .addOption(memoryOption('--memory <size>', 'memory a run may take', '2GB'))
    .option(
      '--html <file>',
      'write a page with the source of one run or two as a heat map; - for standard output',
    )
    .option('--lcov <file>', "write the lines for other tools, in lcov's format")
    .option('--json', 'print one JSON object per run')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit coverage slow.smt2 --on z3@4.8.17,z3@5.2.0\n' +
        '  $ culprit coverage slow.smt2 --against quick.smt2 --on git:../z3@z3-4.8.10?coverage --html heat.html\n' +
        '  $ culprit coverage --gcov build-slow --against build-quick',
    )
    .action(async (paths: string[], options: CoverageOptions) => {
      process.exitCode = await interruptible((signal) => coverAsked(paths, options, signal));
    });
}

function coverAsked(
  paths: readonly string[],
  options: CoverageOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.gcov === undefined) {
    if (options.sources !== undefined)
      throw new CommandFailure(2, '--sources belongs to --gcov: commits know their own sources');
    if (paths.length === 0)
      throw new CommandFailure(
        2,
        'there is nothing to look at: name formulas, or a build with --gcov FOLDER',
      );
    return coverFormulas(paths, options, signal);
  }
  if (paths.length > 0)
    throw new CommandFailure(2, 'formulas are run, and a build with --gcov is read: name one of the two');
  return coverBuilds(options.gcov, options, signal);
}

async function coverFormulas(
  paths: readonly string[],
  options: CoverageOptions,
  signal: AbortSignal,
): Promise<number> {
  const { against, timeout, memory, json } = options;
  const inputs = orFail(inputsOf([...(against === undefined ? [] : [against]), ...paths]));
  await mustBeForms(options);
  const versions = orFail(await versionsOf(options.on, signal));
  const runs = inputs.length * versions.length;
  if (options.html !== undefined && runs > 2)
    throw new CommandFailure(2, `--html shows one run or compares two, and these are ${runs}`);
  const progress = new Progress();
  const runner = orFail(await CoverageRunner.open(versions, 1));
  const executables = new Map<Version, Executable>(
    versions.map((version) => [version, runner.executableOf(version)]),
  );
  if (options.lcov !== undefined && [...executables.values()].every(({ files }) => files === undefined)) {
    await runner.close();
    throw new CommandFailure(
      2,
      '--lcov writes lines, and these versions count calls: add ?coverage to a commit',
    );
  }
  const views: CoverageView[] = [];
  const versionsOfViews: Version[] = [];
  let exitCode = 0;
  try {
    for (const input of inputs) {
      const formula = runnableFormula(input, warn);
      if (formula instanceof Fault) {
        progress.clear();
        (formula.kind === 'text' ? tell : warn)(formula.message);
        exitCode = exitCodeOf(formula);
        continue;
      }
      for (const [version, executable] of executables) {
        progress.show(`${views.length + 1} of ${runs}  ${input.name}  ${version.name}`);
        const request = { formula, version, limits: limitsFor(timeout, memory) };
        const { run, executed } = orFail(await runner.run(request, signal));
        const of = { formula: input.name, version: version.name, outcome: run.outcome };
        const view = { of, executed, executable };
        views.push(view);
        versionsOfViews.push(version);
        progress.clear();
        if (json) printJson('coverage', coverageJson(of, view));
      }
    }
  } finally {
    progress.clear();
    await runner.close();
  }
  await putForms(views, options, {
    reference: (view) => referenceOf(view, views, against !== undefined),
    versions: versionsOfViews,
    signal,
  });
  return exitCode;
}

/** Two versions, or a formula and the one it is held against, are compared. */
function referenceOf(
  { of }: CoverageView,
  views: readonly CoverageView[],
  isAgainst: boolean,
): CoverageView | undefined {
  const [first] = views;
  if (first === undefined || 'counters' in of || 'counters' in first.of) return undefined;
  const { formula } = first.of;
  return views.find(
    ({ of: other }) =>
      'formula' in other &&
      (isAgainst ? other.version === of.version && other.formula === formula : other.formula === of.formula),
  );
}
