/** Which statements of the new version a change touches. */

import type { FlowCall } from '../../program/graph/index.js';
import type { SourceFile, SourceFunction, SourceStatement } from '../../program/source/index.js';
import type { Hunk } from '../hunks/hunks.js';
import { isEmpty } from '../hunks/line-range.js';

/** A file in both versions; of one that is in one of them only, the other has nothing in it. */
export interface ReadPair {
  readonly old: SourceFile;
  readonly new: SourceFile;
  readonly hunks: readonly Hunk[];
  /** Functions of the new version that are in the old one word for word: where they stand changes nothing. */
  readonly kept: ReadonlySet<SourceFunction>;
  readonly oldMarks: LineMarks;
  readonly newMarks: LineMarks;
}

/** What no statement tells of lines. */
export interface LineMarks {
  /** Lines with a word that decides where control goes and belongs to no statement: `else`, `case`, `default`. */
  readonly branches: ReadonlySet<number>;
  /** Lines that begin with a closing brace. */
  readonly closings: ReadonlySet<number>;
}

/**
 * A place where something executable was taken away, or where control gets by another way. Chapter 5.2.1 puts a dummy
 * statement there, which is in the block of a statement beside it.
 */
export interface Gap {
  /** A line of that statement. */
  readonly line: number;
  /** It comes after that statement, not before it. */
  readonly isAfter: boolean;
}

/** What changed in a function. */
export interface ChangedFunction {
  readonly function: SourceFunction;
  /** Lines of the function with something executable that was added or replaced, ascending. */
  readonly lines: readonly number[];
  readonly gaps: readonly Gap[];
  /** Statements that did not change but use a macro that did, or a variable that is declared differently. */
  readonly uses: readonly SourceStatement[];
}

/** The functions of a file that a change touches. @param macros names that mean something else in this file now */
export function changedFunctions(pair: ReadPair, macros: ReadonlySet<string>): readonly ChangedFunction[] {
  const { old, new: next, kept } = pair;
  const oldLines = new Set<number>();
  for (const fn of old.functions)
    for (const { firstLine, lastLine } of executedIn(fn))
      for (let line = firstLine; line <= lastLine; line++) oldLines.add(line);
  const before = new Map<string, SourceFunction[]>();
  for (const fn of old.functions) {
    const known = before.get(fn.name);
    if (known === undefined) before.set(fn.name, [fn]);
    else known.push(fn);
  }
  const hunksIn = hunksByLine(pair.hunks);
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const executed = executedIn(fn);
    const was = before.get(fn.name) ?? [];
    const hunks = kept.has(fn) ? [] : hunksIn(fn).filter((hunk) => isIn(fn, hunk));
    const lines = changedLines(executed, hunks);
    const isTouched = new Set(lines);
    const changed = hunks.length === 0 ? macros : new Set([...macros, ...retypedIn(fn, executed, was)]);
    const uses = executed.filter(
      ({ names, firstLine, lastLine }) =>
        names.some((name) => changed.has(name)) && !someIn(firstLine, lastLine, isTouched),
    );
    const found = gapsIn({ fn, executed, hunks, oldLines }, pair);
    const isReshaped =
      lines.length + found.length + uses.length === 0 &&
      hunks.length > 0 &&
      was.length > 0 &&
      was.every((before) => shapeOf(before) !== shapeOf(fn));
    const gaps = isReshaped
      ? hunks.slice(0, 1).map((hunk) => gapBefore(fn, new Beside(executed), hunk))
      : found;
    return lines.length + gaps.length + uses.length === 0 ? [] : [{ function: fn, lines, gaps, uses }];
  });
}

/**
 * The functions that hold an executable line the hunks have put in, as the thesis' tool sees them (5.4.3): not what was
 * taken away, nor what macros and declarations mean elsewhere.
 */
export function functionsWithAddedLines({ new: next, hunks }: ReadPair): readonly ChangedFunction[] {
  const hunksIn = hunksByLine(hunks.filter((hunk) => !isEmpty(hunk.new)));
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const lines = changedLines(executedIn(fn), hunksIn(fn));
    return lines.length === 0 ? [] : [{ function: fn, lines, gaps: [], uses: [] }];
  });
}

/** Hunks near a function, in the order they were given; a file may have as many of both as it has lines. */
function hunksByLine(hunks: readonly Hunk[]): (fn: SourceFunction) => readonly Hunk[] {
  const places = hunks.map(({ new: { from, to } }, at) => ({ at, from, to: Math.max(from, to) }));
  const ordered = places.toSorted((a, b) => a.from - b.from);
  // Where one lies inside another the ends do not rise by themselves.
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

/** Does a hunk touch what is between the braces of a function, or the header? */
function isIn({ firstLine, lastLine }: SourceFunction, { new: { from, to } }: Hunk): boolean {
  return isEmpty({ from, to }) ? firstLine < from && from <= lastLine : firstLine <= to && from <= lastLine;
}

/** Statements that do something: a declaration without a value does not. */
export function executedIn({ statements, blocks }: SourceFunction): readonly SourceStatement[] {
  // A block may have as many statements as a function has lines.
  const linesOf = new Map<number, ReadonlySet<number>>();
  const linesIn = (at: number): ReadonlySet<number> => {
    const known = linesOf.get(at) ?? new Set(blocks[at]?.lines.map(({ line }) => line));
    linesOf.set(at, known);
    return known;
  };
  return statements.filter(({ blocks: own, firstLine, lastLine }) =>
    own.some((at) => someIn(firstLine, lastLine, linesIn(at))),
  );
}

/** A line that went from the middle of a statement leaves the line after it changed. */
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

/** Variables whose declarations, which execute nothing, are written differently now. */
function retypedIn(
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

interface Touched {
  readonly fn: SourceFunction;
  readonly executed: readonly SourceStatement[];
  /** Those that touch the function. */
  readonly hunks: readonly Hunk[];
  /** Lines of the old file on which something is executed. */
  readonly oldLines: ReadonlySet<number>;
}

/** Where something executable was, or a way control takes was opened or closed, and nothing executable tells of it. */
function gapsIn(
  { fn, executed, hunks, oldLines }: Touched,
  { oldMarks, newMarks }: ReadPair,
): readonly Gap[] {
  const gaps = new Map<string, Gap>();
  const beside = new Beside(executed);
  const covered = new Set<number>();
  /** Lines that a statement goes on in. */
  const inner = new Set<number>();
  for (const { firstLine, lastLine } of hunks.length === 0 ? [] : executed)
    for (let line = firstLine; line <= lastLine; line++) {
      covered.add(line);
      if (line > firstLine) inner.add(line);
    }
  for (const hunk of hunks) {
    const { old: taken, new: added } = hunk;
    // Statements that span the place have changed as a whole.
    if (inner.has(added.from) || someIn(added.from, added.to, covered)) continue;
    // Between two lines of the body, or on lines of it that execute nothing.
    if (added.from <= fn.firstLine || Math.max(added.from, added.to) > fn.lastLine) continue;
    const isGone = someIn(taken.from, taken.to, oldLines);
    const isBranch =
      someIn(taken.from, taken.to, oldMarks.branches) || someIn(added.from, added.to, newMarks.branches);
    if (!isGone && !isBranch) continue;
    const gap = isGone ? gapInBlock(fn, beside, hunk, newMarks) : gapBefore(fn, beside, hunk);
    gaps.set(`${gap.line} ${gap.isAfter}`, gap);
  }
  return [...gaps.values()];
}

/** The statements beside a line; a function may have as many of both as a file has lines, in nearly any order. */
class Beside {
  readonly #statements: readonly SourceStatement[];
  /** The last line on which one of the statements up to here begins. */
  readonly #begun: number[] = [];
  /** The first line on which one of the statements from here on ends. */
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

  /** The first statement that begins on the line or below. */
  after(line: number): SourceStatement | undefined {
    return this.#statements[firstNotBelow(this.#begun, line)];
  }

  /** The last statement that ends above the line. */
  before(line: number): SourceStatement | undefined {
    return this.#statements[firstNotBelow(this.#ended, line) - 1];
  }
}

/** Where numbers that rise reach another, by halving; their count where none does. */
function firstNotBelow(rising: readonly number[], bound: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Beside the statement that stands in its block now: the one after it, unless the block ends there. */
function gapInBlock(fn: SourceFunction, beside: Beside, hunk: Hunk, { branches, closings }: LineMarks): Gap {
  const { from } = hunk.new;
  const after = beside.after(from);
  const before = beside.before(from);
  for (let line = from; before !== undefined && line <= (after?.firstLine ?? fn.lastLine); line++)
    if (closings.has(line) || (branches.has(line) && line !== after?.firstLine))
      return { line: before.lastLine, isAfter: true };
  return gapBefore(fn, beside, hunk);
}

/** Before the statement that comes next, or after the last. */
function gapBefore(fn: SourceFunction, beside: Beside, { new: { from } }: Hunk): Gap {
  const after = beside.after(from);
  if (after !== undefined) return { line: after.firstLine, isAfter: false };
  const before = beside.before(from);
  return { line: before?.lastLine ?? fn.firstLine, isAfter: true };
}

/** How control goes through a function, whatever its statements are. */
function shapeOf({ blocks }: SourceFunction): string {
  const written = (call: FlowCall): string => (typeof call === 'string' ? call : JSON.stringify(call));
  return blocks.map(({ next, calls }) => `${next.join(' ')}:${calls.map(written).join(' ')}`).join('\n');
}

function someIn(from: number, to: number, lines: ReadonlySet<number>): boolean {
  for (let line = from; line <= to; line++) if (lines.has(line)) return true;
  return false;
}
