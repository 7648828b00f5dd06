/**
 * Computes line counts from arcs by gcov's rule: the executions that enter a line from other lines, plus the
 * iterations of loops that lie completely on it.
 */

import { type Flow, flowOf } from './flow.js';
import type { NotedFunction } from './notes.js';

/** A function of one compiled source, with the arcs of its lines. */
export interface FunctionSums {
  readonly noted: NotedFunction;
  readonly flow: Flow;
  readonly lines: readonly LineSum[];
}

export interface LineSum {
  readonly source: string;
  readonly line: number;
  /** Arcs whose sum is the count of the line; an arc may occur more than once. */
  readonly arcs: readonly number[];
  /** Blocks on this line with loops among them, in order; none without a loop. */
  readonly loops: readonly number[];
}

const entry = 0;

/**
 * Functions that begin on the same line are instances of one template, and each has its own lines.
 *
 * @param functions all functions of one compiled source, since they share lines
 * @param isLinked selects functions; a program contains one of several copies
 */
export function lineSums(
  functions: readonly NotedFunction[],
  isLinked: (noted: NotedFunction) => boolean = () => true,
): readonly FunctionSums[] {
  const written = functions.filter(({ isArtificial }) => !isArtificial);
  const starts = new Map<string, number>();
  const startOf = ({ source, startLine }: NotedFunction): string => `${startLine} ${source}`;
  for (const noted of written) starts.set(startOf(noted), (starts.get(startOf(noted)) ?? 0) + 1);
  const functionLines = written.map((noted) => blocksOnLines(noted, (starts.get(startOf(noted)) ?? 0) > 1));
  // If a block ends on a line, functions that only pass the line do not count.
  const shared = new Set<string>();
  for (const { lines } of functionLines)
    for (const [key, { ends, isOwn }] of lines) if (ends.length > 0 && !isOwn) shared.add(key);
  return functionLines
    .filter(({ noted }) => isLinked(noted))
    .map(({ noted, lines }) => {
      const flow = flowOf(noted);
      return { noted, flow, lines: [...lines.values()].map((line) => sumOf(line, flow, noted, shared)) };
    });
}

/** The blocks of a function on a line. */
interface BlocksOnLine {
  readonly key: string;
  readonly source: string;
  readonly line: number;
  /** Blocks on the line; a block can occur several times. */
  readonly blocks: number[];
  /**
   * Blocks whose last line in a source this is. The last block is skipped, as if it were the exit, as it was before
   * GCC 4.8; gcov still does so.
   */
  readonly ends: number[];
  readonly isOwn: boolean;
}

function blocksOnLines(
  noted: NotedFunction,
  isInstance: boolean,
): { readonly noted: NotedFunction; readonly lines: ReadonlyMap<string, BlocksOnLine> } {
  const lines = new Map<string, BlocksOnLine>();
  const { source: home, startLine, endLine = startLine } = noted;
  let last: BlocksOnLine | undefined;
  let lastBlock: number | undefined;
  for (const { block, source, lines: numbers } of noted.places) {
    if (block !== lastBlock) last = undefined;
    lastBlock = block;
    for (const line of numbers.toSorted((a, b) => a - b)) {
      const key = `${line} ${source}`;
      const isOwn = isInstance && source === home && startLine <= line && line <= endLine;
      last = lines.get(key) ?? { key, source, line, blocks: [], ends: [], isOwn };
      lines.set(key, last);
      last.blocks.push(block);
    }
    if (block !== entry && block !== noted.blocks - 1) last?.ends.push(block);
  }
  return { noted, lines };
}

function sumOf(
  { key, source, line, blocks, ends, isOwn }: BlocksOnLine,
  flow: Flow,
  { arcs }: NotedFunction,
  shared: ReadonlySet<string>,
): LineSum {
  if (ends.length === 0) {
    const isElsewhere = !isOwn && shared.has(key);
    return {
      source,
      line,
      arcs: isElsewhere ? [] : blocks.flatMap((block) => flow.blocks[block] ?? []),
      loops: [],
    };
  }
  const on = new Set(ends);
  const entering = ends
    .flatMap((block) => flow.entering[block] ?? [])
    .filter((arc) => !on.has(arcs[arc]?.from ?? -1));
  return { source, line, arcs: entering, loops: hasLoop(on, flow, arcs) ? ends : [] };
}

/** Whether some of the blocks form a cycle. */
function hasLoop(on: ReadonlySet<number>, { leaving }: Flow, arcs: NotedFunction['arcs']): boolean {
  const within = (block: number): readonly number[] =>
    (leaving[block] ?? []).map((arc) => arcs[arc]?.to ?? -1).filter((to) => on.has(to));
  // Removes blocks without predecessors repeatedly; only cycles and blocks behind them remain.
  const remaining = new Set(on);
  const times = new Map<number, number>();
  for (const block of on) for (const to of within(block)) times.set(to, (times.get(to) ?? 0) + 1);
  const free = [...on].filter((block) => (times.get(block) ?? 0) === 0);
  for (let block = free.pop(); block !== undefined; block = free.pop()) {
    remaining.delete(block);
    for (const to of within(block)) {
      const rest = (times.get(to) ?? 0) - 1;
      times.set(to, rest);
      if (rest === 0) free.push(to);
    }
  }
  return remaining.size > 0;
}
