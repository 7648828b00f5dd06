/** How complex a change is: its change sequence graph, cyclomatic complexity and executable lines. */

import { atOnce } from '../../machine/index.js';
import type { FlowFunction } from '../../program/graph/index.js';
import type { SourceFile, SourceStatement } from '../../program/source/index.js';
import {
  type ChangedFunction,
  changedFunctions,
  executedIn,
  functionsWithAddedLines,
  type ReadPair,
} from '../code/changed-code.js';
import { changedMacros } from '../code/changed-macros.js';
import { formsOf } from './compiled-form.js';
import { complexityOf, type SequenceGraph, type SequenceOptions, sequenceSteps } from './sequence-graph.js';

export interface ChangeInput {
  readonly files: readonly ReadPair[];
  /** Files that did not change themselves but use what did: macros, above all. */
  readonly users?: readonly SourceFile[] | undefined;
  /** By file, functions as the compiler sees them; those of other files are read from the source. */
  readonly compiled?: ReadonlyMap<string, readonly FlowFunction[]> | undefined;
  /** Names of functions whose addresses the compiler saw taken, besides those the source shows. */
  readonly taken?: Iterable<string> | undefined;
  /** What was compiled is the whole program: also functions of files that did not change are walked through. */
  readonly isWhole?: boolean | undefined;
}

/** A function with what changed in it. */
export interface MeasuredFunction {
  readonly name: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Executable lines that changed, with one for each place something was taken away from. */
  readonly lines: number;
  /** Where they are: of what was taken away, what stands there now; of what is only used, where. */
  readonly at: readonly number[];
  /** Those of them on which nothing is written differently: they use a macro or a variable that is. */
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
  /** What the graph's blocks belong to. */
  readonly flow: readonly FlowFunction[];
}

/**
 * @example
 * const { complexity, lines } = measureChange({ files: [{ old, new: next, hunks }] });
 */
export function measureChange(input: ChangeInput, options: SequenceOptions = {}): ChangeMeasure {
  return atOnce(measureSteps(input, options));
}

/** The same, in steps between which others may have their turn. */
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
    const forms = formsOf(pair.new.functions, compiled.get(pair.new.file) ?? []);
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
  const graph = yield* sequenceSteps(flow, marks, { ...options, taken });
  return {
    complexity: complexityOf(graph),
    lines: measured.reduce((sum, fn) => sum + fn.lines, 0),
    functions: measured,
    graph,
    flow,
  };
}

/** A statement that only uses what changed counts as the line it begins on. */
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
 * Blocks that hold a changed line; where none does, those that end with a jump written there; else those of the
 * statement the line belongs to.
 *
 * @param isWhole the form is of the function itself, not of something inside it
 */
function changedBlocks(
  { function: fn, lines, gaps, uses }: ChangedFunction,
  seen: FlowFunction,
  isWhole: boolean,
): Set<number> {
  const blocks = new Set<number>();
  const byLine = new ByLine<number>();
  const jumps = new ByLine<number>();
  for (const [at, { lines: own, jump }] of seen.blocks.entries()) {
    for (const { file, line } of own) if (file === seen.file) byLine.add(line, at);
    if (jump !== undefined && jump.file === seen.file) jumps.add(jump.line, at);
  }
  const blocksAt = (from: number, to: number): readonly number[] =>
    byLine.between(from, to).toSorted((a, b) => a - b);
  const statements = new ByLine<SourceStatement>();
  for (const statement of executedIn(fn))
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
    // Nothing is left of the function but its braces.
    else if (isWhole && seen.blocks.length > 0) blocks.add(0);
  }
  for (const { firstLine, lastLine } of uses)
    for (const block of blocksAt(firstLine, lastLine)) blocks.add(block);
  return blocks;
}

/** What is on which lines. */
class ByLine<Thing> {
  readonly #at = new Map<number, Thing[]>();

  add(line: number, thing: Thing): void {
    const known = this.#at.get(line);
    if (known === undefined) this.#at.set(line, [thing]);
    else known.push(thing);
  }

  /** Each once. */
  between(from: number, to: number): readonly Thing[] {
    const found = new Set<Thing>();
    for (let line = from; line <= to; line++) for (const thing of this.#at.get(line) ?? []) found.add(thing);
    return [...found];
  }
}

const nothingCompiled: ReadonlyMap<string, readonly FlowFunction[]> = new Map();

const noMarks = { branches: new Set<number>(), closings: new Set<number>() };
