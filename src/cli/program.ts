import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { Fault } from '../machine/index.js';
import { type BuiltProgram, programOf } from '../program/compile/index.js';
import { DependenceGraph, type ProgramFlow, ProgramFlowBuilder } from '../program/dependence/index.js';
import type { SourceLine } from '../program/graph/index.js';
import { type IrModule, Program, readModule, sourceFile } from '../program/ir/index.js';
import { functionText, functionView, programSizeText, sliceText, visibleLine } from '../report/index.js';
import { CommandFailure } from './failure.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { orFail } from './versions.js';

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
    .description('a C or C++ program as graphs: control flow, calls, and what depends on what')
    .argument('<built>', 'what culprit-cc or culprit-c++ built, or a compile_commands.json')
    .option('--function <name>', 'the blocks of a function, who calls it and whom it calls')
    .option('--backward <file:line>', 'everything a line depends on')
    .option('--forward <file:line>', 'everything that depends on a line')
    .option('--root <folder>', "what the sources' names are relative to", '.')
    .option('--json', 'print JSON')
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
  if ([name, backward, forward].filter((one) => one !== undefined).length > 1)
    throw new CommandFailure(2, 'one question at a time: --function, --backward or --forward');
  const slice = backward ?? forward;
  const line = slice === undefined ? undefined : lineArgument(slice);
  const built = orFail(await programOf(path, { isUnoptimized: true }));
  if (built.size === 0) throw new CommandFailure(2, `there is no code in ${path}`);
  if (line !== undefined) await tellSlice(built, line, backward !== undefined, options, signal);
  else await tellFlow(path, built, options, signal);
  return 0;
}

async function tellFlow(
  path: string,
  built: BuiltProgram,
  { function: name, root, json }: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const builder = new ProgramFlowBuilder(resolve(root));
  await eachModule(built, signal, (module) => builder.add(module));
  const program = builder.link();
  if (name !== undefined) tellFunction(program, name, json ?? false);
  else if (json)
    print(
      JSON.stringify({
        modules: built.size,
        ...program.size(),
        without: built.without,
        notes: builder.notes,
      }),
    );
  else {
    print(programSizeText(path, built.size, program.size()));
    if (built.without.length > 0) print(`without IR: ${built.without.join(', ')}`);
  }
  tellNotes(builder.notes);
}

function tellNotes(notes: readonly string[]): void {
  for (const note of notes.slice(0, mostNotes)) process.stderr.write(`culprit: ${visibleLine(note)}\n`);
  if (notes.length > mostNotes)
    process.stderr.write(`culprit: and ${notes.length - mostNotes} more such places\n`);
}

function tellFunction(program: ProgramFlow, name: string, isJson: boolean): void {
  const found = program.find(name);
  if (found.length === 0) throw new CommandFailure(2, `the program has no function ${name}`);
  const views = found.map((id) => functionView(program, id));
  if (isJson) for (const view of views) print(JSON.stringify(view));
  else print(views.map(functionText).join('\n\n'));
}

async function tellSlice(
  built: BuiltProgram,
  asked: SourceLine,
  isBackward: boolean,
  { root, json }: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const modules: IrModule[] = [];
  await eachModule(built, signal, (module) => modules.push(module));
  const program = new Program(modules);
  tellNotes(program.notes);
  const graph = new DependenceGraph(program);
  const folder = resolve(root);
  const at = { file: sourceFile({ file: asked.file, directory: folder }, folder), line: asked.line };
  const nodes = graph.nodesAt(at, folder);
  if (nodes.length === 0)
    throw new CommandFailure(
      2,
      `nothing is executed at ${at.file}:${at.line}; files are named relative to ${folder}`,
    );
  const lines = graph.linesOf(isBackward ? graph.backwardSlice(nodes) : graph.forwardSlice(nodes), folder);
  if (json) {
    print(
      JSON.stringify({
        of: at,
        direction: isBackward ? 'backward' : 'forward',
        lines,
        isCoarse: graph.isCoarse,
      }),
    );
    return;
  }
  const texts = await textsOf(lines, folder);
  print(sliceText(lines, ({ file, line }) => texts.get(file)?.[line - 1]));
  if (graph.isCoarse)
    process.stderr.write(
      'culprit: calls of a function are not told apart: the program is too large for that\n',
    );
}

async function eachModule(
  built: BuiltProgram,
  signal: AbortSignal,
  take: (module: IrModule) => void,
): Promise<void> {
  const progress = new Progress();
  let done = 0;
  for await (const one of built.modules(signal)) {
    progress.show(`${done++} of ${built.size} modules`);
    if (one instanceof Fault) {
      progress.clear();
      process.stderr.write(`culprit: ${one.message}\n`);
    } else take(readModule(one.text));
  }
  progress.clear();
}

async function textsOf(
  lines: readonly SourceLine[],
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (const file of new Set(lines.map((one) => one.file)))
    try {
      texts.set(file, (await readFile(resolve(folder, file), 'utf8')).split(/\r?\n/));
    } catch {
      // Lines are shown by their numbers then.
    }
  return texts;
}

function lineArgument(text: string): SourceLine {
  const match = /^(.+):([1-9]\d*)$/.exec(text);
  if (match === null) throw new CommandFailure(2, `${text} is no line: write it as src/main.c:12`);
  return { file: match[1] as string, line: Number(match[2]) };
}

const mostNotes = 5;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
