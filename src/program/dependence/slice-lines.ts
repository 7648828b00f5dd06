import { type Fault, usageFault } from '../../machine/index.js';
import type { SourceLine } from '../graph/index.js';
import { type Program, sourceFile } from '../ir/index.js';
import { DependenceGraph } from './dependence-graph.js';

export interface LineSlice {
  /** The line that was sliced, with its file named as in `lines`. */
  readonly of: SourceLine;
  readonly direction: 'backward' | 'forward';
  readonly lines: readonly SourceLine[];
  /** The program is too large to distinguish the calls of a function. */
  readonly isCoarse: boolean;
}

/** @param folder absolute path that file names are relative to */
export function sliceLines(
  program: Program,
  line: SourceLine,
  direction: LineSlice['direction'],
  folder: string,
): LineSlice | Fault {
  const graph = new DependenceGraph(program);
  const of = { file: sourceFile({ file: line.file, directory: folder }, folder), line: line.line };
  const nodes = graph.nodesAt(of, folder);
  if (nodes.length === 0)
    return usageFault(`no code at ${of.file}:${of.line}; name files relative to ${folder}`);
  const slice = direction === 'backward' ? graph.backwardSlice(nodes) : graph.forwardSlice(nodes);
  return { of, direction, lines: graph.linesOf(slice, folder), isCoarse: graph.isCoarse };
}
