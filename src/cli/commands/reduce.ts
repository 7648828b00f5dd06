import { Command, Option } from 'commander';
import { type Solvers, withSolvers } from '../../jobs/index.js';
import { Fault, usageFault, writeUserFile } from '../../machine/index.js';
import { duration, roughDuration, shellWord } from '../../page/index.js';
import {
  type Property,
  type Reduced,
  type ReduceProgress,
  reduceFormula,
  requestedProperty,
  VerdictCache,
} from '../../reduce/index.js';
import { blameStep, timelineStep } from '../../report/index.js';
import {
  printScript,
  type Script,
  simplificationRuleNames,
  simplificationRules,
} from '../../smtlib/index.js';
import type { Outcome } from '../../solver/index.js';
import { countArgument, durationArgument } from '../options/arguments.js';
import { inputsOf, readFormula, runnableFormula } from '../options/inputs.js';
import { tellLeftOut } from '../options/left-out.js';
import {
  type ForceOption,
  mustBeWritable,
  standardOutput,
  withForceOption,
} from '../options/named-output.js';
import { type SlownessOptions, slownessRequest, withSlownessOptions } from '../options/slowness-options.js';
import { versionsOf } from '../options/versions.js';
import { tellBusyCalibration } from '../screen/busy-calibration.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { codeOfEnd, interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { advise, printExact, printJson, tell, warn } from '../screen/terminal.js';

interface ReduceOptions extends SlownessOptions, ForceOption {
  readonly slower?: string;
  readonly than?: string;
  readonly effort?: number;
  readonly on?: string;
  readonly outcome?: Outcome;
  readonly says?: string;
  readonly disagree?: string;
  readonly exit?: number;
  readonly match?: string;
  readonly for?: number;
  readonly out?: string;
  readonly forget?: boolean;
  readonly json?: boolean;
}

const outcomes: readonly Outcome[] = [
  'sat',
  'unsat',
  'unknown',
  'timeout',
  'memout',
  'crash',
  'error',
  'unsupported',
];

/** `culprit reduce`: the smallest formula with a property. */
export function reduceCommand(): Command {
  const widest = Math.max(...simplificationRuleNames.map(({ length }) => length));
  const rules = simplificationRuleNames.map(
    (name) => `  ${name.padEnd(widest)}  ${simplificationRules[name].summary}`,
  );
  return withForceOption(withSlownessOptions(new Command('reduce')))
    .argument('<formula>', 'file with the formula, or - for standard input')
    .argument('[command...]', 'after --: command whose exit code is kept; {file} is the formula')
    .option('--slower <version>', 'keep the formula slower on this version than on the others')
    .option('--than <versions>', 'the other versions, for --slower')
    .option(
      '--effort <factor>',
      'with --slower: compare effort instead of time; the newer version needs at least this many times more',
      countArgument,
    )
    .option('--on <version>', 'keep the outcome of this version: its answer, crash or error')
    .addOption(new Option('--outcome <name>', 'with --on: keep this outcome').choices([...outcomes]))
    .option('--says <text>', 'with --on: keep this text in the error message')
    .option('--disagree <versions>', 'keep that one of these versions answers sat and another unsat')
    .option(
      '--exit <code>',
      'with a command: keep this exit code (default: that of the original formula)',
      exitArgument,
    )
    .option('--match <text>', 'with a command: keep this text in its output')
    .option('--for <time>', 'time limit; the smallest formula so far is the result', durationArgument)
    .option('--out <file>', 'file for the formula (default: standard output)')
    .option('--forget', 'ignore the cached results of earlier reductions')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `\nRules:\n${rules.join('\n')}\n\nExamples:\n` +
        '  $ culprit reduce slow.smt2 --slower z3@4.8.12 --than z3@4.8.10 --threshold 1s\n' +
        '  $ culprit reduce bug.smt2 --on z3@4.8.12\n' +
        '  $ culprit reduce bug.smt2 -- ./still-fails.sh {file}',
    )
    .action(async (path: string, command: string[], options: ReduceOptions) => {
      process.exitCode = await interruptible((signal) => run(path, command, options, signal));
    });
}

function exitArgument(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw new CommandFailure(2, 'an exit code is a number from 0 to 255');
  return Number(text);
}

async function run(
  path: string,
  command: readonly string[],
  options: ReduceOptions,
  interrupt: AbortSignal,
): Promise<number> {
  if (command.length > 0 && !process.argv.includes('--'))
    throw new CommandFailure(
      2,
      `reduce takes one formula; a command stands after --: -- ${command.join(' ')}`,
    );
  const formula = orFail(formulaAt(path, command.length > 0));
  await mustBeWritable(options.out, { force: options.force ?? false });
  if (options.slower !== undefined && options.effort === undefined) await tellBusyCalibration(options);
  return withSolvers(options.workers, (runner) => reduce(path, formula, command, options, runner, interrupt));
}

async function reduce(
  path: string,
  formula: Script,
  command: readonly string[],
  options: ReduceOptions,
  runner: Solvers,
  interrupt: AbortSignal,
): Promise<number> {
  const progress = new Progress();
  const startedAt = performance.now();
  const from = printScript(formula).length;
  try {
    progress.show('starting the solvers');
    const property = orFail(
      await requestedProperty(
        {
          ...options,
          command,
          exitCode: options.exit,
          slowness: slownessRequest(options),
          memoryBytes: options.memory,
        },
        {
          formula,
          runner,
          signal: interrupt,
          versionsOf: async (list) => {
            const versions = await versionsOf(list, interrupt);
            if (versions instanceof Fault) return versions;
            tellLeftOut([{ name: path, formula }], versions);
            await runner.prepare(versions, interrupt);
            return versions;
          },
        },
      ),
    );
    const beganAt = performance.now();
    progress.show('looking at the formula itself');
    const known = options.forget ? VerdictCache.inMemory() : await VerdictCache.open(property);
    const time = options.for === undefined ? undefined : AbortSignal.timeout(options.for);
    const reduced = await reduceFormula(formula, property, {
      jobs: options.workers,
      known,
      signal: time === undefined ? interrupt : AbortSignal.any([interrupt, time]),
      onProgress: (state) =>
        progress.show(() => {
          const { for: forMs } = options;
          const spentMs = performance.now() - beganAt;
          const left = forMs === undefined ? undefined : Math.max(0, forMs - spentMs);
          return {
            text: reducingText(from, state, left),
            share: forMs === undefined ? undefined : Math.min(1, spentMs / forMs),
          };
        }),
    });
    progress.clear();
    if (reduced instanceof Fault) throw new CommandFailure(1, reduced.message);
    const ms = performance.now() - startedAt;
    await write(path, reduced, property, options, from, ms);
    if (interrupt.aborted) warn('interrupted; the same command resumes and repeats no trial');
    else advise(...nextSteps(options));
    return interrupt.aborted ? codeOfEnd(interrupt) : 0;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new CommandFailure(1, 'the time limit passed before the original formula was checked');
    throw error;
  } finally {
    progress.clear();
  }
}

/** The steps of `reduceFormula`. */
const stepWords = ['by a quick look', 'by the strict rule', 'with all care'] as const;

/** There is no estimate: a reduction ends when no smaller formula has the property. */
function reducingText(
  from: number,
  { size, tried, taken, failed, step, rule }: ReduceProgress,
  leftMs: number | undefined,
): string {
  const end =
    leftMs === undefined
      ? 'no estimate: until nothing smaller holds'
      : `at most ${roughDuration(leftMs)} left`;
  return (
    `step ${step} of ${stepWords.length}, ${stepWords[step - 1]}: ${from} -> ${size} characters, ${tried} tried, ` +
    `${taken} taken, the last ${failed} failed, ${end}  ${rule ?? ''}`
  ).trimEnd();
}

/** A command may accept a formula without check-sat. */
function formulaAt(path: string, isForCommand: boolean): Script | Fault {
  const inputs = inputsOf([path]);
  if (inputs instanceof Fault) return inputs;
  const [input, ...others] = inputs;
  if (input === undefined || others.length > 0)
    return usageFault(`${path} holds more than one formula; reduce takes one at a time`);
  return isForCommand ? readFormula(input) : runnableFormula(input);
}

async function write(
  name: string,
  reduced: Reduced,
  property: Property,
  options: ReduceOptions,
  from: number,
  ms: number,
): Promise<void> {
  const { formula, tried, taken, remembered, isMinimal, isSure } = reduced;
  const text = printScript(formula);
  const file = options.out === standardOutput ? undefined : options.out;
  const fault = file === undefined ? undefined : await writeUserFile(file, text, { isForced: options.force });
  if (options.json) {
    printJson('reduce', {
      formula: name,
      keeps: property.summary,
      charactersBefore: from,
      charactersAfter: text.length,
      tried,
      taken,
      remembered,
      ms: Math.round(ms),
      isMinimal,
      isSure,
      text,
    });
  } else if (file === undefined || fault !== undefined) printExact(text);
  // If the file cannot be written, the formula is printed.
  if (fault !== undefined) throw new CommandFailure(3, `the formula was printed instead: ${fault.message}`);
  if (file !== undefined) tell(`written: ${file}`);
  const known = remembered === 0 ? '' : `, ${remembered} met before`;
  warn(
    `${from} -> ${text.length} characters in ${duration(ms)} (${tried} tried, ${taken} taken${known}); ` +
      `${standing(isMinimal, isSure)}: ${property.summary}`,
  );
}

function nextSteps({ out, slower, than, json }: ReduceOptions): readonly string[] {
  if (out === undefined || out === standardOutput || json) return [];
  if (slower === undefined || than === undefined)
    return [`Look at it: culprit formula format ${shellWord(out)}`];
  return [timelineStep({ formula: out, versions: [than, slower] }), blameStep(out)];
}

function standing(isMinimal: boolean, isSure: boolean): string {
  if (!isMinimal) return 'ended early, by a quick look still';
  return isSure
    ? 'no single step makes it smaller, and it is still'
    : 'measured again, it was not sure any more';
}
