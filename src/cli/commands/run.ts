import { Command } from 'commander';
import { type Solvers, withSolvers } from '../../jobs/index.js';
import { Fault, forEachConcurrent, limitsFor } from '../../machine/index.js';
import { type RunResult, runNextSteps, runNotices, runResult } from '../../report/index.js';
import { measureFormula } from '../../solver/index.js';
import {
  countArgument,
  durationArgument,
  memoryOption,
  seedsArgument,
  timeOption,
} from '../options/arguments.js';
import { type FailReason, failOnOption, isFailing } from '../options/fail-on.js';
import { formulaArgument, type Input, inputsOf, leftOutNote, runnableFormula } from '../options/inputs.js';
import { LeftOut } from '../options/left-out.js';
import {
  mustTakeNotices,
  type NoticeOptions,
  takeNotices,
  withNoticeOptions,
} from '../options/notice-options.js';
import { type FormOptions, RunForms, withFormOptions } from '../options/run-forms.js';
import { embeddedVersions, versionsOf } from '../options/versions.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { exitCodeOf, orFail } from '../screen/failure.js';
import { Interrupted, interruptible, unreadCode } from '../screen/interrupt.js';
import { Parts, Progress, type ShownStep } from '../screen/progress.js';
import { advise, tell, warn } from '../screen/terminal.js';

interface RunOptions extends FormOptions, NoticeOptions {
  readonly on: string;
  readonly timeout: number;
  readonly memory: number;
  readonly repeat?: number;
  readonly seeds?: readonly number[];
  readonly threshold?: number;
  readonly workers: number;
  readonly failOn: ReadonlySet<FailReason>;
}

/** `culprit run`: measures formulas on versions and compares them. */
export function runCommand(): Command {
  return withNoticeOptions(withFormOptions(new Command('run')))
    .argument('<formula...>', formulaArgument)
    .option(
      '--on <versions>',
      'versions, oldest first, such as z3@4.8.12,z3@5.2.0,cvc5@1.0.3',
      embeddedVersions,
    )
    .addOption(timeOption('--timeout <time>', 'processor time limit of a run', '10s'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option(
      '--repeat <n>',
      'runs of each version (default: as many as a certain verdict needs, up to 5)',
      countArgument,
    )
    .option('--seeds <list>', 'random seeds, such as 1-30 (default: the seed of the solver)', seedsArgument)
    .option(
      '--threshold <time>',
      'smallest difference that counts (default: calibrated to the machine)',
      durationArgument,
    )
    .option(
      '--workers <n>',
      'number of formulas measured at once; more than 1 is quicker and less exact',
      countArgument,
      1,
    )
    .addOption(failOnOption('disagree'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ culprit run examples\n  $ culprit run queries --on z3@4.13.0,z3 --fail-on slower,disagree',
    )
    .action(async (paths: string[], options: RunOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

/** The maximum number of runs for a certain verdict. */
const mostRepeats = 5;

async function run(paths: readonly string[], options: RunOptions, signal: AbortSignal): Promise<number> {
  const inputs = orFail(inputsOf(paths));
  const known = await mustTakeNotices(options);
  const versions = orFail(await versionsOf(options.on, signal));
  const forms = await RunForms.open(options, {
    versions: versions.map(({ name }) => name),
    formulas: inputs.map(({ name }) => name),
    wallMs: options.timeout,
  });
  await tellBusyCalibration(options);
  const progress = new Progress();
  const parts = new Parts<Input>();
  const results = new Map<Input, RunResult>();
  const inOrder = (): readonly RunResult[] => inputs.flatMap((input) => results.get(input) ?? []);
  const told = new LeftOut();
  let exitCode = 0;
  let measuring: ShownStep | undefined;
  const { seeds, repeat = seeds === undefined ? mostRepeats : 1 } = options;
  const mostRuns = versions.length * (seeds?.length ?? 1) * repeat;
  const measure = async (runner: Solvers, input: Input): Promise<void> => {
    const formula = runnableFormula(input, warn);
    if (formula instanceof Fault) {
      parts.set(input, 1);
      const isAlone = inputs.length === 1;
      // A message with a position begins with the position, so that editors can jump to it.
      const say = formula.kind === 'text' ? tell : warn;
      say(isAlone ? formula.message : leftOutNote(formula.message));
      exitCode = isAlone ? exitCodeOf(formula) : 1;
      return;
    }
    const named = { name: input.name, formula };
    const leftOut = told.tell(named, versions);
    let runs = 0;
    const measured = await measureFormula(runner, named.formula, versions, {
      limits: limitsFor(options.timeout, options.memory),
      repeat: options.repeat,
      seeds: options.seeds,
      thresholdMs: options.threshold,
      signal,
      onRun: ({ name }, { outcome }) => {
        parts.set(input, ++runs / mostRuns);
        measuring?.show(parts.done, `${input.name}  ${name}  ${outcome}`);
      },
    });
    const result = runResult(input.name, measured, leftOut);
    results.set(input, result);
    parts.set(input, 1);
    forms.add(result);
    measuring?.show(parts.done);
  };
  try {
    progress.show('starting the solvers');
    await withSolvers(options.workers, async (runner) => {
      await runner.prepare(versions, signal);
      measuring = progress.step({ step: 'measuring', work: { total: inputs.length, what: 'formula' } });
      await forEachConcurrent(inputs, options.workers, (input) => measure(runner, input));
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (error.exitCode === unreadCode) throw error;
    error.isTold = true;
    warn(
      `interrupted after ${results.size} of ${inputs.length} formulas; the same command runs all of them again`,
    );
    throw error;
  } finally {
    progress.clear();
    await forms.close(inOrder());
  }
  // Only a complete run updates the baseline: after an interrupt, missing formulas would count as fixed.
  const fresh = await takeNotices(runNotices(inOrder()), known, options);
  advise(...runNextSteps(inOrder(), { timeoutMs: options.timeout, thresholdMs: options.threshold }));
  return isFailing(fresh, options.failOn) ? 1 : exitCode;
}
