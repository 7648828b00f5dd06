import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { commitSources } from '../../builds/index.js';
import { type LocateJob, locate, usualRanking, usualSearch } from '../../jobs/index.js';
import {
  type AggregateName,
  aggregateNames,
  type ColumnName,
  columnNames,
  type ScoreName,
  type SuspicionName,
  scoreNames,
  suspicionNames,
  type WitnessStrategy,
  witnessStrategyNames,
} from '../../locate/index.js';
import { Fault, shortDigest, usageFault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { locationHtml, locationJson, locationText, locationWithDemangledNames } from '../../report/index.js';
import { printScript, variantRules } from '../../smtlib/index.js';
import {
  countingVariant,
  parseSpecList,
  printSpec,
  type Version,
  type VersionSpec,
} from '../../solver/index.js';
import {
  countArgument,
  memoryOption,
  seedArgument,
  timeOption,
  workersArgument,
} from '../options/arguments.js';
import { runnableFormulas } from '../options/inputs.js';
import { mustBeWritable, putAndTell, standardOutput, withForceOption } from '../options/named-output.js';
import { versionsOf } from '../options/versions.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, tell, warn } from '../screen/terminal.js';

interface LocateOptions {
  readonly on?: string;
  readonly reference: string;
  readonly timeout: number;
  readonly memory: number;
  readonly workers: number;
  readonly most: number;
  readonly strategy: WitnessStrategy;
  readonly seed: number;
  readonly written?: string;
  readonly score: ScoreName;
  readonly by: SuspicionName;
  readonly weight: number;
  readonly aggregate: AggregateName;
  readonly weigh?: ReadonlyMap<ColumnName, number>;
  readonly suspects?: string;
  readonly older?: string;
  readonly history: boolean;
  readonly ordinary: boolean;
  readonly rules?: boolean;
  readonly out?: string;
  readonly html?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `culprit locate`: the files to blame for a failure of a solver (SMTLOC). */
export function locateCommand(): Command {
  const command = new Command('locate')
    .argument('[formula]', 'formula that the version answers wrongly, crashes on, or is slow on')
    .option('--on <version>', 'version to examine: git:REPOSITORY@REVISION, or an embedded one')
    .option('--reference <versions>', 'solvers to compare with, the most trusted first', 'z3@latest')
    .addOption(timeOption('--timeout <time>', 'processor time limit of a run', '5s'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option('--workers <n>', 'number of formulas at once', workersArgument, 2)
    .option('--most <n>', 'maximum number of formula variants to try', countArgument, usualSearch.mostTried)
    .addOption(
      new Option('--score <name>', "ranking of files: culprit's own, or SMTLOC's")
        .choices(scoreNames)
        .default(usualRanking.score),
    )
    .addOption(
      new Option('--by <name>', 'formula for the suspicion of a line')
        .choices(suspicionNames)
        .default(usualRanking.by),
    )
    .addOption(
      new Option('--aggregate <name>', 'aggregation of line suspicions into the suspicion of a file')
        .choices(aggregateNames)
        .default('sum'),
    )
    .option(
      '--weigh <column=number>',
      `extra weight of a column next to the score: ${columnNames.join(', ')}; repeatable`,
      weighArgument,
    )
    .option('--suspects <commits>', 'suspected commits, for example from a bisection, separated by commas')
    .option(
      '--older <version>',
      'older version that counts: report how much of a file it does not execute, weighted by --weigh older=N',
    )
    .option(
      '--weight <share>',
      'weight of coverage against the line history',
      weightArgument,
      usualRanking.weight,
    )
    .addOption(
      new Option('--strategy <name>', 'source of the formula variants')
        .choices(witnessStrategyNames)
        .default(usualSearch.strategy),
    )
    .option('--written <path>', 'hand-written formulas, a file or a folder, for --strategy developers')
    .option('--seed <n>', 'random seed', seedArgument, usualSearch.seed)
    .option('--no-history', 'ignore how often lines were edited')
    .option('--no-ordinary', 'do not compare with unrelated formulas')
    .option('--rules', 'list the rules that change formulas, and exit')
    .option('--out <folder>', 'folder for all trials; the same command resumes there')
    .option('--html <file>', 'write an HTML page with the source coloured by suspicion')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit locate wrong.smt2 --on git:../z3@z3-4.8.7 --reference cvc5@1.1.2\n' +
        '  $ culprit locate crash.smt2 --on z3@4.8.17',
    )
    .action(async (path: string | undefined, options: LocateOptions) => {
      if (options.rules) print(rulesText());
      else process.exitCode = await interruptible((signal) => run(path, options, signal));
    });
  return withForceOption(command);
}

/** Without the source, a page shows line numbers only. */
async function sourcesOf(
  version: Version,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const texts = await commitSources(version, names, process.cwd(), signal);
  if (!(texts instanceof Fault)) return texts;
  warn(`the source of ${version.name} is not available, so lines are shown by number: ${texts.message}`);
  return new Map();
}

async function run(path: string | undefined, options: LocateOptions, signal: AbortSignal): Promise<number> {
  if (path === undefined || options.on === undefined)
    throw new CommandFailure(
      2,
      'name a formula and the version that fails on it: culprit locate wrong.smt2 --on git:../z3@z3-4.8.7',
    );
  await mustBeWritable(options.html, options);
  const job = orFail(await requestOf(path, options.on, options, signal));
  const { version, out } = job;
  const progress = new Progress();
  try {
    const located = orFail(await locate(job, { signal, onStep: (step) => progress.follow(step) }));
    progress.clear();
    const view = { formula: job.name, version: version.name, ...located };
    const shown = await locationWithDemangledNames(view);
    if (options.html !== undefined) {
      const texts = await sourcesOf(version, new Set(located.files.map(({ name }) => name)), signal);
      await putAndTell(options.html, locationHtml(shown, texts, packageVersion), options);
    }
    if (options.json) printJson('locate', locationJson(view));
    else {
      if (options.html !== standardOutput) print(locationText(shown, ink));
      tell(`every formula tried is stored in ${shellWord(out)}`);
    }
    return 0;
  } catch (error) {
    progress.clear();
    if (signal.aborted) warn(`interrupted; the same command resumes with the results in ${shellWord(out)}`);
    throw error;
  } finally {
    progress.clear();
  }
}

async function requestOf(
  path: string,
  on: string,
  options: LocateOptions,
  signal: AbortSignal,
): Promise<(LocateJob & { readonly name: string }) | Fault> {
  const inputs = runnableFormulas([path]);
  if (inputs instanceof Fault) return inputs;
  const [input] = inputs;
  if (input === undefined) return usageFault(`${path} holds no formula`);
  const spec = specOf(on);
  if (spec instanceof Fault) return spec;
  const version = await countingVersion(on, signal);
  if (version instanceof Fault) return version;
  const references = await versionsOf(options.reference, signal);
  if (references instanceof Fault) return references;
  const older = options.older === undefined ? undefined : await countingVersion(options.older, signal);
  if (older instanceof Fault) return older;
  const written = options.written === undefined ? [] : runnableFormulas([options.written]);
  if (written instanceof Fault) return written;
  return {
    name: input.name,
    formula: input.formula,
    version,
    references,
    older,
    timeoutMs: options.timeout,
    memoryBytes: options.memory,
    workers: options.workers,
    strategy: options.strategy,
    seed: options.seed,
    written: written.map(({ name, formula }) => ({ text: printScript(formula), change: name })),
    mostTried: options.most,
    out: options.out ?? join('locations', shortDigest(`${version.name}\n${printScript(input.formula)}`)),
    comparesOrdinary: options.ordinary,
    commit: spec.from === 'git' ? spec : undefined,
    usesHistory: options.history,
    suspects: options.suspects,
    ranking: {
      score: options.score,
      by: options.by,
      weight: options.weight,
      aggregate: options.aggregate,
    },
    columnWeights: options.weigh,
  };
}

function weightArgument(text: string): number {
  const weight = Number(text);
  if (text.trim() !== '' && weight >= 0 && weight <= 1) return weight;
  throw new InvalidArgumentError('It is a number from 0 to 1, such as 0.5.');
}

/** Repeatable, once for each column. */
function weighArgument(
  text: string,
  earlier: ReadonlyMap<ColumnName, number> | undefined,
): ReadonlyMap<ColumnName, number> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const column = columnNames.find((known) => known === name);
  const weight = Number(value);
  if (column === undefined || !(weight >= 0))
    throw new InvalidArgumentError(`It is one of ${columnNames.join(', ')} and a number, such as stack=0.5.`);
  return new Map([...(earlier ?? []), [column, weight]]);
}

function specOf(text: string): VersionSpec | Fault {
  const specs = parseSpecList(text);
  if (specs instanceof Fault) return specs;
  const [spec, ...others] = specs;
  return spec === undefined || others.length > 0
    ? usageFault('locate examines one version: name exactly one')
    : spec;
}

/** A commit is always built with line counters. */
function counting(spec: VersionSpec): VersionSpec {
  return spec.from === 'git' ? { ...spec, variant: countingVariant(spec.variant) } : spec;
}

async function countingVersion(text: string, signal: AbortSignal): Promise<Version | Fault> {
  const spec = specOf(text);
  if (spec instanceof Fault) return spec;
  const versions = await versionsOf(printSpec(counting(spec)), signal);
  if (versions instanceof Fault) return versions;
  return versions[0] ?? usageFault(`${text} is no version`);
}

function rulesText(): string {
  return variantRules()
    .map(({ theory, replacements, prunings }) =>
      [
        `${theory}: ${replacements.length} replacements, ${prunings.length} prunings`,
        ...replacements,
        ...prunings,
      ].join('\n  '),
    )
    .join('\n\n');
}
