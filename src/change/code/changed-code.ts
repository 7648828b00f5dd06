/** Finds the statements of the new version that a change touches. */

import type { FlowCall } from '../../program/graph/index.js';
import type { SourceFile, SourceFunction, SourceStatement } from '../../program/source/index.js';
import type { Hunk } from '../hunks/hunks.js';
import { isEmpty } from '../hunks/line-range.js';

/** Both versions of a file. If the file exists in only one version, the other is empty. */
export interface ReadPair {
  readonly old: SourceFile;
  readonly new: SourceFile;
  readonly hunks: readonly Hunk[];
  /** Functions that are in the old version word for word. A new position does not change them. */
  readonly unchanged: ReadonlySet<SourceFunction>;
  readonly oldMarks: LineMarks;
  readonly newMarks: LineMarks;
}

/** Marks on lines that no statement covers. */
export interface LineMarks {
  /** Lines with a control-flow keyword that belongs to no statement: `else`, `case`, `default`. */
  readonly branches: ReadonlySet<number>;
  readonly closings: ReadonlySet<number>;
}

/**
 * A place where an executable statement was removed, or where control flow changed. Chapter 5.2.1 puts a dummy
 * statement there. The dummy belongs to the block of a neighbouring statement.
 */
export interface Gap {
  /** A line of the neighbouring statement. */
  readonly line: number;
  /** True if the gap is after that statement, false if it is before it. */
  readonly isAfter: boolean;
}

export interface ChangedFunction {
  readonly function: SourceFunction;
  /** Lines of added or replaced executable code, ascending. */
  readonly lines: readonly number[];
  readonly gaps: readonly Gap[];
  /** Unchanged statements that use a changed macro or a variable whose declaration changed. */
  readonly uses: readonly SourceStatement[];
}

/**
 * The functions of a file that a change touches.
 *
 * @param macros names whose meaning in this file changed
 */
export function changedFunctions(pair: ReadPair, macros: ReadonlySet<string>): readonly ChangedFunction[] {
  const { old, new: next, unchanged: kept } = pair;
  const oldLines = new Set<number>();
  for (const fn of old.functions)
    for (const { firstLine, lastLine } of executableStatements(fn))
      for (let line = firstLine; line <= lastLine; line++) oldLines.add(line);
  const before = new Map<string, SourceFunction[]>();
  for (const fn of old.functions) {
    const known = before.get(fn.name);
    if (known === undefined) before.set(fn.name, [fn]);
    else known.push(fn);
  }
  const hunksOf = hunksByLine(pair.hunks);
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const executed = executableStatements(fn);
    const was = before.get(fn.name) ?? [];
    const hunks = kept.has(fn) ? [] : hunksOf(fn).filter((hunk) => touches(fn, hunk));
    const lines = changedLines(executed, hunks);
    const isTouched = new Set(lines);
    const changed =
      hunks.length === 0 ? macros : new Set([...macros, ...redeclaredVariables(fn, executed, was)]);
    const uses = executed.filter(
      ({ names, firstLine, lastLine }) =>
        names.some((name) => changed.has(name)) && !anyInRange(firstLine, lastLine, isTouched),
    );
    const found = findGaps({ fn, executed, hunks, oldLines }, pair);
    const isReshaped =
      lines.length + found.length + uses.length === 0 &&
      hunks.length > 0 &&
      was.length > 0 &&
      was.every((before) => controlFlowOf(before) !== controlFlowOf(fn));
    const gaps = isReshaped
      ? hunks.slice(0, 1).map((hunk) => gapBefore(fn, new NearbyStatements(executed), hunk))
      : found;
    return lines.length + gaps.length + uses.length === 0 ? [] : [{ function: fn, lines, gaps, uses }];
  });
}

/**
 * The functions with an executable line that a hunk added, as the tool of the thesis finds them (5.4.3). Removed
 * lines and changed macros and declarations do not count.
 */
export function functionsWithAddedLines({ new: next, hunks }: ReadPair): readonly ChangedFunction[] {
  const hunksIn = hunksByLine(hunks.filter((hunk) => !isEmpty(hunk.new)));
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const lines = changedLines(executableStatements(fn), hunksIn(fn));
    return lines.length === 0 ? [] : [{ function: fn, lines, gaps: [], uses: [] }];
  });
}

/**
 * Looks up the hunks near a function, in the given order. Fast also if a file has a hunk and a function on every
 * line.
 */
function hunksByLine(hunks: readonly Hunk[]): (fn: SourceFunction) => readonly Hunk[] {
  const places = hunks.map(({ new: { from, to } }, at) => ({ at, from, to: Math.max(from, to) }));
  const ordered = places.toSorted((a, b) => a.from - b.from);
  // Hunks may be nested, so their ends are not sorted. The running maximum of the ends is.
  const ends: number[] = [];
  for (const { to } of ordered) ends.push(Math.max(to, ends.at(-1) ?? 0));
  return ({ firstLine, lastLine }) => {
    const near: number[] = [];
    for (
      let at = firstNotBelow(ends, firstLine);
      at < ordered.length && (ordered[at]?.from ?? 0) <= lastLine;
      at++
    )
      near.push(ordered[at]?.at ?? 0);
    return near.toSorted((a, b) => a - b).flatMap((at) => hunks[at] ?? []);
  };
}

/** Does a hunk touch the header or the body of a function? */
function touches({ firstLine, lastLine }: SourceFunction, { new: { from, to } }: Hunk): boolean {
  return isEmpty({ from, to }) ? firstLine < from && from <= lastLine : firstLine <= to && from <= lastLine;
}

/** Statements with code. A declaration without an initializer has none. */
export function executableStatements({ statements, blocks }: SourceFunction): readonly SourceStatement[] {
  // Cached, because a block may have as many statements as the function has lines.
  const linesOf = new Map<number, ReadonlySet<number>>();
  const linesIn = (at: number): ReadonlySet<number> => {
    const known = linesOf.get(at) ?? new Set(blocks[at]?.lines.map(({ line }) => line));
    linesOf.set(at, known);
    return known;
  };
  return statements.filter(({ blocks: own, firstLine, lastLine }) =>
    own.some((at) => anyInRange(firstLine, lastLine, linesIn(at))),
  );
}

/** If a hunk removed a line from the middle of a statement, the line after it counts as changed. */
function changedLines(executed: readonly SourceStatement[], hunks: readonly Hunk[]): readonly number[] {
  const lines = new Set<number>();
  const added = new Set<number>();
  const emptied = new Set<number>();
  for (const { new: range } of hunks) {
    if (isEmpty(range)) emptied.add(range.from);
    for (let line = range.from; line <= range.to; line++) added.add(line);
  }
  for (const { firstLine, lastLine } of executed)
    for (let line = firstLine; line <= lastLine; line++)
      if (added.has(line) || (emptied.has(line) && line > firstLine)) lines.add(line);
  return [...lines].toSorted((a, b) => a - b);
}

/** Variables whose non-executable declarations changed. */
function redeclaredVariables(
  fn: SourceFunction,
  executed: readonly SourceStatement[],
  was: readonly SourceFunction[],
): readonly string[] {
  const isExecuted = new Set(executed);
  const before = new Map<string, Set<string>>();
  for (const { statements } of was)
    for (const { declares = [] } of statements)
      for (const { name, written } of declares) {
        const known = before.get(name);
        if (known === undefined) before.set(name, new Set([written]));
        else known.add(written);
      }
  return fn.statements
    .filter((statement) => !isExecuted.has(statement))
    .flatMap(({ declares = [] }) =>
      declares.flatMap(({ name, written }) => (before.get(name)?.has(written) === false ? [name] : [])),
    );
}

interface TouchedFunction {
  readonly fn: SourceFunction;
  readonly executed: readonly SourceStatement[];
  /** The hunks that touch the function. */
  readonly hunks: readonly Hunk[];
  /** Lines of the old file with executable code. */
  readonly oldLines: ReadonlySet<number>;
}

/**
 * Gaps left by hunks that removed executable code or changed a branch keyword, without changing a statement that
 * remains.
 */
function findGaps(
  { fn, executed, hunks, oldLines }: TouchedFunction,
  { oldMarks, newMarks }: ReadPair,
): readonly Gap[] {
  const gaps = new Map<string, Gap>();
  const beside = new NearbyStatements(executed);
  const covered = new Set<number>();
  /** Continuation lines of statements. */
  const inner = new Set<number>();
  for (const { firstLine, lastLine } of hunks.length === 0 ? [] : executed)
    for (let line = firstLine; line <= lastLine; line++) {
      covered.add(line);
      if (line > firstLine) inner.add(line);
    }
  for (const hunk of hunks) {
    const { old: taken, new: added } = hunk;
    // A statement that spans the place counts as changed as a whole.
    if (inner.has(added.from) || anyInRange(added.from, added.to, covered)) continue;
    // Only places inside the body.
    if (added.from <= fn.firstLine || Math.max(added.from, added.to) > fn.lastLine) continue;
    const isGone = anyInRange(taken.from, taken.to, oldLines);
    const isBranch =
      anyInRange(taken.from, taken.to, oldMarks.branches) ||
      anyInRange(added.from, added.to, newMarks.branches);
    if (!isGone && !isBranch) continue;
    const gap = isGone ? gapInBlock(fn, beside, hunk, newMarks) : gapBefore(fn, beside, hunk);
    gaps.set(`${gap.line} ${gap.isAfter}`, gap);
  }
  return [...gaps.values()];
}

/** Finds the statements next to a line by binary search, since a function may have as many statements as lines. */
class NearbyStatements {
  readonly #statements: readonly SourceStatement[];
  /** For each statement, the highest first line up to it. */
  readonly #begun: number[] = [];
  /** For each statement, the lowest last line from it on. */
  readonly #ended: number[];

  constructor(statements: readonly SourceStatement[]) {
    this.#statements = statements;
    for (const { firstLine } of statements)
      this.#begun.push(Math.max(firstLine, this.#begun.at(-1) ?? firstLine));
    const ended: number[] = [];
    for (const { lastLine } of statements.toReversed())
      ended.push(Math.min(lastLine, ended.at(-1) ?? lastLine));
    this.#ended = ended.reverse();
  }

  /** The first statement that begins on or below the line. */
  after(line: number): SourceStatement | undefined {
    return this.#statements[firstNotBelow(this.#begun, line)];
  }

  before(line: number): SourceStatement | undefined {
    return this.#statements[firstNotBelow(this.#ended, line) - 1];
  }
}

/** Binary search: the index of the first number that is at least `bound`, or the length of the list. */
function firstNotBelow(rising: readonly number[], bound: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Next to a statement of the same block: the following statement, or the preceding one if the block ends before it.
 */
function gapInBlock(
  fn: SourceFunction,
  beside: NearbyStatements,
  hunk: Hunk,
  { branches, closings }: LineMarks,
): Gap {
  const { from } = hunk.new;
  const after = beside.after(from);
  const before = beside.before(from);
  for (let line = from; before !== undefined && line <= (after?.firstLine ?? fn.lastLine); line++)
    if (closings.has(line) || (branches.has(line) && line !== after?.firstLine))
      return { line: before.lastLine, isAfter: true };
  return gapBefore(fn, beside, hunk);
}

/** Before the next statement, or after the last one. */
function gapBefore(fn: SourceFunction, beside: NearbyStatements, { new: { from } }: Hunk): Gap {
  const after = beside.after(from);
  if (after !== undefined) return { line: after.firstLine, isAfter: false };
  const before = beside.before(from);
  return { line: before?.lastLine ?? fn.firstLine, isAfter: true };
}

/** The control flow of a function as a text, without its statements. */
function controlFlowOf({ blocks }: SourceFunction): string {
  const written = (call: FlowCall): string => (typeof call === 'string' ? call : JSON.stringify(call));
  return blocks.map(({ next, calls }) => `${next.join(' ')}:${calls.map(written).join(' ')}`).join('\n');
}

function anyInRange(from: number, to: number, lines: ReadonlySet<number>): boolean {
  for (let line = from; line <= to; line++) if (lines.has(line)) return true;
  return false;
}
