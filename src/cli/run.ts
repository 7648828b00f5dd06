import { Command } from 'commander';
import { inTurns, LocatedFault } from '../machine/index.js';
import {
  comparisonJson,
  comparisonNotes,
  comparisonTable,
  duration,
  type FormulaReport,
} from '../report/index.js';
import type { Script } from '../smtlib/index.js';
import {
  type CompareOptions,
  type Comparison,
  checkModel,
  compareVersions,
  LocalRunner,
  type ModelVerdict,
  type Runner,
  readCalibration,
  summarize,
  type Version,
} from '../solver/index.js';
import { countArgument, durationArgument, seedsArgument, sizeOption, timeOption } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, hasQuestion, type Input, inputsOf } from './inputs.js';
import { Interrupted, interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { versionsOf } from './versions.js';

interface RunOptions {
  readonly on: string;
  readonly timeout: number;
  readonly memory: number;
  readonly repeat?: number;
  readonly seeds?: readonly number[];
  readonly threshold?: number;
  readonly workers: number;
  readonly json?: boolean;
}

/** `culprit run`: formulas on versions, measured and compared. */
export function runCommand(): Command {
  return new Command('run')
    .description('run formulas on solver versions and compare time, effort, memory and answers')
    .argument('<formula...>', 'files, folders of .smt2 files, or - for standard input')
    .requiredOption('--on <versions>', 'versions, oldest first, such as z3@4.8.12,z3@5.2.0,cvc5@1.0.3')
    .addOption(timeOption('--timeout <time>', 'wall time a run may take', '10s'))
    .addOption(sizeOption('--memory <size>', 'memory a run may take', '2GB'))
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
    .option('--json', 'print one JSON object a formula')
    .addHelpText('after', '\nExample:\n  $ culprit run examples --on z3@4.8.17,z3@5.2.0')
    .action(async (paths: string[], options: RunOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: RunOptions, signal: AbortSignal): Promise<number> {
  const inputs = inputsOf(paths);
  const { versions, warnings } = await versionsOf(options.on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  const runner = new LocalRunner({ workers: options.workers });
  const progress = new Progress();
  const reports = new Map<Input, FormulaReport>();
  let exitCode = 0;
  let isInterrupted = false;
  const measure = async (input: Input): Promise<void> => {
    const formula = checkInput(input);
    if (formula instanceof LocatedFault) {
      progress.clear();
      process.stderr.write(`${faultLine(input, formula)}\n`);
      exitCode = 1;
      return;
    }
    const report = await measureFormula(runner, input.name, formula, versions, options, signal, (line) =>
      progress.show(`${reports.size + 1} of ${inputs.length}  ${line}`),
    );
    reports.set(input, report);
    if (report.comparison.disagreement !== undefined) exitCode = 1;
    if (options.json) process.stdout.write(`${JSON.stringify(comparisonJson(report))}\n`);
  };
  try {
    progress.show('starting the solvers');
    await runner.prepare(versions, signal);
    await inTurns(inputs, options.workers, measure);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    isInterrupted = true;
  } finally {
    progress.clear();
    await runner.close();
  }
  const inOrder = inputs.flatMap((input) => reports.get(input) ?? []);
  if (!options.json && inOrder.length > 0) {
    process.stdout.write(`${comparisonTable(versions, inOrder)}\n`);
    for (const note of comparisonNotes(inOrder)) process.stdout.write(`${note}\n`);
  }
  if (!isInterrupted) return exitCode;
  process.stderr.write(`culprit: interrupted after ${inOrder.length} of ${inputs.length} formulas\n`);
  return 130;
}

async function measureFormula(
  runner: Runner,
  name: string,
  formula: Script,
  versions: readonly Version[],
  options: RunOptions,
  signal: AbortSignal,
  show: (line: string) => void,
): Promise<FormulaReport> {
  if (!hasQuestion(formula)) {
    throw new CommandFailure(2, `${name} holds no check-sat: there is nothing to run`);
  }
  const noise = await readCalibration();
  const settings: CompareOptions = {
    limits: { wallMs: options.timeout, memoryBytes: options.memory },
    noise,
    signal,
    ...(options.threshold === undefined ? {} : { thresholdMs: options.threshold }),
    ...(options.repeat === undefined ? {} : { repeats: { least: options.repeat, most: options.repeat } }),
    onRun: (version, one) => show(`${name}  ${version.name}  ${one.outcome}  ${duration(one.wallMs)}`),
  };
  if (options.seeds === undefined) {
    const comparison = await compareVersions(runner, formula, versions, settings);
    return { formula: name, comparison, ...(await withModels(runner, formula, comparison, settings)) };
  }
  const once = { least: options.repeat ?? 1, most: options.repeat ?? 1 };
  const bySeed: Comparison[] = [];
  for (const seed of options.seeds) {
    bySeed.push(await compareVersions(runner, formula, versions, { ...settings, repeats: once, seed }));
  }
  const samples = versions.map((version, i) => ({
    version,
    runs: bySeed.flatMap((one) => one.samples[i]?.runs ?? []),
  }));
  const comparison = summarize(samples, settings, false);
  const slower = bySeed.filter((one) => one.verdict.kind === 'slower').length;
  const seeds = { slower, of: options.seeds.length };
  return { formula: name, comparison, seeds, ...(await withModels(runner, formula, comparison, settings)) };
}

/** Where versions contradict each other: asks those that say sat for a model and has the others evaluate it. */
async function withModels(
  runner: Runner,
  formula: Script,
  { disagreement }: Comparison,
  { limits }: CompareOptions,
): Promise<Pick<FormulaReport, 'models'>> {
  const judge = disagreement?.unsat[0];
  if (disagreement === undefined || judge === undefined) return {};
  const models: { version: string; verdict: ModelVerdict }[] = [];
  for (const version of disagreement.sat) {
    const one = await runner.run({ formula, version, limits, model: true });
    const verdict: ModelVerdict =
      one.model === undefined
        ? { kind: 'unchecked', reason: 'it gave none when asked again' }
        : await checkModel(runner, formula, one.model, judge, limits);
    models.push({ version: version.name, verdict });
  }
  return { models };
}
