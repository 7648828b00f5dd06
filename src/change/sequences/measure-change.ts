/** Measures the complexity of a change: its change sequence graph, cyclomatic complexity and executable lines. */

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
import { ascending, pushTo } from '../hunks/collections.js';
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
  readonly flow: readonly FlowFunction[];
}

/** Yields after each function. */
export function* measureChange(
  input: ChangeInput,
  options: SequenceOptions = {},
): Generator<void, ChangeMeasure> {
  const { files, users = [], compiled = new Map<string, readonly FlowFunction[]>() } = input;
  const macros = changedMacros(files, users);
  const noMarks = { branches: new Set<number>(), closings: new Set<number>() };
  const all: readonly ReadPair[] = [
    ...files,
    ...users.map(
      (user): ReadPair => ({
        ...{ old: { ...user, functions: [] }, new: user, hunks: [], unchanged: new Set(user.functions) },
        ...{ oldMarks: noMarks, newMarks: noMarks },
      }),
    ),
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
        if (nth === 0 || blocks.length === 0) blocks = ascending(found);
        flow.push(form);
        marks.push(found);
      }
      if (change !== undefined && blocks.length > 0)
        measured.push({
          name: fn.name,
          file: pair.new.file,
          firstLine: fn.firstLine,
          lastLine: fn.lastLine,
          lines: change.lines.length + change.gaps.length + useLines(change).length,
          at: ascending(
            new Set([...change.lines, ...change.gaps.map(({ line }) => line), ...useLines(change)]),
          ),
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
  return ascending(new Set(uses.map(({ firstLine }) => firstLine)));
}

/**
 * Blocks with a changed line; if a line has none, the blocks that end with a jump on that line; else the blocks of
 * the line's statement.
 *
 * @param isWhole the form is the function itself, not a lambda inside it
 */
function changedBlocks(
  { function: fn, lines, gaps, uses }: ChangedFunction,
  form: FlowFunction,
  isWhole: boolean,
): Set<number> {
  const blocks = new Set<number>();
  const byLine = new Map<number, number[]>();
  const jumps = new Map<number, number[]>();
  for (const [at, { lines: blockLines, jump }] of form.blocks.entries()) {
    for (const { file, line } of blockLines) if (file === form.file) pushTo(byLine, line, at);
    if (jump !== undefined && jump.file === form.file) pushTo(jumps, jump.line, at);
  }
  const blocksAt = (from: number, to: number): readonly number[] => {
    const found = new Set<number>();
    for (let line = from; line <= to; line++) for (const block of byLine.get(line) ?? []) found.add(block);
    return ascending(found);
  };
  const statements = new Map<number, SourceStatement[]>();
  for (const statement of executableStatements(fn))
    for (let line = statement.firstLine; line <= statement.lastLine; line++)
      pushTo(statements, line, statement);
  const blocksOf = (line: number): readonly number[] => {
    const exact = blocksAt(line, line);
    if (exact.length > 0 || !isWhole) return exact;
    return (
      jumps.get(line) ??
      (statements.get(line) ?? []).flatMap(({ firstLine, lastLine }) => blocksAt(firstLine, lastLine))
    );
  };
  for (const line of lines) for (const block of blocksOf(line)) blocks.add(block);
  for (const { line, isAfter } of gaps) {
    const neighbours = blocksOf(line);
    const block = isAfter ? neighbours.at(-1) : neighbours[0];
    if (block !== undefined) blocks.add(block);
    // Only the braces of the function remain.
    else if (isWhole && form.blocks.length > 0) blocks.add(0);
  }
  for (const { firstLine, lastLine } of uses)
    for (const block of blocksAt(firstLine, lastLine)) blocks.add(block);
  return blocks;
}
