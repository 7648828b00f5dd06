/**
 * How often each line was executed, from the arcs of the functions that stand on it, by gcov's rule: as often as it was
 * entered from other lines, and as often as loops were taken that lie on it whole.
 */

import { type Flow, flowOf } from './flow.js';
import type { NotedFunction } from './notes.js';

/** A function of one compiled source, and what its arcs say of lines. */
export interface FunctionSums {
  readonly noted: NotedFunction;
  readonly flow: Flow;
  readonly lines: readonly LineSum[];
}

export interface LineSum {
  readonly source: string;
  readonly line: number;
  /** The line was executed as often as these were taken; an arc may count more than once. */
  readonly arcs: readonly number[];
  /** Blocks on this line with loops among them, in order; none where there is no loop. */
  readonly loops: readonly number[];
}

const entry = 0;

/**
 * Functions that begin on the same line are instances of one template: each stands on lines of its own then.
 *
 * @param functions all of one compiled source, since they share lines
 * @param isAsked those that something is to be known of: a program has one of several copies
 */
export function lineSums(
  functions: readonly NotedFunction[],
  isAsked: (noted: NotedFunction) => boolean = () => true,
): readonly FunctionSums[] {
  const written = functions.filter(({ isArtificial }) => !isArtificial);
  const starts = new Map<string, number>();
  const startOf = ({ source, startLine }: NotedFunction): string => `${startLine} ${source}`;
  for (const noted of written) starts.set(startOf(noted), (starts.get(startOf(noted)) ?? 0) + 1);
  const standings = written.map((noted) => standingOf(noted, (starts.get(startOf(noted)) ?? 0) > 1));
  // Where a block ends on a line, other functions that only pass over it do not count.
  const shared = new Set<string>();
  for (const { lines } of standings)
    for (const [key, { ends, isOwn }] of lines) if (ends.length > 0 && !isOwn) shared.add(key);
  return standings
    .filter(({ noted }) => isAsked(noted))
    .map(({ noted, lines }) => {
      const flow = flowOf(noted);
      return { noted, flow, lines: [...lines.values()].map((line) => sumOf(line, flow, noted, shared)) };
    });
}

/** What a function has on a line. */
interface Standing {
  readonly key: string;
  readonly source: string;
  readonly line: number;
  /** Blocks that pass over it, as often as they do. */
  readonly blocks: number[];
  /**
   * Blocks of whose lines in a source it is the last, by number. The last block counts for none, as if it were the exit,
   * which it was before GCC 4.8: so it is in gcov to this day.
   */
  readonly ends: number[];
  readonly isOwn: boolean;
}

function standingOf(
  noted: NotedFunction,
  isInstance: boolean,
): { readonly noted: NotedFunction; readonly lines: ReadonlyMap<string, Standing> } {
  const lines = new Map<string, Standing>();
  const { source: home, startLine, endLine = startLine } = noted;
  let last: Standing | undefined;
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
  { key, source, line, blocks, ends, isOwn }: Standing,
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

/** Whether some of the blocks can be reached from themselves through others of them. */
function hasLoop(on: ReadonlySet<number>, { leaving }: Flow, arcs: NotedFunction['arcs']): boolean {
  const within = (block: number): readonly number[] =>
    (leaving[block] ?? []).map((arc) => arcs[arc]?.to ?? -1).filter((to) => on.has(to));
  // Blocks that nothing leads to are taken away until none is left, or only such as lie on loops or behind them.
  const left = new Set(on);
  const times = new Map<number, number>();
  for (const block of on) for (const to of within(block)) times.set(to, (times.get(to) ?? 0) + 1);
  const free = [...on].filter((block) => (times.get(block) ?? 0) === 0);
  for (let block = free.pop(); block !== undefined; block = free.pop()) {
    left.delete(block);
    for (const to of within(block)) {
      const rest = (times.get(to) ?? 0) - 1;
      times.set(to, rest);
      if (rest === 0) free.push(to);
    }
  }
  return left.size > 0;
}
