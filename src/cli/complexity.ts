import { stat, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  CommitMeter,
  FileCompiler,
  type Interaction,
  interactionsIn,
  type MeasuredChange,
  measureFiles,
  measureFolders,
} from '../change/index.js';
import { Fault } from '../machine/index.js';
import {
  changeGraphDot,
  changeGraphSvg,
  complexityJson,
  complexityText,
  detailsText,
  interactionsText,
  type NamedChange,
} from '../report/index.js';
import { Repository } from '../repository/index.js';
import { countArgument, limitArgument } from './arguments.js';
import { CommandFailure } from './failure.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { orFail } from './versions.js';

interface ComplexityOptions {
  readonly repo: string;
  readonly folders?: readonly string[];
  readonly whole?: boolean;
  readonly max?: number;
  readonly top?: number;
  readonly graph?: string;
  readonly program?: string;
  readonly compileCommands?: string;
  readonly compiler: boolean;
  readonly asPublished?: boolean;
  readonly json?: boolean;
}

/** `culprit complexity`: how complex a change is. */
export function complexityCommand(): Command {
  return new Command('complexity')
    .description(
      'how complex changes of C and C++ code are: the orders in which changed code can be executed',
    )
    .argument('[change]', 'a commit, or a range such as v1..v2; files not committed yet when left out')
    .option('--repo <path>', 'the repository; it is only read', '.')
    .option('--folders <old-and-new...>', 'instead of a repository, two folders with a version each')
    .option('--whole', 'a range as one change, not commit by commit')
    .option('--max <n>', 'end with 1 if a change is more complex than this', limitArgument)
    .option('--top <n>', 'of a range the most complex only, the most complex first', countArgument)
    .option('--graph <file>', 'draw the change sequence graph of one change: .svg or .dot')
    .option(
      '--program <file>',
      'the new version as culprit-cc built it: also say where its changes can interact',
    )
    .option('--compile-commands <file>', 'how the files are compiled: a compile_commands.json')
    .option('--no-compiler', 'read everything from its source alone')
    .option('--as-published', 'Algorithm 7 to the letter: without the way back from a called function')
    .option('--json', 'print one JSON object a change')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit complexity HEAD\n' +
        '  $ culprit complexity HEAD~1..HEAD --max 40\n' +
        '  $ culprit complexity v1.0..v1.1 --top 10\n' +
        '  $ culprit complexity 24bf33c0 --repo ../findutils --graph changes.svg',
    )
    .action(async (change: string | undefined, options: ComplexityOptions) => {
      process.exitCode = await interruptible((signal) => run(change, options, signal));
    });
}

async function run(
  change: string | undefined,
  options: ComplexityOptions,
  signal: AbortSignal,
): Promise<number> {
  const { graph, max, json } = options;
  if (graph !== undefined && !/\.(svg|dot)$/.test(graph))
    throw new CommandFailure(2, `--graph ${graph}: the file's name must end in .svg or .dot`);
  const { changes, root } = await measured(change, options, signal);
  const [only] = changes;
  if (graph !== undefined) {
    if (only === undefined || changes.length > 1)
      throw new CommandFailure(2, '--graph draws one change: name a single commit, or add --whole');
    await draw(graph, only.measure);
  }
  const shown =
    options.top === undefined
      ? changes
      : changes.toSorted((a, b) => b.measure.complexity - a.measure.complexity).slice(0, options.top);
  const interactions =
    options.program === undefined ? undefined : await interactionsOf(changes, options.program, root, signal);
  if (json)
    for (const one of shown)
      process.stdout.write(`${JSON.stringify({ ...complexityJson(one), ...interactions })}\n`);
  else {
    process.stdout.write(`${complexityText(shown)}\n`);
    const details = only === undefined || changes.length > 1 ? '' : detailsText(only);
    if (details !== '') process.stdout.write(`\n${details}\n`);
    if (changes.length > 1) tellNotes(changes);
    if (interactions !== undefined) process.stdout.write(`${interactionsText(interactions.interactions)}\n`);
  }
  const above = max === undefined ? [] : changes.filter(({ measure }) => measure.complexity > max);
  if (above.length > 0) process.stderr.write(`culprit: ${above.length} of ${changes.length} above ${max}\n`);
  return above.length > 0 ? 1 : 0;
}

async function measured(
  change: string | undefined,
  options: ComplexityOptions,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly NamedChange[]; readonly root: string }> {
  const { folders, repo, asPublished: isAsPublished = false } = options;
  if (folders !== undefined) {
    const [old, next] = folders;
    if (old === undefined || next === undefined || folders.length > 2)
      throw new CommandFailure(2, '--folders takes two: the old version and the new one');
    for (const one of [old, next])
      if (!(await isFolder(one))) throw new CommandFailure(2, `${one} is no folder`);
    const compiler = await compilerFor(options, next);
    const measure = orFail(await measureFolders(old, next, { compiler, isAsPublished }, signal));
    return { changes: [{ of: `${old} to ${next}`, measure }], root: next };
  }
  const repository = orFail(await Repository.open(repo, signal));
  // Commits name files from the top, the working tree from where one stands.
  const root = change === undefined ? repo : (repository.top ?? repo);
  const compiler = await compilerFor(options, root);
  const meter = new CommitMeter(repository, { compiler, isAsPublished });
  try {
    if (change === undefined) {
      const measure = orFail(await measureFiles(repository, { compiler, isAsPublished }, signal));
      return { changes: [{ of: 'not committed', measure }], root };
    }
    if (!change.includes('..')) {
      const id = orFail(await repository.resolve(change, signal));
      return { changes: await ofCommits(repository, meter, [id], signal), root };
    }
    if (options.whole) return { changes: [await ofWhole(repository, meter, change, signal)], root };
    const ids = orFail(await repository.range(change, signal));
    if (ids.length === 0) throw new CommandFailure(2, `there are no commits in ${change}`);
    return { changes: await ofCommits(repository, meter, ids, signal), root };
  } finally {
    await meter.close();
  }
}

/** Without a compiler everything can still be read; that is said once. */
async function compilerFor(
  { compiler: isWanted, compileCommands }: ComplexityOptions,
  root: string,
): Promise<FileCompiler | undefined> {
  if (!isWanted) return undefined;
  const compiler = await FileCompiler.make(compileCommands, root);
  if (!(compiler instanceof Fault)) return compiler;
  if (compileCommands !== undefined) throw new CommandFailure(3, compiler.message);
  process.stderr.write(`culprit: everything is read from its source alone. ${compiler.message}\n`);
  return undefined;
}

async function ofCommits(
  repository: Repository,
  meter: CommitMeter,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly NamedChange[]> {
  const progress = new Progress();
  const found: NamedChange[] = [];
  for (const commit of orFail(await repository.commits(ids, signal))) {
    if (ids.length > 1) progress.show(`${found.length} of ${ids.length} commits`);
    found.push({ of: commit, measure: orFail(await meter.measure(commit, signal)) });
  }
  progress.clear();
  return found;
}

async function ofWhole(
  repository: Repository,
  meter: CommitMeter,
  range: string,
  signal: AbortSignal,
): Promise<NamedChange> {
  const [from = '', to = ''] = range.split(/\.{2,3}/);
  const [old, next] = [
    orFail(await repository.resolve(from === '' ? 'HEAD' : from, signal)),
    orFail(await repository.resolve(to === '' ? 'HEAD' : to, signal)),
  ];
  // `a...b` is what b has done since they parted.
  const base = range.includes('...') ? orFail(await repository.baseOf(old, next, signal)) : old;
  if (base === undefined) throw new CommandFailure(2, `${from} and ${to} have no commit in common`);
  return { of: range, measure: orFail(await meter.measureBetween(base, next, signal)) };
}

async function draw(file: string, measure: MeasuredChange): Promise<void> {
  const text = file.endsWith('.dot')
    ? changeGraphDot(measure, measure.texts)
    : await changeGraphSvg(measure, measure.texts);
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new CommandFailure(3, `${file} cannot be written: ${(error as Error).message}`);
  }
}

async function interactionsOf(
  [only, ...others]: readonly NamedChange[],
  program: string,
  root: string,
  signal: AbortSignal,
): Promise<{ readonly interactions: readonly Interaction[] }> {
  if (only === undefined || others.length > 0)
    throw new CommandFailure(2, '--program belongs to one change: name a single commit, or add --whole');
  const { found, notes } = orFail(await interactionsIn(only.measure, program, root, signal));
  for (const note of notes) process.stderr.write(`culprit: ${note}\n`);
  return { interactions: found };
}

/** What was not looked at in a range, counted: each commit's own notes are in its JSON. */
function tellNotes(changes: readonly NamedChange[]): void {
  const some = changes.filter(({ measure }) => measure.notes.length > 0);
  if (some.length > 0)
    process.stderr.write(
      `culprit: ${some.length} of ${changes.length} with notes, such as: ${some[0]?.measure.notes[0]} (all with --json)\n`,
    );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
