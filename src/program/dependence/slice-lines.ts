/** Everything a line depends on, or that depends on it, as lines. */

import { type Fault, usageFault } from '../../machine/index.js';
import type { SourceLine } from '../graph/index.js';
import { type Program, sourceFile } from '../ir/index.js';
import { DependenceGraph } from './dependence-graph.js';

export interface LineSlice {
  /** The line it is of, its file named as those of the others. */
  readonly of: SourceLine;
  readonly direction: 'backward' | 'forward';
  readonly lines: readonly SourceLine[];
  /** Calls of a function are not told apart: the program is too large for that. */
  readonly isCoarse: boolean;
}

/** @param folder what files are named relative to, in full */
export function sliceLines(
  program: Program,
  asked: SourceLine,
  direction: LineSlice['direction'],
  folder: string,
): LineSlice | Fault {
  const graph = new DependenceGraph(program);
  const of = { file: sourceFile({ file: asked.file, directory: folder }, folder), line: asked.line };
  const nodes = graph.nodesAt(of, folder);
  if (nodes.length === 0)
    return usageFault(`nothing is executed at ${of.file}:${of.line}; files are named relative to ${folder}`);
  const slice = direction === 'backward' ? graph.backwardSlice(nodes) : graph.forwardSlice(nodes);
  return { of, direction, lines: graph.linesOf(slice, folder), isCoarse: graph.isCoarse };
}
