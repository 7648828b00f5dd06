/** Finds macros whose meaning changed, and the files they changed in. */

import type { SourceFile } from '../../program/source/index.js';
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
  const own = new Map(files.map((pair) => [pair.new.file, redefinedMacros(pair)]));
  const shared = new Set<string>();
  for (const { new: next } of files)
    if (!isSourceFile(next.file)) for (const name of own.get(next.file) ?? []) shared.add(name);
  const headers = [...files.map((pair) => pair.new), ...others].filter(({ file }) => !isSourceFile(file));
  addUsers(shared, headers);
  return {
    shared,
    in: (file) => {
      const defined = new Set(file.macros.map(({ name }) => name));
      const names = new Set(own.get(file.file));
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
    for (const { name, names: used } of macros)
      for (const word of used) {
        const known = users.get(word);
        if (known === undefined) users.set(word, [name]);
        else known.push(name);
      }
  const left = [...names];
  for (let word = left.pop(); word !== undefined; word = left.pop())
    for (const user of users.get(word) ?? []) {
      if (names.has(user)) continue;
      names.add(user);
      left.push(user);
    }
}

function redefinedMacros({ old, new: next, hunks }: ReadPair): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, firstLine, lastLine } of next.macros)
    if (hunks.some(({ isMoved, new: { from, to } }) => !isMoved && overlaps(firstLine, lastLine, from, to)))
      found.add(name);
  // A removed macro changes the meaning of its uses.
  const left = new Set(next.macros.map(({ name }) => name));
  for (const { name, firstLine, lastLine } of old.macros)
    if (
      !left.has(name) &&
      hunks.some(({ isMoved, old: o }) => !isMoved && overlaps(firstLine, lastLine, o.from, o.to))
    )
      found.add(name);
  return found;
}

/** Do two ranges share a line, or is the second one an empty range inside the first? */
function overlaps(firstLine: number, lastLine: number, from: number, to: number): boolean {
  return to < from ? firstLine < from && to < lastLine : firstLine <= to && from <= lastLine;
}
