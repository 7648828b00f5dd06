import { Command, InvalidArgumentError, Option } from 'commander';
import { Fault, inTurns } from '../machine/index.js';
import {
  type ComparisonLines,
  comparisonJson,
  comparisonLines,
  comparisonNotes,
  duration,
  type FormulaReport,
} from '../report/index.js';
import { limitsFor, measureFormula, openRunner, type Version } from '../solver/index.js';
import { countArgument, durationArgument, memoryOption, seedsArgument, timeOption } from './arguments.js';
import { exitCodeOf, orFail } from './failure.js';
import { formulaArgument, type Input, inputsOf, leftOutNote, runnableFormula } from './inputs.js';
import { Interrupted, interruptible, unreadCode } from './interrupt.js';
import { LeftOut } from './left-out.js';
import { Progress } from './progress.js';
import { printJson, printLine, tell, warn } from './terminal.js';
import { embeddedVersions, versionsOf } from './versions.js';

interface RunOptions {
  readonly on: string;
  readonly timeout: number;
  readonly memory: number;
  readonly repeat?: number;
  readonly seeds?: readonly number[];
  readonly threshold?: number;
  readonly workers: number;
  readonly failOn: ReadonlySet<FailReason>;
  readonly json?: boolean;
}

/** What makes a run end with 1. */
const failReasons = ['slower', 'disagree'] as const;
type FailReason = (typeof failReasons)[number];

function failOnOption(): Option {
  return new Option(
    '--fail-on <list>',
    `what the command ends with 1 for: ${failReasons.join(', ')}, both with a comma, or nothing`,
  )
    .argParser(failReasonsOf)
    .default(new Set<FailReason>(['disagree']), 'disagree');
}

function failReasonsOf(text: string): ReadonlySet<FailReason> {
  if (text === 'nothing') return new Set();
  return new Set(
    text.split(',').map((word) => {
      const reason = failReasons.find((known) => known === word.trim());
      if (reason === undefined)
        throw new InvalidArgumentError(`There are ${failReasons.join(' and ')}, and nothing.`);
      return reason;
    }),
  );
}

/** `culprit run`: formulas on versions, measured and compared. */
export function runCommand(): Command {
  return new Command('run')
    .description('run formulas on solver versions and compare time, effort, memory and answers')
    .argument('<formula...>', formulaArgument)
    .option(
      '--on <versions>',
      'versions, oldest first, such as z3@4.8.12,z3@5.2.0,cvc5@1.0.3',
      embeddedVersions,
    )
    .addOption(timeOption('--timeout <time>', 'processor time a run may take', '10s'))
    .addOption(memoryOption('--memory <size>', 'memory a run may take', '2GB'))
    .option(
      '--repeat <n>',
      'runs of each version; by default as many as a sure verdict needs, up to 5',
      countArgument,
    )
    .option(
      '--seeds <list>',
      'random seeds to run with, such as 1-30; the default seed when left out',
      seedsArgument,
    )
    .option(
      '--threshold <time>',
      'a difference that counts; calibrated to the machine when left out',
      durationArgument,
    )
    .option(
      '--workers <n>',
      'formulas measured at once; more than 1 is quicker and less exact',
      countArgument,
      1,
    )
    .addOption(failOnOption())
    .option('--json', 'print one JSON object per formula')
    .addHelpText(
      'after',
      '\nExamples:\n  $ culprit run examples\n  $ culprit run queries --on z3@4.13.0,z3 --fail-on slower,disagree',
    )
    .action(async (paths: string[], options: RunOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: RunOptions, signal: AbortSignal): Promise<number> {
  const inputs = orFail(inputsOf(paths));
  const versions = orFail(await versionsOf(options.on, signal));
  const runner = openRunner({ workers: options.workers });
  const progress = new Progress();
  const reports = new Map<Input, FormulaReport>();
  const rows = new Rows(versions, inputs, options);
  const told = new LeftOut();
  let exitCode = 0;
  const measure = async (input: Input): Promise<void> => {
    const formula = runnableFormula(input, (note) => {
      progress.clear();
      warn(note);
    });
    if (formula instanceof Fault) {
      progress.clear();
      const isAlone = inputs.length === 1;
      // What has a place in a text begins with it, so that editors can jump there.
      const say = formula.kind === 'text' ? tell : warn;
      say(isAlone ? formula.message : leftOutNote(formula.message));
      exitCode = isAlone ? exitCodeOf(formula) : 1;
      return;
    }
    const named = { name: input.name, formula };
    const leftOut = told.tell(named, versions, () => progress.clear());
    const measured = await measureFormula(runner, named.formula, versions, {
      limits: limitsFor(options.timeout, options.memory),
      repeat: options.repeat,
      seeds: options.seeds,
      thresholdMs: options.threshold,
      signal,
      onRun: ({ name }, { outcome, wallMs }) =>
        progress.show(
          `${reports.size + 1} of ${inputs.length}  ${input.name}  ${name}  ${outcome}  ${duration(wallMs)}`,
        ),
    });
    const report = { formula: input.name, leftOut, ...measured };
    reports.set(input, report);
    if (reasonsIn(report).some((reason) => options.failOn.has(reason))) exitCode = 1;
    progress.clear();
    rows.print(report);
  };
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    await inTurns(inputs, options.workers, measure);
    return exitCode;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (error.exitCode === unreadCode) throw error;
    error.isTold = true;
    warn(`interrupted after ${reports.size} of ${inputs.length} formulas`);
    throw error;
  } finally {
    progress.clear();
    await runner.close();
    const inOrder = inputs.flatMap((input) => reports.get(input) ?? []);
    if (!options.json) for (const note of comparisonNotes(inOrder)) printLine(note);
  }
}

/** Prints each formula as it is measured: whatever ends the run then, what was measured is not lost. */
class Rows {
  readonly #lines: ComparisonLines;
  #hasHeader = false;

  constructor(
    versions: readonly Version[],
    inputs: readonly Input[],
    private readonly options: RunOptions,
  ) {
    const formulas = inputs.map(({ name }) => name);
    this.#lines = comparisonLines(versions, { formulas, wallMs: options.timeout });
  }

  print(report: FormulaReport): void {
    if (this.options.json) {
      printJson(comparisonJson(report));
      return;
    }
    if (!this.#hasHeader) printLine(this.#lines.header);
    this.#hasHeader = true;
    printLine(this.#lines.row(report));
  }
}

function reasonsIn({ comparison: { verdict, disagreement } }: FormulaReport): readonly FailReason[] {
  return [
    ...(verdict.kind === 'slower' ? (['slower'] as const) : []),
    ...(disagreement === undefined ? [] : (['disagree'] as const)),
  ];
}
