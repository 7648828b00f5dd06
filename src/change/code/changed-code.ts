/** Finds the statements of the new version that a change touches. */

import type { FlowCall } from '../../program/graph/index.js';
import type { SourceFile, SourceFunction, SourceStatement } from '../../program/source/index.js';
import { addTo, ascending, lowerBound, pushTo } from '../hunks/collections.js';
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
  const { old, new: next, unchanged } = pair;
  const oldLines = new Set<number>();
  for (const fn of old.functions)
    for (const { firstLine, lastLine } of executableStatements(fn))
      for (let line = firstLine; line <= lastLine; line++) oldLines.add(line);
  const oldByName = new Map<string, SourceFunction[]>();
  for (const fn of old.functions) pushTo(oldByName, fn.name, fn);
  const hunksOf = hunksByLine(pair.hunks);
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const executed = executableStatements(fn);
    const oldVersions = oldByName.get(fn.name) ?? [];
    const hunks = unchanged.has(fn) ? [] : hunksOf(fn).filter((hunk) => touches(fn, hunk));
    const lines = changedLines(executed, hunks);
    const isTouched = new Set(lines);
    const changed =
      hunks.length === 0 ? macros : new Set([...macros, ...redeclaredVariables(fn, executed, oldVersions)]);
    const uses = executed.filter(
      ({ names, firstLine, lastLine }) =>
        names.some((name) => changed.has(name)) && !anyInRange(firstLine, lastLine, isTouched),
    );
    const gaps = findGaps({ fn, executed, hunks, oldLines }, pair);
    if (lines.length + gaps.length + uses.length > 0) return [{ function: fn, lines, gaps, uses }];
    const isControlFlowChanged =
      oldVersions.length > 0 && oldVersions.every((fnOld) => controlFlowOf(fnOld) !== controlFlowOf(fn));
    const [hunk] = hunks;
    if (hunk === undefined || !isControlFlowChanged) return [];
    return [{ function: fn, lines, gaps: [gapBefore(fn, new NearbyStatements(executed), hunk)], uses }];
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
  const ordered = hunks
    .map(({ new: { from, to } }, at) => ({ at, from, to: Math.max(from, to) }))
    .sort((a, b) => a.from - b.from);
  // Hunks may be nested, so their ends are not sorted. The running maximum of the ends is.
  const ends: number[] = [];
  for (const { to } of ordered) ends.push(Math.max(to, ends.at(-1) ?? 0));
  return ({ firstLine, lastLine }) => {
    const near: number[] = [];
    let at = firstNotBelow(ends, firstLine);
    for (; at < ordered.length && (ordered[at]?.from ?? 0) <= lastLine; at++) near.push(ordered[at]?.at ?? 0);
    return ascending(near).flatMap((index) => hunks[index] ?? []);
  };
}

function touches({ firstLine, lastLine }: SourceFunction, { new: { from, to } }: Hunk): boolean {
  return isEmpty({ from, to }) ? firstLine < from && from <= lastLine : firstLine <= to && from <= lastLine;
}

/** Statements with code. A declaration without an initializer has none. */
export function executableStatements({ statements, blocks }: SourceFunction): readonly SourceStatement[] {
  // Cached, because a block may have as many statements as the function has lines.
  const linesOf = new Map<number, ReadonlySet<number>>();
  const linesIn = (block: number): ReadonlySet<number> => {
    const lines = linesOf.get(block) ?? new Set(blocks[block]?.lines.map(({ line }) => line));
    linesOf.set(block, lines);
    return lines;
  };
  return statements.filter((statement) =>
    statement.blocks.some((at) => anyInRange(statement.firstLine, statement.lastLine, linesIn(at))),
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
  return ascending(lines);
}

function redeclaredVariables(
  fn: SourceFunction,
  executed: readonly SourceStatement[],
  oldVersions: readonly SourceFunction[],
): readonly string[] {
  const isExecuted = new Set(executed);
  const oldDeclarations = new Map<string, Set<string>>();
  for (const { statements } of oldVersions)
    for (const { declares = [] } of statements)
      for (const { name, written } of declares) addTo(oldDeclarations, name, written);
  return fn.statements
    .filter((statement) => !isExecuted.has(statement))
    .flatMap(({ declares = [] }) => declares)
    .filter(({ name, written }) => oldDeclarations.get(name)?.has(written) === false)
    .map(({ name }) => name);
}

interface TouchedFunction {
  readonly fn: SourceFunction;
  readonly executed: readonly SourceStatement[];
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
  const statements = new NearbyStatements(executed);
  const covered = new Set<number>();
  const continuations = new Set<number>();
  for (const { firstLine, lastLine } of hunks.length === 0 ? [] : executed)
    for (let line = firstLine; line <= lastLine; line++) {
      covered.add(line);
      if (line > firstLine) continuations.add(line);
    }
  for (const hunk of hunks) {
    const { old: removed, new: added } = hunk;
    // A statement that spans the place counts as changed as a whole.
    if (continuations.has(added.from) || anyInRange(added.from, added.to, covered)) continue;
    const isInBody = added.from > fn.firstLine && Math.max(added.from, added.to) <= fn.lastLine;
    if (!isInBody) continue;
    const isRemoved = anyInRange(removed.from, removed.to, oldLines);
    const isBranch =
      anyInRange(removed.from, removed.to, oldMarks.branches) ||
      anyInRange(added.from, added.to, newMarks.branches);
    if (!isRemoved && !isBranch) continue;
    const gap = isRemoved ? gapInBlock(fn, statements, hunk, newMarks) : gapBefore(fn, statements, hunk);
    gaps.set(`${gap.line} ${gap.isAfter}`, gap);
  }
  return [...gaps.values()];
}

/** Finds the statements next to a line by binary search, since a function may have as many statements as lines. */
class NearbyStatements {
  /** For each statement, the highest first line up to it. */
  readonly #begun: number[] = [];
  /** For each statement, the lowest last line from it on. */
  readonly #ended: number[] = [];

  constructor(private readonly statements: readonly SourceStatement[]) {
    for (const { firstLine } of statements)
      this.#begun.push(Math.max(firstLine, this.#begun.at(-1) ?? firstLine));
    for (const { lastLine } of statements.toReversed())
      this.#ended.push(Math.min(lastLine, this.#ended.at(-1) ?? lastLine));
    this.#ended.reverse();
  }

  after(line: number): SourceStatement | undefined {
    return this.statements[firstNotBelow(this.#begun, line)];
  }

  before(line: number): SourceStatement | undefined {
    return this.statements[firstNotBelow(this.#ended, line) - 1];
  }
}

function firstNotBelow(numbers: readonly number[], bound: number): number {
  return lowerBound(numbers.length, (at) => (numbers[at] ?? bound) < bound);
}

/** Before the following statement of the same block, or after the preceding one if the block ends before it. */
function gapInBlock(
  fn: SourceFunction,
  statements: NearbyStatements,
  hunk: Hunk,
  { branches, closings }: LineMarks,
): Gap {
  const { from } = hunk.new;
  const after = statements.after(from);
  const before = statements.before(from);
  for (let line = from; before !== undefined && line <= (after?.firstLine ?? fn.lastLine); line++)
    if (closings.has(line) || (branches.has(line) && line !== after?.firstLine))
      return { line: before.lastLine, isAfter: true };
  return gapBefore(fn, statements, hunk);
}

function gapBefore(fn: SourceFunction, statements: NearbyStatements, { new: { from } }: Hunk): Gap {
  const after = statements.after(from);
  if (after !== undefined) return { line: after.firstLine, isAfter: false };
  return { line: statements.before(from)?.lastLine ?? fn.firstLine, isAfter: true };
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
