import { Command } from 'commander';
import { CoverageRunner } from '../coverage/index.js';
import { Fault } from '../machine/index.js';
import {
  type CoverageView,
  coverageJson,
  coverageText,
  differenceText,
  lcov,
  mostCalledText,
} from '../report/index.js';
import { limitsFor } from '../solver/index.js';
import { memoryOption, timeOption } from './arguments.js';
import { CommandFailure, exitCodeOf, orFail } from './failure.js';
import { formulaArgument, inputsOf, runnableFormula } from './inputs.js';
import { interruptible } from './interrupt.js';
import { type ForceOption, mustBeWritable, putAndTell, withForceOption } from './named-output.js';
import { Progress } from './progress.js';
import { ink, print, printJson, tell, warn } from './terminal.js';
import { embeddedNewest, versionsOf } from './versions.js';

interface CoverageOptions extends ForceOption {
  readonly on: string;
  readonly against?: string;
  readonly timeout: number;
  readonly memory: number;
  readonly lcov?: string;
  readonly json?: boolean;
}

/** `culprit coverage`: what a run executed, and what only one of two did. */
export function coverageCommand(): Command {
  return withForceOption(new Command('coverage'))
    .argument('<formula...>', formulaArgument)
    .option(
      '--on <versions>',
      'versions that count what they execute: embedded ones count calls, git:REPOSITORY@REVISION?coverage counts lines',
      embeddedNewest,
    )
    .option('--against <formula>', 'what this formula executes is compared with what the others do')
    .addOption(timeOption('--timeout <time>', 'processor time a run may take', '10s'))
    .addOption(memoryOption('--memory <size>', 'memory a run may take', '2GB'))
    .option('--lcov <file>', "write the lines for other tools, in lcov's format")
    .option('--json', 'print one JSON object per run')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit coverage slow.smt2 --on z3@4.8.17,z3@5.2.0\n' +
        '  $ culprit coverage slow.smt2 --against quick.smt2 --on git:../z3@z3-4.8.10?coverage',
    )
    .action(async (paths: string[], options: CoverageOptions) => {
      process.exitCode = await interruptible((signal) => cover(paths, options, signal));
    });
}

async function cover(
  paths: readonly string[],
  options: CoverageOptions,
  signal: AbortSignal,
): Promise<number> {
  const { against, timeout, memory, json } = options;
  const inputs = orFail(inputsOf([...(against === undefined ? [] : [against]), ...paths]));
  await mustBeWritable(options.lcov, options);
  const versions = orFail(await versionsOf(options.on, signal));
  const progress = new Progress();
  const runner = orFail(await CoverageRunner.open(versions, 1));
  if (
    options.lcov !== undefined &&
    versions.every((version) => runner.wholeOf(version).lines === undefined)
  ) {
    await runner.close();
    throw new CommandFailure(
      2,
      '--lcov writes lines, and these versions count calls: add ?coverage to a commit',
    );
  }
  const views: CoverageView[] = [];
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
      for (const version of versions) {
        progress.show(
          `${views.length + 1} of ${inputs.length * versions.length}  ${input.name}  ${version.name}`,
        );
        const request = { formula, version, limits: limitsFor(timeout, memory) };
        const { run, executed } = orFail(await runner.run(request, signal));
        const view = {
          formula: input.name,
          version: version.name,
          outcome: run.outcome,
          executed,
          whole: runner.wholeOf(version),
        };
        views.push(view);
        progress.clear();
        if (json) printJson('coverage', coverageJson(view));
      }
    }
  } finally {
    progress.clear();
    await runner.close();
  }
  if (options.lcov !== undefined) await putAndTell(options.lcov, lcov(views), options);
  if (!json && views.length > 0) tellViews(views, against !== undefined);
  return exitCode;
}

/** Two versions, or a formula and the one it is held against, are compared; a single run says what it was busy with. */
function tellViews(views: readonly CoverageView[], isAgainst: boolean): void {
  const parts = [coverageText(views, ink)];
  const [first, ...others] = views;
  if (first !== undefined && others.length === 0) parts.push(mostCalledText(first, ink));
  const reference = (view: CoverageView): CoverageView | undefined =>
    views.find((other) =>
      isAgainst
        ? other.version === view.version && other.formula === first?.formula
        : other.formula === view.formula,
    );
  for (const view of others) {
    const before = reference(view);
    if (before !== undefined && before !== view) parts.push(differenceText(before, view, ink));
  }
  print(parts.join('\n\n'));
}
