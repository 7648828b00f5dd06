/** Measures the complexity of a change: its change sequence graph, cyclomatic complexity and executable lines. */

import { runWithoutYielding } from '../../machine/index.js';
import type { FlowFunction } from '../../program/graph/index.js';
import type { SourceFile, SourceStatement } from '../../program/source/index.js';
import {
  type ChangedFunction,
  changedFunctions,
  executableStatements,
  functionsWithAddedLines,
  type ReadPair,
} from '../code/changed-code.js';
import { changedMacros } from '../code/changed-macros.js';
import { compiledForms } from './compiled-form.js';
import { complexityOf, type SequenceGraph, type SequenceOptions, sequenceSteps } from './sequence-graph.js';

export interface ChangeInput {
  readonly files: readonly ReadPair[];
  /** Unchanged files that use changed code, mostly macros. */
  readonly users?: readonly SourceFile[] | undefined;
  /** Compiled functions by file. Functions of other files are parsed from the source. */
  readonly compiled?: ReadonlyMap<string, readonly FlowFunction[]> | undefined;
  /** Names of functions whose addresses are taken in compiled code. Those in the source are found without it. */
  readonly taken?: Iterable<string> | undefined;
  readonly sourceNames?: SequenceOptions['sourceNames'];
  /** True if `compiled` is the whole program. Then the graph also includes functions of unchanged files. */
  readonly isWhole?: boolean | undefined;
}

/** A function with its changed lines and blocks. */
export interface MeasuredFunction {
  readonly name: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Changed executable lines, plus one for each gap. */
  readonly lines: number;
  /** Their positions: for removed code the line that is there now, for a use of changed code its line. */
  readonly at: readonly number[];
  /** Those of the lines that are unchanged themselves but use a changed macro or variable. */
  readonly uses: readonly number[];
  readonly blocks: readonly number[];
}

export interface ChangeMeasure {
  /** CyCC, E - N + 2P. */
  readonly complexity: number;
  /** CLoC: executable changed lines. */
  readonly lines: number;
  readonly functions: readonly MeasuredFunction[];
  readonly graph: SequenceGraph;
  /** The functions that the graph's blocks belong to. */
  readonly flow: readonly FlowFunction[];
}

/** @example const { complexity, lines } = measureChange({ files: [{ old, new: next, hunks }] }); */
export function measureChange(input: ChangeInput, options: SequenceOptions = {}): ChangeMeasure {
  return runWithoutYielding(measureSteps(input, options));
}

/** Like `measureChange`, with yield points. */
export function* measureSteps(
  input: ChangeInput,
  options: SequenceOptions = {},
): Generator<void, ChangeMeasure> {
  const { files, users = [], compiled = nothingCompiled } = input;
  const macros = changedMacros(files, users);
  const nothing = (file: string): SourceFile => ({
    file,
    functions: [],
    taken: new Set(),
    macros: [],
    declarations: [],
    faults: [],
  });
  const all: readonly ReadPair[] = [
    ...files,
    ...users.map((user) => ({
      ...{ old: nothing(user.file), new: user, hunks: [], kept: new Set(user.functions) },
      ...{ oldMarks: noMarks, newMarks: noMarks },
    })),
  ];
  const flow: FlowFunction[] = [];
  const marks: ReadonlySet<number>[] = [];
  const measured: MeasuredFunction[] = [];
  for (const pair of all) {
    yield;
    const touched = options.isAsPublished
      ? functionsWithAddedLines(pair)
      : changedFunctions(pair, macros.in(pair.new));
    const changed = new Map(touched.map((fn) => [fn.function, fn]));
    const forms = compiledForms(pair.new.functions, compiled.get(pair.new.file) ?? []);
    for (const [at, fn] of pair.new.functions.entries()) {
      yield;
      const change = changed.get(fn);
      let blocks: readonly number[] = [];
      for (const [nth, form] of (forms[at] ?? []).entries()) {
        const found = change === undefined ? new Set<number>() : changedBlocks(change, form, nth === 0);
        if (nth === 0 || blocks.length === 0) blocks = [...found].toSorted((a, b) => a - b);
        flow.push(form);
        marks.push(found);
      }
      if (change !== undefined && blocks.length > 0)
        measured.push({
          name: fn.name,
          file: pair.new.file,
          firstLine: fn.firstLine,
          lastLine: fn.lastLine,
          lines: lineCount(change),
          at: linesIn(change),
          uses: useLines(change),
          blocks,
        });
    }
  }
  if (input.isWhole) {
    const known = new Set(flow.flatMap(({ ids = [] }) => ids));
    for (const some of compiled.values())
      for (const fn of some) if (fn.ids?.every((id) => !known.has(id)) ?? true) flow.push(fn);
  }
  const taken = new Set(input.taken);
  for (const pair of all) for (const name of pair.new.taken) taken.add(name);
  const graph = yield* sequenceSteps(flow, marks, { ...options, taken, sourceNames: input.sourceNames });
  return {
    complexity: complexityOf(graph),
    lines: measured.reduce((sum, fn) => sum + fn.lines, 0),
    functions: measured,
    graph,
    flow,
  };
}

/** A statement that only uses changed code counts as its first line. */
function useLines({ uses }: ChangedFunction): readonly number[] {
  return [...new Set(uses.map(({ firstLine }) => firstLine))].toSorted((a, b) => a - b);
}

function lineCount(change: ChangedFunction): number {
  return change.lines.length + change.gaps.length + useLines(change).length;
}

function linesIn(change: ChangedFunction): readonly number[] {
  const places = [...change.gaps.map(({ line }) => line), ...useLines(change)];
  return [...new Set([...change.lines, ...places])].toSorted((a, b) => a - b);
}

/**
 * Blocks with a changed line; if a line has none, the blocks that end with a jump on that line; else the blocks of
 * the line's statement.
 *
 * @param isWhole the form is the function itself, not a lambda inside it
 */
function changedBlocks(
  { function: fn, lines, gaps, uses }: ChangedFunction,
  seen: FlowFunction,
  isWhole: boolean,
): Set<number> {
  const blocks = new Set<number>();
  const byLine = new LineIndex<number>();
  const jumps = new LineIndex<number>();
  for (const [at, { lines: own, jump }] of seen.blocks.entries()) {
    for (const { file, line } of own) if (file === seen.file) byLine.add(line, at);
    if (jump !== undefined && jump.file === seen.file) jumps.add(jump.line, at);
  }
  const blocksAt = (from: number, to: number): readonly number[] =>
    byLine.between(from, to).toSorted((a, b) => a - b);
  const statements = new LineIndex<SourceStatement>();
  for (const statement of executableStatements(fn))
    for (let line = statement.firstLine; line <= statement.lastLine; line++) statements.add(line, statement);
  const blocksOf = (line: number): readonly number[] => {
    const exact = blocksAt(line, line);
    if (exact.length > 0 || !isWhole) return exact;
    const ending = jumps.between(line, line);
    if (ending.length > 0) return ending;
    return statements.between(line, line).flatMap(({ firstLine, lastLine }) => blocksAt(firstLine, lastLine));
  };
  for (const line of lines) for (const block of blocksOf(line)) blocks.add(block);
  for (const { line, isAfter } of gaps) {
    const beside = blocksOf(line);
    const block = isAfter ? beside.at(-1) : beside[0];
    if (block !== undefined) blocks.add(block);
    // Only the braces of the function remain.
    else if (isWhole && seen.blocks.length > 0) blocks.add(0);
  }
  for (const { firstLine, lastLine } of uses)
    for (const block of blocksAt(firstLine, lastLine)) blocks.add(block);
  return blocks;
}

/** Values by line. */
class LineIndex<Thing> {
  readonly #at = new Map<number, Thing[]>();

  add(line: number, thing: Thing): void {
    const known = this.#at.get(line);
    if (known === undefined) this.#at.set(line, [thing]);
    else known.push(thing);
  }

  /** Without duplicates. */
  between(from: number, to: number): readonly Thing[] {
    const found = new Set<Thing>();
    for (let line = from; line <= to; line++) for (const thing of this.#at.get(line) ?? []) found.add(thing);
    return [...found];
  }
}

const nothingCompiled: ReadonlyMap<string, readonly FlowFunction[]> = new Map();

const noMarks = { branches: new Set<number>(), closings: new Set<number>() };
