/** What was done between two versions, as the smallest hunks that can be taken back one by one. */

import { diffSequences, type LineRange } from '../../change/index.js';
import { readSource } from '../../program/source/index.js';
import { codeHunks, type LineHunk } from './code-hunks.js';
import type { FileVersions } from './file-versions.js';
import { linesOf } from './text-lines.js';

/** A hunk that says something to a compiler, or one of `diff -U0` in a file that is no code. */
export interface Change {
  /** From 0, in the order of files and lines. */
  readonly id: number;
  readonly file: string;
  readonly old: LineRange;
  readonly new: LineRange;
  /** As written, with line ends. */
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The function it is in, or else the first that is in it, in the new version or else in the old one. */
  readonly within?: string | undefined;
}

/** A file with its changes; comments and line breaks stay as they are in the new version. */
export interface ChangedFile {
  readonly versions: FileVersions;
  readonly changes: readonly Change[];
}

export function changedFiles(files: readonly FileVersions[]): readonly ChangedFile[] {
  let count = 0;
  return files.flatMap((versions) => {
    const changes = changesOf(versions, count);
    count += changes.length;
    return changes.length === 0 ? [] : [{ versions, changes }];
  });
}

function changesOf(versions: FileVersions, firstId: number): readonly Change[] {
  const { path, oldText = '', newText = '' } = versions;
  const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)];
  const functions = codeEnding.test(path) ? new Functions(path, oldText, newText) : undefined;
  return hunksIn(versions).map(({ old, new: next }, at) => ({
    id: firstId + at,
    file: path,
    old,
    new: next,
    oldLines: oldLines.slice(old.from - 1, old.to),
    newLines: newLines.slice(next.from - 1, next.to),
    within: functions?.at(old, next),
  }));
}

/** Of code, hunks of its words; of other texts, of its lines; a file that came or went is one. */
function hunksIn({ path, oldText, newText }: FileVersions): readonly LineHunk[] {
  if (oldText === undefined || newText === undefined)
    return [{ old: allLines(oldText ?? ''), new: allLines(newText ?? '') }];
  // Where the last line has no end, something put after it would be part of it.
  const isWhole = oldText.endsWith('\n') && newText.endsWith('\n');
  if (isWhole && codeEnding.test(path)) return codeHunks(oldText, newText);
  return diffSequences(linesOf(oldText), linesOf(newText)).map(({ aFrom, aTo, bFrom, bTo }) => ({
    old: { from: aFrom + 1, to: aTo },
    new: { from: bFrom + 1, to: bTo },
  }));
}

function allLines(text: string): LineRange {
  return { from: 1, to: linesOf(text).length };
}

/** Grammars of parsers and scanners hold C between their rules, but are none. */
const codeEnding = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inl|ipp|tcc)$/i;

/** Which function lines are in. */
class Functions {
  readonly #old: ReturnType<typeof spansOf>;
  readonly #new: ReturnType<typeof spansOf>;

  constructor(path: string, oldText: string, newText: string) {
    this.#old = spansOf(path, oldText);
    this.#new = spansOf(path, newText);
  }

  at(old: LineRange, next: LineRange): string | undefined {
    return nameAt(this.#new, next) ?? nameAt(this.#old, old);
  }
}

function spansOf(path: string, text: string): readonly (LineRange & { readonly name: string })[] {
  return readSource(text, path).functions.map(({ name, firstLine, lastLine }) => ({
    name,
    from: firstLine,
    to: lastLine,
  }));
}

function nameAt(
  spans: readonly (LineRange & { readonly name: string })[],
  { from, to }: LineRange,
): string | undefined {
  // Between two lines: in a function if both are.
  const [first, last] = to < from ? [from - 1, from] : [from, from];
  const around = spans.find((span) => span.from <= first && last <= span.to);
  return (around ?? spans.find((span) => from <= span.from && span.to <= to))?.name;
}

/** Where a change stands, as people write it: lines of the new version, of the old one where nothing is left there. */
export function placeOf({ file, old, new: next }: Change): string {
  if (next.from <= next.to) return `${file}:${rangeText(next)}`;
  return old.from <= old.to ? `${file}:${next.to} (old ${rangeText(old)})` : file;
}

function rangeText({ from, to }: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
