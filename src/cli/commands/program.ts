import { resolve } from 'node:path';
import { Command } from 'commander';
import { codeOfLines } from '../../jobs/index.js';
import { Fault } from '../../machine/index.js';
import { type BuiltProgram, programOf } from '../../program/compile/index.js';
import { type ProgramFlow, ProgramFlowBuilder, sliceLines } from '../../program/dependence/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import { type IrModule, Program, readModule } from '../../program/ir/index.js';
import { functionText, functionViews, programSizeText, sliceText } from '../../report/index.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { endsAtOnce, interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { print, printJson, printLine, warn } from '../screen/terminal.js';

interface ProgramOptions {
  readonly function?: string;
  readonly backward?: string;
  readonly forward?: string;
  readonly root: string;
  readonly json?: boolean;
}

/** `culprit program`: a program as graphs. */
export function programCommand(): Command {
  return new Command('program')
    .argument('<built>', 'program built by culprit-cc or culprit-c++, or a compile_commands.json')
    .option('--function <name>', 'show the blocks, callers and callees of a function')
    .option('--backward <file:line>', 'show everything that this line depends on')
    .option('--forward <file:line>', 'show everything that depends on this line')
    .option('--root <folder>', 'folder that source names are relative to', '.')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ culprit program src/grep\n' +
        '  $ culprit program src/grep --function main\n' +
        '  $ culprit program src/grep --backward src/grep.c:2950',
    )
    .action(async (built: string, options: ProgramOptions) => {
      process.exitCode = await interruptible((signal) => run(built, options, signal));
    });
}

async function run(path: string, options: ProgramOptions, signal: AbortSignal): Promise<number> {
  const { function: name, backward, forward } = options;
  if ([name, backward, forward].filter((question) => question !== undefined).length > 1)
    throw new CommandFailure(2, 'one question at a time: --function, --backward or --forward');
  const slice = backward ?? forward;
  const line = slice === undefined ? undefined : lineArgument(slice);
  const built = orFail(await programOf(path, { isUnoptimized: true }));
  if (built.size === 0) throw new CommandFailure(2, `there is no code in ${path}`);
  if (line === undefined) await tellFlow(path, built, options, signal);
  else await tellSlice(built, line, backward === undefined ? 'forward' : 'backward', options, signal);
  return 0;
}

async function tellFlow(
  path: string,
  built: BuiltProgram,
  { function: name, root, json = false }: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const builder = new ProgramFlowBuilder(resolve(root));
  await eachModule(built, signal, (module) => builder.add(module));
  const program = builder.link();
  if (name !== undefined) tellFunction(program, name, json);
  else if (json) {
    const { size: modules, without: withoutIr } = built;
    printJson('program', { modules, ...program.size(), withoutIr, notes: builder.notes });
  } else {
    print(programSizeText(path, built.size, program.size()));
    if (built.without.length > 0) printLine(`without IR: ${built.without.join(', ')}`);
  }
  tellNotes(builder.notes);
}

function tellFunction(program: ProgramFlow, name: string, isJson: boolean): void {
  const views = functionViews(program, name);
  if (views.length === 0) throw new CommandFailure(2, `the program has no function ${name}`);
  if (isJson) for (const view of views) printJson('program-function', view);
  else print(views.map(functionText).join('\n\n'));
}

async function tellSlice(
  built: BuiltProgram,
  asked: SourceLine,
  direction: 'backward' | 'forward',
  { root, json }: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const modules: IrModule[] = [];
  await eachModule(built, signal, (module) => modules.push(module));
  endsAtOnce();
  const program = new Program(modules);
  tellNotes(program.notes);
  const folder = resolve(root);
  const slice = orFail(sliceLines(program, asked, direction, folder));
  if (json) {
    printJson('program-slice', slice);
    return;
  }
  print(sliceText(slice.lines, codeOfLines(slice.lines, folder)));
  if (slice.isCoarse) warn('calls of a function are not told apart: the program is too large for that');
}

/** Programs that cannot be read are reported and skipped. */
async function eachModule(
  built: BuiltProgram,
  signal: AbortSignal,
  take: (module: IrModule) => void,
): Promise<void> {
  const progress = new Progress();
  let done = 0;
  for await (const module of built.modules(signal)) {
    progress.show(`${done++} of ${built.size} modules`);
    if (module instanceof Fault) {
      progress.clear();
      warn(module.message);
    } else take(readModule(module.text));
  }
  progress.clear();
}

function lineArgument(text: string): SourceLine {
  const [, file, line] = /^(.+):([1-9]\d*)$/.exec(text) ?? [];
  if (file === undefined) throw new CommandFailure(2, `${text} is not a line: write it as src/main.c:12`);
  return { file, line: Number(line) };
}

const mostNotes = 5;

function tellNotes(notes: readonly string[]): void {
  for (const note of notes.slice(0, mostNotes)) warn(note);
  if (notes.length > mostNotes) warn(`and ${notes.length - mostNotes} more such places`);
}
