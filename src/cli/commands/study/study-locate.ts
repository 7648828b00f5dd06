import { Command, InvalidArgumentError } from 'commander';
import { lineEdits } from '../../../jobs/index.js';
import { type Candidate, type WitnessStrategy, witnessStrategyNames } from '../../../locate/index.js';
import { Fault, usageFault } from '../../../machine/index.js';
import { printScript } from '../../../smtlib/index.js';
import { type Bug, bugsIn, locateStudyJson, locateStudyText, studyLocate } from '../../../study/index.js';
import {
  countArgument,
  memoryOption,
  namedArguments,
  timeOption,
  workersArgument,
} from '../../options/arguments.js';
import { runnableFormulas } from '../../options/inputs.js';
import { versionsOf } from '../../options/versions.js';
import { CommandFailure, orFail } from '../../screen/failure.js';
import { codeOfEnd, interruptible } from '../../screen/interrupt.js';
import { Progress } from '../../screen/progress.js';
import { ink, print, printJson, tell, warn } from '../../screen/terminal.js';

interface StudyOptions {
  readonly repo: ReadonlyMap<string, string>;
  readonly written?: ReadonlyMap<string, string>;
  readonly reference: string;
  readonly strategies: readonly WitnessStrategy[];
  readonly only?: readonly string[];
  readonly timeout: number;
  readonly memory: number;
  readonly workers: number;
  readonly most: number;
  readonly quick?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

/** `culprit study locate`: the quality of rankings of files to blame (SMTLOC, Table 3, Fig. 6, Fig. 7). */
export function studyLocateCommand(): Command {
  return new Command('locate')
    .description('how well files to blame are named: SMTLOC, Table 3, Fig. 6 and Fig. 7')
    .argument('<folder>', 'folder of bugs, each a folder with bug.json and formula.smt2')
    .requiredOption(
      '--repo <name=path>',
      'git repository of a solver, such as z3=../z3; repeatable',
      namedArguments,
    )
    .option(
      '--written <name=path>',
      "formulas of the solver's developers, such as z3=../z3test; repeatable",
      namedArguments,
    )
    .option('--reference <versions>', 'solvers to compare with', 'z3@latest,cvc5@latest')
    .option('--strategies <list>', 'sources of witnesses, separated by commas', strategiesArgument, [
      'enumeration',
      'nearest',
    ])
    .option('--only <ids>', 'names of the bugs to examine, separated by commas', idsArgument)
    .addOption(timeOption('--timeout <time>', 'processor time limit of a run', '5s'))
    .addOption(memoryOption('--memory <size>', 'memory limit of a run', '2GB'))
    .option('--workers <n>', 'number of formulas at once', workersArgument, 2)
    .option('--most <n>', 'maximum number of variants to try per formula', countArgument, 300)
    .option('--quick', 'use unoptimised builds, in less than half of the time')
    .option('--out <folder>', 'folder for all trials; the same command resumes', 'study-locate')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, options: StudyOptions) => {
      process.exitCode = await interruptible((signal) => study(folder, options, signal));
    });
}

async function study(folder: string, options: StudyOptions, signal: AbortSignal): Promise<number> {
  const bugs = chosen(orFail(await bugsIn(folder)), options.only);
  const repositories = withSuccessor(options.repo);
  const missing = bugs.filter(({ solver }) => !repositories.has(solver));
  if (missing.length > 0)
    warn(`${missing.length} of ${bugs.length} bugs are skipped: their solvers have no --repo`);
  const references = orFail(await versionsOf(options.reference, signal));
  const written = orFail(writtenIn(options.written ?? new Map()));
  const progress = new Progress();
  const located = orFail(
    await studyLocate({
      bugs,
      repositories,
      versionOf: async (spec) => {
        const versions = await versionsOf(spec, signal);
        return versions instanceof Fault ? versions : (versions[0] ?? usageFault(`${spec} is no version`));
      },
      editedOf: (repository, revision) =>
        lineEdits({ repository, revision }, { signal, onStep: (step) => progress.follow(step) }),
      references,
      strategies: options.strategies,
      written,
      timeoutMs: options.timeout,
      memoryBytes: options.memory,
      workers: options.workers,
      mostTried: options.most,
      isQuick: options.quick === true,
      out: options.out,
      signal,
      onStep: (step) => progress.follow(step),
      onBug: ({ id, strategy, why, witnesses, tried, ranks, own }) => {
        progress.clear();
        const said = `${witnesses} witnesses of ${tried}, ranks ${own[0]?.ranks.join(', ')} (SMTLOC: ${ranks[5]?.join(', ')})`;
        tell(`${id}, ${strategy}: ${why ?? said}`);
      },
    }).finally(() => progress.clear()),
  );
  if (options.json) printJson('study-locate', locateStudyJson(located));
  else print(locateStudyText(located, ink));
  if (!signal.aborted) return 0;
  warn('interrupted; the same command resumes it');
  return codeOfEnd(signal);
}

/** CVC4's history is the first part of cvc5's. */
function withSuccessor(repositories: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const cvc5 = repositories.get('cvc5');
  return cvc5 === undefined ? repositories : new Map([['cvc4', cvc5], ...repositories]);
}

function writtenIn(folders: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Candidate[]> | Fault {
  const found = new Map<string, readonly Candidate[]>();
  for (const [solver, path] of folders) {
    const formulas = runnableFormulas([path]);
    if (formulas instanceof Fault) return formulas;
    found.set(
      solver,
      formulas.map(({ name, formula }) => ({ text: printScript(formula), change: name })),
    );
  }
  return found;
}

function idsArgument(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** An unknown name is an error. */
function chosen(bugs: readonly Bug[], only: readonly string[] | undefined): readonly Bug[] {
  if (only === undefined) return bugs;
  const unknown = only.find((id) => !bugs.some((bug) => bug.id === id));
  if (unknown !== undefined) throw new CommandFailure(2, `there is no bug ${unknown} in the folder`);
  return bugs.filter(({ id }) => only.includes(id));
}

function strategiesArgument(text: string): readonly WitnessStrategy[] {
  return text.split(',').map((part) => {
    const name = witnessStrategyNames.find((known) => known === part.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(
      `There is no strategy ${part.trim()}; there are ${witnessStrategyNames.join(', ')}.`,
    );
  });
}
