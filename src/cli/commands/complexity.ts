import { Command } from 'commander';
import { interactionsIn, measureNamed, type NamedChange, type OnProgramStep } from '../../change/index.js';
import {
  aboveText,
  changeGraph,
  complexityHtml,
  complexityJson,
  complexityMarkdown,
  complexityNotices,
  complexityText,
  detailsText,
  interactionsText,
  isAbove,
  isGraphFile,
  mostComplex,
  notesText,
  shownChanges,
} from '../../report/index.js';
import { shortId } from '../../repository/index.js';
import { countArgument, limitArgument } from '../options/arguments.js';
import { mustBeWritable, putAndTell, standardOutput, withForceOption } from '../options/named-output.js';
import {
  mustTakeNotices,
  type NoticeOptions,
  takeNotices,
  withNoticeOptions,
} from '../options/notice-options.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { endsAtOnce, interruptible } from '../screen/interrupt.js';
import { ProgramProgress } from '../screen/program-progress.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, warn } from '../screen/terminal.js';

interface ComplexityOptions extends NoticeOptions {
  readonly repo: string;
  readonly folders?: readonly string[];
  readonly whole?: boolean;
  readonly max?: number;
  readonly top?: number;
  readonly all?: boolean;
  readonly graph?: string;
  readonly program?: string;
  readonly compileCommands?: string;
  readonly compiler: boolean;
  readonly asPublished?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly markdown?: string;
}

/** `culprit complexity`: the complexity of changes. */
export function complexityCommand(): Command {
  return withNoticeOptions(withForceOption(new Command('complexity')))
    .argument('[change]', 'commit or range such as v1..v2 (default: uncommitted changes)')
    .option('--repo <path>', 'git repository (read only)', '.')
    .option('--folders <old-and-new...>', 'compare two folders instead of commits of a repository')
    .option('--whole', 'treat a range as one change instead of one change per commit')
    .option('--max <n>', 'exit with code 1 if a change is more complex than this', limitArgument)
    .option('--top <n>', 'in a range, show only the n most complex changes, sorted', countArgument)
    .option('--all', 'in a range, also show changes without executable code')
    .option('--graph <file>', 'draw the change sequence graph of one change as .svg or .dot')
    .option(
      '--program <file>',
      'new version built by culprit-cc, or its compile_commands.json: follow calls through the whole program and report where changes can interact',
    )
    .option('--compile-commands <file>', 'compile_commands.json of the files')
    .option('--no-compiler', 'read source text only, compile nothing')
    .option('--as-published', 'Algorithms 7 and 5 to the letter, on the lines that diff finds')
    .option('--json', 'print one JSON object per change')
    .option('--html <file>', 'write an HTML page with the changed code in colours (- for standard output)')
    .option('--markdown <file>', 'write a comment for a pull request (- for standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit complexity HEAD\n' +
        '  $ culprit complexity HEAD~1..HEAD --max 40\n' +
        '  $ culprit complexity v1.0..v1.1 --top 10 --html changes.html\n' +
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
  const { graph, program, top, json } = options;
  if (graph !== undefined && !isGraphFile(graph))
    throw new CommandFailure(2, `--graph ${graph}: the file's name must end in .svg or .dot`);
  const named = [graph, options.html, options.markdown].filter((file) => file !== undefined);
  const printed = named.filter((file) => file === standardOutput).length;
  if (printed + (json ? 1 : 0) > 1)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  for (const file of named) await mustBeWritable(file, options);
  if (options.max === undefined && (options.sarif ?? options.annotate ?? options.baseline) !== undefined)
    throw new CommandFailure(2, 'nothing is to be told without a limit: --max N says what is too complex');
  const known = await mustTakeNotices(options);
  const progress = new Progress();
  const steps = new ProgramProgress(progress);
  const onStep: OnProgramStep = (step, done, all) => steps.show(step, done, all);
  const { changes, program: whole } = orFail(
    await measureNamed({
      change,
      repo: options.repo,
      folders: options.folders,
      isWhole: options.whole ?? false,
      isAsPublished: options.asPublished ?? false,
      withCompiler: options.compiler,
      compileCommands: options.compileCommands,
      program,
      onProgram: endsAtOnce,
      onStep,
      signal,
      onNote: warn,
      onCommit: (done, all) => {
        if (all > 1) progress.follow({ step: 'measuring', done, total: all, what: 'commit' });
      },
    }).finally(() => progress.clear()),
  );
  const interactions =
    whole === undefined
      ? undefined
      : interactionsIn(
          only(changes, '--program needs a single change: name one commit, or add --whole').measure,
          whole,
          { isAsPublished: options.asPublished, onStep },
        );
  progress.clear();
  if (graph !== undefined) {
    const one = only(changes, '--graph draws one change: name a single commit, or add --whole');
    await putAndTell(graph, await changeGraph(graph, one, interactions?.sequences), options);
  }
  const shown = top === undefined ? changes : mostComplex(changes, top);
  if (json) for (const change of shown) printJson('complexity', complexityJson(change, interactions));
  else if (printed === 0) {
    printRows(shown, options);
    tellMore(changes);
    if (interactions !== undefined) print(interactionsText(interactions.found));
  }
  const { max, html, markdown, all: isEvery } = options;
  if (html !== undefined)
    await putAndTell(
      html,
      await complexityHtml({ changes, max, isEvery, top, interactions }, packageVersion),
      options,
    );
  if (markdown !== undefined) await putAndTell(markdown, complexityMarkdown(changes, max), options);
  if (max === undefined) return 0;
  const fresh = await takeNotices(complexityNotices(changes, max), known, options);
  tellAbove(changes, max);
  return fresh.length === 0 ? 0 : 1;
}

/** In a range, changes of complexity 0 are counted, and listed only with --all. */
function printRows(changes: readonly NamedChange[], { all = false, max }: ComplexityOptions): void {
  const { rows, left } = shownChanges(changes, all);
  print(complexityText(rows, { max, ink }));
  if (left > 0) print(`${left} more of complexity 0 (--all shows them)`);
}

/** The details of a single change, or the notes on several. */
function tellMore(changes: readonly NamedChange[]): void {
  const [first, ...others] = changes;
  if (first === undefined) return;
  const details = others.length > 0 ? '' : detailsText(first);
  if (details !== '') print(`\n${details}`);
  const notes = others.length > 0 ? notesText(changes) : undefined;
  if (notes !== undefined) for (const line of notes.split('\n')) warn(line);
}

/** The maximum number of changes above the limit that a message names. */
const mostNamed = 5;

function tellAbove(changes: readonly NamedChange[], max: number): void {
  const text = aboveText(changes, max);
  if (text === undefined) return;
  const above = changes.filter((change) => isAbove(change, max));
  const named = mostComplex(above, mostNamed).map(
    ({ of, measure }) => `${typeof of === 'string' ? of : shortId(of.id)} (${measure.complexity})`,
  );
  const more = above.length > named.length ? ' and others' : '';
  warn(`${text}: ${named.join(', ')}${more}`);
}

function only([first, ...others]: readonly NamedChange[], otherwise: string): NamedChange {
  if (first === undefined || others.length > 0) throw new CommandFailure(2, otherwise);
  return first;
}
