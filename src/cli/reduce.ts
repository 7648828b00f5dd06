import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { Fault, type Limits, LocatedFault } from '../machine/index.js';
import {
  Disagreeing,
  KnownVerdicts,
  lastingWords,
  MoreEffort,
  type Property,
  type Reduced,
  reduceFormula,
  SameExit,
  SameOutcome,
  Slower,
  wordsOf,
} from '../reduce/index.js';
import { duration } from '../report/index.js';
import { printScript, type Script, simplificationRuleNames, simplificationRules } from '../smtlib/index.js';
import { LocalRunner, type Outcome, type Runner, type Version } from '../solver/index.js';
import { countArgument, durationArgument } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, inputsOf } from './inputs.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { type SlownessOptions, slownessFrom, withSlownessOptions } from './slowness-options.js';
import { versionsOf } from './versions.js';

interface ReduceOptions extends SlownessOptions {
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

/** `culprit reduce`: the smallest formula of which something still holds. */
export function reduceCommand(): Command {
  const rules = simplificationRuleNames.map(
    (name) => `  ${name.padEnd(24)}${simplificationRules[name].says}`,
  );
  return withSlownessOptions(new Command('reduce'))
    .description('make a formula as small as it can be while something holds')
    .argument('<formula>', 'a file, or - for standard input')
    .argument('[command...]', 'after --: any command whose exit code is kept; {file} is the formula')
    .option('--slower <version>', 'keep it slower on this version …')
    .option('--than <versions>', '… than on these')
    .option('--effort <factor>', 'with --slower: by effort instead of time, so many times', countArgument)
    .option('--on <version>', 'keep what this version makes of it: its answer, its crash, its error')
    .addOption(new Option('--outcome <name>', 'with --on: this outcome').choices([...outcomes]))
    .option('--says <text>', 'with --on: this text in the error message')
    .option('--disagree <versions>', 'keep that one of these says sat and another unsat')
    .option(
      '--exit <code>',
      'with a command: this exit code; that of the formula when left out',
      exitArgument,
    )
    .option('--match <text>', 'with a command: this text in its output')
    .option('--for <time>', 'end after this long with the smallest so far', durationArgument)
    .option('--out <file>', 'write the formula there; to standard output when left out')
    .option('--forget', 'try everything, whatever is known from earlier reductions')
    .option('--json', 'print what came of it as JSON')
    .addHelpText(
      'after',
      `\nRules:\n${rules.join('\n')}\n\nExamples:\n` +
        '  $ culprit reduce slow.smt2 --slower z3@4.8.12 --than z3@4.8.10 --threshold 1s\n' +
        '  $ culprit reduce bug.smt2 --on z3@4.8.12\n' +
        '  $ culprit reduce bug.smt2 -- ./still-fails.sh {file}',
    )
    .action(async (path: string, command: string[], options: ReduceOptions) => {
      process.exitCode = await interruptible((signal) => reduce(path, command, options, signal));
    });
}

function exitArgument(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw new CommandFailure(2, 'an exit code is a number from 0 to 255');
  return Number(text);
}

async function reduce(
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
  const formula = formulaAt(path);
  if (command.length === 0 && !hasQuestion(formula))
    throw new CommandFailure(2, `${path} holds no check-sat: there is nothing to run`);
  if (options.out !== undefined) mustBeWritable(options.out);
  const runner = new LocalRunner({ workers: options.workers });
  const progress = new Progress();
  const startedAt = performance.now();
  const from = printScript(formula).length;
  try {
    const property = await propertyOf(runner, formula, command, options, interrupt);
    const known = options.forget ? KnownVerdicts.ofNothing() : await KnownVerdicts.of(property);
    const time = options.for === undefined ? undefined : AbortSignal.timeout(options.for);
    const reduced = await reduceFormula(formula, property, {
      jobs: options.workers,
      known,
      signal: time === undefined ? interrupt : AbortSignal.any([interrupt, time]),
      onProgress: ({ size, tried, taken, rule }) =>
        progress.show(`${from} -> ${size} characters  ${tried} tried, ${taken} taken  ${rule ?? ''}`),
    });
    progress.clear();
    if (reduced instanceof Fault) throw new CommandFailure(1, reduced.message);
    const ms = performance.now() - startedAt;
    write(reduced, property, options, from, ms);
    return interrupt.aborted ? 130 : 0;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new CommandFailure(1, 'the time was over before the formula itself had been looked at');
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn'))
      throw new CommandFailure(2, `${command[0]} cannot be run: ${(error as NodeJS.ErrnoException).code}`);
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
}

/** Better found out before than after: a reduction may take an hour. */
function mustBeWritable(path: string): void {
  try {
    closeSync(openSync(path, 'a'));
  } catch (error) {
    throw new CommandFailure(3, `${path} cannot be written to: ${(error as Error).message}`);
  }
}

function formulaAt(path: string): Script {
  const [input, ...others] = inputsOf([path]);
  if (input === undefined || others.length > 0)
    throw new CommandFailure(2, `${path} holds more than one formula; reduce takes one at a time`);
  const formula = checkInput(input);
  if (formula instanceof LocatedFault) throw new CommandFailure(1, faultLine(input, formula));
  return formula;
}

/** What is to be kept; exactly one of the questions. */
async function propertyOf(
  runner: LocalRunner,
  formula: Script,
  command: readonly string[],
  options: ReduceOptions,
  signal: AbortSignal,
): Promise<Property> {
  const { slower, than, on, disagree } = options;
  const asked = [slower, on, disagree, command.length === 0 ? undefined : command].filter(
    (one) => one !== undefined,
  );
  if (asked.length !== 1)
    throw new CommandFailure(
      2,
      'say what is to be kept by one of --slower with --than, --on, --disagree, or a command after --',
    );
  if ((slower === undefined) !== (than === undefined))
    throw new CommandFailure(2, '--slower needs --than, and --than needs --slower');
  if (command.length > 0) return commandProperty(command, options);
  const list = [than, slower, on, disagree].filter((one) => one !== undefined).join(',');
  const { versions, warnings } = await versionsOf(list, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  await runner.prepare(versions, signal);
  const slowness = await slownessFrom(options);
  const limits: Limits = { wallMs: slowness.timeoutMs, memoryBytes: options.memory };
  const newest = versions.at(-1) as Version;
  const others = versions.slice(0, -1);
  if (slower !== undefined)
    return options.effort === undefined
      ? new Slower(runner, { newest, others, slowness, memoryBytes: options.memory })
      : new MoreEffort(runner, { newest, others, factor: options.effort, limits });
  if (disagree !== undefined) return new Disagreeing(runner, versions, limits);
  if (versions.length > 1) throw new CommandFailure(2, '--on takes one version here');
  return outcomeProperty(runner, formula, newest, limits, options, signal);
}

function commandProperty(command: readonly string[], options: ReduceOptions): Property {
  const { exit, match, timeout = usualCommandMs } = options;
  return new SameExit({
    command,
    timeoutMs: timeout,
    ...(exit === undefined ? {} : { exitCode: exit }),
    ...(match === undefined ? {} : { match }),
  });
}

/** A command is any program: it gets more time than a run of a solver. */
const usualCommandMs = 10_000;

/** What the user names, or what the version makes of the formula now. */
async function outcomeProperty(
  runner: Runner,
  formula: Script,
  version: Version,
  limits: Limits,
  { outcome, says }: ReduceOptions,
  signal: AbortSignal,
): Promise<Property> {
  if (outcome !== undefined)
    return new SameOutcome(runner, { version, limits, outcome, ...(says === undefined ? {} : { says }) });
  const now = await runner.run({ formula, version, limits, signal });
  const words = says ?? lastingWords(wordsOf(now));
  return new SameOutcome(runner, {
    version,
    limits,
    outcome: now.outcome,
    ...(words === '' ? {} : { says: words }),
  });
}

function write(reduced: Reduced, property: Property, options: ReduceOptions, from: number, ms: number): void {
  const { formula, tried, taken, remembered, isMinimal, isSure } = reduced;
  const text = printScript(formula);
  if (options.out !== undefined) writeWhole(options.out, text);
  if (options.json) {
    const keeps = property.says;
    const record = {
      keeps,
      from,
      to: text.length,
      tried,
      taken,
      remembered,
      ms: Math.round(ms),
      isMinimal,
      isSure,
    };
    process.stdout.write(`${JSON.stringify({ ...record, text })}\n`);
  } else if (options.out === undefined) process.stdout.write(text);
  const known = remembered === 0 ? '' : `, ${remembered} met before`;
  process.stderr.write(
    `culprit: ${from} -> ${text.length} characters in ${duration(ms)} (${tried} tried, ${taken} taken${known}); ` +
      `${standing(isMinimal, isSure)}: ${property.says}\n`,
  );
}

/** Beside its place first: a full disk must not cost what was there. Whatever happens, the formula is not lost. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    process.stdout.write(text);
    throw new CommandFailure(
      3,
      `${path} cannot be written to, so it was printed: ${(error as Error).message}`,
    );
  }
}

function standing(isMinimal: boolean, isSure: boolean): string {
  if (!isMinimal) return 'ended early, by a quick look still';
  return isSure
    ? 'no single step makes it smaller, and it is still'
    : 'measured again, it was not sure any more';
}
