/** Which statements of the new version a change touches. */

import type { SourceFile, SourceFunction, SourceStatement } from '../program/source/source-file.js';
import type { Hunk } from './hunks.js';
import { isEmpty } from './line-range.js';

/** A file in both versions; of one that is in one of them only, the other has nothing in it. */
export interface ReadPair {
  readonly old: SourceFile;
  readonly new: SourceFile;
  readonly hunks: readonly Hunk[];
  /** Functions of the new version that are in the old one word for word: where they stand changes nothing. */
  readonly kept: ReadonlySet<SourceFunction>;
}

/** What changed in a function. */
export interface ChangedFunction {
  readonly function: SourceFunction;
  /** Lines of the function with something executable that was added or replaced, ascending. */
  readonly lines: readonly number[];
  /**
   * For each place something executable was taken away from, the line of the statement that stands there now: chapter
   * 5.2.1 puts a dummy statement there, which is in the same block.
   */
  readonly gaps: readonly number[];
  /** Statements that did not change but use a macro that did, or a variable that is declared differently. */
  readonly uses: readonly SourceStatement[];
}

/** The functions of a file that a change touches. @param macros names of macros that changed, in any file */
export function changedFunctions(
  { old, new: next, hunks, kept }: ReadPair,
  macros: ReadonlySet<string>,
): readonly ChangedFunction[] {
  return next.functions.flatMap((fn): ChangedFunction[] => {
    const executed = executedIn(fn);
    const lines = kept.has(fn) ? [] : changedLines(executed, hunks);
    const gaps = kept.has(fn) ? [] : gapsIn(fn, executed, hunks, old);
    const isTouched = new Set(lines);
    const changed = kept.has(fn) ? macros : new Set([...macros, ...retypedIn(fn, executed, hunks)]);
    const uses = executed.filter(
      ({ names, firstLine, lastLine }) =>
        names.some((name) => changed.has(name)) &&
        !range(firstLine, lastLine).some((one) => isTouched.has(one)),
    );
    return lines.length + gaps.length + uses.length === 0 ? [] : [{ function: fn, lines, gaps, uses }];
  });
}

/** Statements that do something: a declaration without a value does not. */
export function executedIn({ statements, blocks }: SourceFunction): readonly SourceStatement[] {
  return statements.filter(({ blocks: own, firstLine, lastLine }) =>
    own.some((at) => blocks[at]?.lines.some(({ line }) => line >= firstLine && line <= lastLine)),
  );
}

function changedLines(executed: readonly SourceStatement[], hunks: readonly Hunk[]): readonly number[] {
  const lines = new Set<number>();
  for (const { firstLine, lastLine } of executed)
    for (const { new: added } of hunks)
      for (let line = Math.max(firstLine, added.from); line <= Math.min(lastLine, added.to); line++)
        lines.add(line);
  return [...lines].toSorted((a, b) => a - b);
}

/** Variables whose declarations, which execute nothing, have another type now. */
function retypedIn(
  { statements }: SourceFunction,
  executed: readonly SourceStatement[],
  hunks: readonly Hunk[],
): readonly string[] {
  const isExecuted = new Set(executed);
  return statements
    .filter((one) => !isExecuted.has(one))
    .flatMap(({ firstLine, lastLine, names }) =>
      hunks
        .filter(({ old, new: { from, to } }) => !isEmpty(old) && from <= lastLine && firstLine <= to)
        .flatMap(({ words }) => {
          // The type is what changed; what stayed is the variable.
          const type = new Set(words.flatMap(({ newText }) => newText.split(/\W+/)));
          return words.length === 0 ? [] : names.filter((name) => !type.has(name));
        }),
    );
}

/** Where something executable was and nothing executable is in its place. */
function gapsIn(
  fn: SourceFunction,
  executed: readonly SourceStatement[],
  hunks: readonly Hunk[],
  old: SourceFile,
): readonly number[] {
  const gone = hunks.filter(
    ({ old: taken, new: added }) =>
      !isEmpty(taken) &&
      !executed.some(({ firstLine, lastLine }) => firstLine <= added.to && lastLine >= added.from) &&
      old.functions.some((was) =>
        executedIn(was).some(({ firstLine, lastLine }) => firstLine <= taken.to && lastLine >= taken.from),
      ),
  );
  const places = gone.flatMap(({ new: { from, to } }) => {
    // Between two lines of the function, or on lines of it that execute nothing.
    if (from <= fn.firstLine || Math.max(from, to) > fn.lastLine) return [];
    const after = executed.find(({ firstLine }) => firstLine >= from);
    const before = executed.findLast(({ lastLine }) => lastLine < from);
    const line = after?.firstLine ?? before?.lastLine;
    return line === undefined ? [] : [line];
  });
  return [...new Set(places)];
}

/** Macros whose definitions changed, and those that use one of them, over all files that were read. */
export function changedMacros(
  files: readonly ReadPair[],
  others: readonly SourceFile[] = [],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { old, new: next, hunks } of files) {
    for (const { name, firstLine, lastLine } of next.macros)
      if (hunks.some(({ isMoved, new: { from, to } }) => !isMoved && touches(firstLine, lastLine, from, to)))
        found.add(name);
    // One that is gone leaves its uses with another meaning.
    const left = new Set(next.macros.map(({ name }) => name));
    for (const { name, firstLine, lastLine } of old.macros)
      if (
        !left.has(name) &&
        hunks.some(({ isMoved, old: o }) => !isMoved && touches(firstLine, lastLine, o.from, o.to))
      )
        found.add(name);
  }
  const macros = [...files.map((one) => one.new), ...others].flatMap((one) => one.macros);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, names } of macros) if (names.some((one) => found.has(one))) found.add(name);
  }
  return found;
}

/** Lines in common, or a gap inside. */
function touches(firstLine: number, lastLine: number, from: number, to: number): boolean {
  return to < from ? firstLine < from && to < lastLine : firstLine <= to && from <= lastLine;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
