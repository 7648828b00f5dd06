/** Finds macros whose meaning changed, and the files they changed in. */

import type { SourceFile } from '../../program/source/index.js';
import { pushTo } from '../hunks/collections.js';
import type { LineRange } from '../hunks/line-range.js';
import type { ReadPair } from './changed-code.js';
import { isSourceFile } from './code-files.js';

export interface ChangedMacros {
  /** Changed macros of headers. Any file can use them. */
  readonly shared: ReadonlySet<string>;
  in(file: SourceFile): ReadonlySet<string>;
}

/**
 * Macros whose definitions changed, and macros that use one of those. A macro of a source file counts only in that
 * file. A file that defines the name itself does not mean the macro of a header.
 */
export function changedMacros(files: readonly ReadPair[], others: readonly SourceFile[] = []): ChangedMacros {
  const redefined = new Map(files.map((pair) => [pair.new.file, redefinedMacros(pair)]));
  const shared = new Set<string>();
  for (const [file, names] of redefined) if (!isSourceFile(file)) for (const name of names) shared.add(name);
  const headers = [...files.map((pair) => pair.new), ...others].filter(({ file }) => !isSourceFile(file));
  addUsers(shared, headers);
  return {
    shared,
    in: (file) => {
      const defined = new Set(file.macros.map(({ name }) => name));
      const names = new Set(redefined.get(file.file));
      for (const name of shared) if (!defined.has(name)) names.add(name);
      addUsers(names, [file]);
      return names;
    },
  };
}

/** Adds macros that use one of the names, directly or through other macros. */
function addUsers(names: Set<string>, files: readonly SourceFile[]): void {
  const users = new Map<string, string[]>();
  for (const { macros } of files)
    for (const { name, names: used } of macros) for (const word of used) pushTo(users, word, name);
  const left = [...names];
  for (let word = left.pop(); word !== undefined; word = left.pop())
    for (const user of users.get(word) ?? []) {
      if (names.has(user)) continue;
      names.add(user);
      left.push(user);
    }
}

function redefinedMacros({ old, new: next, hunks }: ReadPair): ReadonlySet<string> {
  const edits = hunks.filter(({ isMoved }) => !isMoved);
  const defined = new Set(next.macros.map(({ name }) => name));
  const changed = next.macros.filter((macro) => edits.some((edit) => overlaps(macro, edit.new)));
  const removed = old.macros.filter(
    (macro) => !defined.has(macro.name) && edits.some((edit) => overlaps(macro, edit.old)),
  );
  return new Set([...changed, ...removed].map(({ name }) => name));
}

/** Do two ranges share a line, or is the second one an empty range inside the first? */
function overlaps({ firstLine, lastLine }: SourceFile['macros'][number], { from, to }: LineRange): boolean {
  return to < from ? firstLine < from && to < lastLine : firstLine <= to && from <= lastLine;
}
