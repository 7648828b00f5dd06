/** How complex a change is: its change sequence graph, cyclomatic complexity and executable lines. */

import type { FlowFunction } from '../program/flow.js';
import type { SourceFile, SourceFunction } from '../program/source/source-file.js';
import {
  type ChangedFunction,
  changedFunctions,
  changedMacros,
  executedIn,
  type ReadPair,
} from './changed-code.js';
import { complexityOf, type SequenceGraph, type SequenceOptions, sequenceGraph } from './sequence-graph.js';

export interface ChangeInput {
  readonly files: readonly ReadPair[];
  /** Files that did not change themselves but use what did: macros, above all. */
  readonly users?: readonly SourceFile[];
  /** By file, functions as the compiler sees them; those of other files are read from the source. */
  readonly compiled?: ReadonlyMap<string, readonly FlowFunction[]>;
}

/** A function with what changed in it. */
export interface MeasuredFunction {
  readonly name: string;
  readonly file: string;
  readonly firstLine: number;
  /** Executable lines that changed, with one for each place something was taken away from. */
  readonly lines: number;
  /** Where they are: of what was taken away, what stands there now; of what is only used, where. */
  readonly at: readonly number[];
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
  const { files, users = [], compiled = new Map() } = input;
  const macros = changedMacros(files, users);
  const nothing = (file: string): SourceFile => ({
    file,
    functions: [],
    macros: [],
    declarations: [],
    faults: [],
  });
  const all: readonly ReadPair[] = [
    ...files,
    ...users.map((one) => ({ old: nothing(one.file), new: one, hunks: [], kept: new Set(one.functions) })),
  ];
  const flow: FlowFunction[] = [];
  const marks: ReadonlySet<number>[] = [];
  const measured: MeasuredFunction[] = [];
  for (const pair of all) {
    const changed = new Map(changedFunctions(pair, macros).map((one) => [one.function, one]));
    for (const fn of pair.new.functions) {
      const seen = compiledForm(fn, compiled.get(pair.new.file) ?? []);
      const change = changed.get(fn);
      const blocks = change === undefined ? new Set<number>() : changedBlocks(change, seen);
      flow.push(seen);
      marks.push(blocks);
      if (change !== undefined && blocks.size > 0)
        measured.push({
          name: fn.name,
          file: pair.new.file,
          firstLine: fn.firstLine,
          lines: lineCount(change),
          at: linesIn(change),
          blocks: [...blocks].toSorted((a, b) => a - b),
        });
    }
  }
  const graph = sequenceGraph(flow, marks, options);
  return {
    complexity: complexityOf(graph),
    lines: measured.reduce((sum, one) => sum + one.lines, 0),
    functions: measured,
    graph,
    flow,
  };
}

/** The function as the compiler sees it, under the name calls in the source use; itself if it was not compiled. */
function compiledForm(fn: SourceFunction, compiled: readonly FlowFunction[]): FlowFunction {
  // The first of several made from one template stands for all.
  const found = compiled.find(({ firstLine }) => firstLine >= fn.firstLine && firstLine <= fn.lastLine);
  return found === undefined ? fn : { ...found, firstLine: fn.firstLine, lastLine: fn.lastLine };
}

/** A statement that only uses what changed counts as the line it begins on. */
function lineCount({ lines, gaps, uses }: ChangedFunction): number {
  return lines.length + gaps.length + new Set(uses.map(({ firstLine }) => firstLine)).size;
}

function linesIn({ lines, gaps, uses }: ChangedFunction): readonly number[] {
  const all = new Set([...lines, ...gaps, ...uses.map(({ firstLine }) => firstLine)]);
  return [...all].toSorted((a, b) => a - b);
}

/** Blocks that hold a changed line; where none does, those of the statement the line belongs to. */
function changedBlocks(
  { function: fn, lines, gaps, uses }: ChangedFunction,
  seen: FlowFunction,
): Set<number> {
  const blocks = new Set<number>();
  const blocksAt = (from: number, to: number): readonly number[] =>
    [...seen.blocks.keys()].filter((at) =>
      seen.blocks[at]?.lines.some(({ file, line }) => file === seen.file && line >= from && line <= to),
    );
  const executed = executedIn(fn);
  const statementsAt = (line: number) =>
    executed.filter((one) => one.firstLine <= line && line <= one.lastLine);
  const blocksOf = (line: number): readonly number[] => {
    const exact = blocksAt(line, line);
    if (exact.length > 0) return exact;
    return statementsAt(line).flatMap((one) => blocksAt(one.firstLine, one.lastLine));
  };
  for (const line of lines) for (const block of blocksOf(line)) blocks.add(block);
  // A dummy statement stands before what is there now.
  for (const line of gaps) for (const block of blocksOf(line).slice(0, 1)) blocks.add(block);
  for (const { firstLine, lastLine } of uses)
    for (const block of blocksAt(firstLine, lastLine)) blocks.add(block);
  return blocks;
}
