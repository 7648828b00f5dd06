/**
 * Programs marked with their slices: the slice from the lines that end with `<` consists of the lines that end with
 * `*` or `<`. Pure declarations and lines without an instruction are never in a slice.
 */

import { expect } from 'vitest';
import { DependenceGraph } from '../../../src/program/dependence/dependence-graph.js';
import { idsBelow, type NodeId } from '../../../src/program/graph/index.js';
import { Program, readModule } from '../../../src/program/ir/index.js';
import { compileC } from './compile.js';

export function graphOf(source: string): DependenceGraph {
  return new DependenceGraph(new Program([readModule(compileC(source))]));
}

export function expectSlice(
  source: string,
  slice: 'backwardSlice' | 'forwardSlice',
  compiled: (source: string, passes?: string) => string = compileC,
): void {
  const lines = source.split('\n');
  const marked = (marks: RegExp): number[] => lines.flatMap((line, at) => (marks.test(line) ? [at + 1] : []));
  for (const passes of [undefined, 'mem2reg']) {
    const graph = new DependenceGraph(new Program([readModule(compiled(source, passes))]));
    const from = new Set(marked(/\/\/ <$/));
    const all: NodeId[] = [];
    for (const node of idsBelow<NodeId>(graph.instructionCount))
      if (graph.linesOf([node]).some(({ line }) => from.has(line))) all.push(node);
    // Backward slices start from the line's last instruction, not from its arguments.
    const nodes = slice === 'backwardSlice' ? all.slice(-1) : all;
    const found = graph.linesOf(graph[slice](nodes)).map(({ line }) => line);
    if (passes === undefined) expect(shown(lines, found)).toEqual(shown(lines, marked(/\/\/ [<*]$/)));
    // After mem2reg some lines have no instruction.
    else expect(found.filter((line) => !marked(/\/\/ [<*]$/).includes(line))).toEqual([]);
  }
}

function shown(lines: readonly string[], numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => (lines[number - 1] ?? '').replace(/\/\/.*/, '').trim());
}
