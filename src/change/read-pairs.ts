/** Two versions of files, read and compared. */

import { readSource } from '../program/source/read-source.js';
import type { SourceFunction } from '../program/source/source-file.js';
import type { ReadPair } from './changed-code.js';
import type { CodeText } from './code-words.js';
import { codeText, hunksOfAll } from './hunks.js';

/** A file in both versions; empty where one does not have it. */
export interface FilePair {
  /** In the new version, or in the old one where it is gone. */
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** Files that were changed together: code may have gone from one to another. */
export function readPairs(files: readonly FilePair[]): readonly ReadPair[] {
  const texts = files.map(({ oldText, newText }) => ({ old: codeText(oldText), new: codeText(newText) }));
  const hunks = hunksOfAll(texts);
  const read = files.map(({ path, oldText, newText }) => ({
    old: readSource(oldText, path),
    new: readSource(newText, path),
  }));
  const before = new Set(
    read.flatMap(({ old }, at) => old.functions.map((fn) => writtenAs(fn, texts[at]?.old))),
  );
  return read.map((pair, at) => ({
    ...pair,
    hunks: hunks[at] ?? [],
    kept: new Set(pair.new.functions.filter((fn) => before.has(writtenAs(fn, texts[at]?.new)))),
  }));
}

/** The words of a function, by which one is told again wherever it stands. */
function writtenAs({ name, firstLine, lastLine }: SourceFunction, code: CodeText | undefined): string {
  const words = code?.tokens.filter(({ line }) => line >= firstLine && line <= lastLine) ?? [];
  return `${name}\n${words.map(({ text }) => text).join(' ')}`;
}
