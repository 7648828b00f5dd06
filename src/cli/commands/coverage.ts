import { Command } from 'commander';
import { CoverageRunner, type Executable } from '../../coverage/index.js';
import { Fault, limitsFor } from '../../machine/index.js';
import { type ComparedView, type CoveredRun, coverageJson } from '../../report/index.js';
import type { Version } from '../../solver/index.js';
import { memoryOption, timeOption } from '../options/arguments.js';
import { coverBuilds, type UserBuildOptions } from '../options/coverage-builds.js';
import {
  type CoverageForms,
  CoverageTold,
  mustBeForms,
  needsViews,
  putForms,
} from '../options/coverage-forms.js';
import { formulaArgument, inputsOf, runnableFormula } from '../options/inputs.js';
import { withForceOption } from '../options/named-output.js';
import { embeddedNewest, versionsOf } from '../options/versions.js';
import { CommandFailure, exitCodeOf, orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { printJson, tell, warn } from '../screen/terminal.js';

interface CoverageOptions extends CoverageForms, UserBuildOptions {
  readonly on: string;
  readonly timeout: number;
  readonly memory: number;
}

/** `culprit coverage`: the code that a run executes, and the differences between two runs. */
export function coverageCommand(): Command {
  return withForceOption(new Command('coverage'))
    .argument('[formula...]', formulaArgument)
    .option(
      '--on <versions>',
      'versions that count: embedded ones count calls, git:REPOSITORY@REVISION?coverage counts lines',
      embeddedNewest,
    )
    .option(
      '--gcov <folder>',
      'instead of formulas, read the .gcno and .gcda files of a build with gcc --coverage',
    )
    .option(
      '--llvm-profile <file>',
      "instead of formulas, read clang's source-based coverage of a program: .profraw or .profdata",
    )
    .option('--binary <program...>', 'program of the profile; for two profiles one or two programs')
    .option('--sources <folder...>', 'source folder of the builds; for two builds one or two folders')
    .option(
      '--against <other>',
      'compare with the coverage of this formula, or of this other folder or profile',
    )
    .addOption(timeOption('--timeout <time>', 'processor time limit of a run', '10s'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option(
      '--html <file>',
      'write an HTML page with the source of one or two runs as a heat map (- for standard output)',
    )
    .option('--lcov <file>', "write the line coverage in lcov's format")
    .option('--json', 'print one JSON object per run, with its differences from the run it is compared with')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit coverage slow.smt2 --on z3@4.8.17,z3@5.2.0\n' +
        '  $ culprit coverage slow.smt2 --against quick.smt2 --on git:../z3@z3-4.8.10?coverage --html heat.html\n' +
        '  $ culprit coverage --gcov build-slow --against build-quick\n' +
        '  $ culprit coverage --llvm-profile default.profraw --binary ./prog',
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
  const { gcov, llvmProfile, binary, sources } = options;
  const counters = [gcov, llvmProfile].filter((one) => one !== undefined);
  if (paths.length === 0 && counters.length === 0)
    throw new CommandFailure(2, 'name formulas, or a build with --gcov FOLDER or --llvm-profile FILE');
  if (counters.length + Math.min(1, paths.length) > 1)
    throw new CommandFailure(2, 'name formulas, --gcov or --llvm-profile, and only one of them');
  if (binary !== undefined && llvmProfile === undefined)
    throw new CommandFailure(2, '--binary belongs to --llvm-profile: it names the program that was profiled');
  if (sources !== undefined && counters.length === 0)
    throw new CommandFailure(2, '--sources belongs to --gcov and --llvm-profile: commits know their own');
  return counters.length === 0 ? coverFormulas(paths, options, signal) : coverBuilds(options, signal);
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
  const mixed = notCompared(executables);
  if (mixed !== undefined) {
    if (options.html !== undefined) {
      await runner.close();
      throw new CommandFailure(2, `--html compares runs, and ${mixed}`);
    }
    tell(mixed);
  }
  const told = new CoverageTold();
  const views: RunView[] = [];
  const versionsOfViews: Version[] = [];
  /** The run to compare with: the first run of a formula, or the run of the --against formula on the same version. */
  const references = new Map<string | Version, RunView>();
  let done = 0;
  let exitCode = 0;
  try {
    for (const [number, input] of inputs.entries()) {
      if (against === undefined) references.clear();
      const formula = runnableFormula(input, warn);
      if (formula instanceof Fault) {
        progress.clear();
        (formula.kind === 'text' ? tell : warn)(formula.message);
        exitCode = exitCodeOf(formula);
        continue;
      }
      for (const [version, executable] of executables) {
        const at = `${input.name}  ${version.name}`;
        progress.follow({ step: 'running', done: done++, total: runs, what: 'run', at });
        const request = { formula, version, limits: limitsFor(timeout, memory) };
        const covered = await runner.run(request, signal);
        if (covered instanceof Fault) {
          progress.clear();
          warn(`${input.name} on ${version.name}: ${covered.message}`);
          exitCode = exitCodeOf(covered);
          continue;
        }
        const { run, executed } = covered;
        const of = { formula: input.name, version: version.name, outcome: run.outcome };
        const view = { of, executed, executable };
        const key = against === undefined ? input.name : version;
        const reference = references.get(key);
        const before = reference && countAlike(reference, view) ? reference : undefined;
        if (reference === undefined && (against === undefined || number === 0)) references.set(key, view);
        await told.add(view, before);
        if (needsViews(options)) {
          views.push(view);
          versionsOfViews.push(version);
        }
        progress.clear();
        if (json) printJson('coverage', coverageJson(view, before));
      }
    }
  } catch (error) {
    // After an interrupt, no files are written: they would pass for complete.
    if (signal.aborted && !json) told.print();
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
  await putForms(views, options, {
    ...{ told, versions: versionsOfViews, signal },
    isPartial: exitCode !== 0,
  });
  return exitCode;
}

/** A fault if one version counts calls and another lines: they have no names in common. */
function notCompared(executables: ReadonlyMap<Version, Executable>): string | undefined {
  const counting = (lines: boolean): readonly string[] =>
    [...executables].flatMap(([{ name }, { files }]) => ((files !== undefined) === lines ? [name] : []));
  const [ofCalls, ofLines] = [counting(false), counting(true)];
  return ofCalls.length === 0 || ofLines.length === 0
    ? undefined
    : `calls, as ${ofCalls.join(', ')} counts them, and lines, as ${ofLines.join(', ')} does, are not compared`;
}

type RunView = ComparedView<CoveredRun>;

/** Whether two versions count the same kind of places. */
function countAlike(one: RunView, other: RunView): boolean {
  return (one.executable.files === undefined) === (other.executable.files === undefined);
}
