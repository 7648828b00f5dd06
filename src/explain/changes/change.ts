/** The difference between two versions as the smallest hunks that can be reverted one by one. */

import { diffSequences, type LineRange } from '../../change/index.js';
import { readSource } from '../../program/source/index.js';
import { codeHunks, type LineHunk } from './code-hunks.js';
import type { FileVersions } from './file-versions.js';
import { linesWithEnds } from './text-lines.js';

/** A hunk that says something to a compiler, or one of `diff -U0` in a file that is no code. */
export interface Change {
  /** From 0, in the order of files and lines. */
  readonly id: number;
  readonly file: string;
  readonly old: LineRange;
  readonly new: LineRange;
  /** With line ends. */
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /**
   * The function that contains the change, or the first function in it; in the new version if there is one, else in
   * the old.
   */
  readonly within?: string | undefined;
}

/** Comments and line breaks are not part of any change and stay as they are in the new version. */
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
  const [oldLines, newLines] = [linesWithEnds(oldText), linesWithEnds(newText)];
  const functions = codeEnding.test(path) ? new FunctionNames(path, oldText, newText) : undefined;
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

/** Hunks of tokens in code, of lines in other texts; an added or removed file is one hunk. */
function hunksIn({ path, oldText, newText }: FileVersions): readonly LineHunk[] {
  if (oldText === undefined || newText === undefined)
    return [{ old: allLines(oldText ?? ''), new: allLines(newText ?? '') }];
  // A restored hunk after a last line without line end would become part of that line.
  const isWhole = oldText.endsWith('\n') && newText.endsWith('\n');
  if (isWhole && codeEnding.test(path)) return codeHunks(oldText, newText);
  return diffSequences(linesWithEnds(oldText), linesWithEnds(newText)).map(({ aFrom, aTo, bFrom, bTo }) => ({
    old: { from: aFrom + 1, to: aTo },
    new: { from: bFrom + 1, to: bTo },
  }));
}

function allLines(text: string): LineRange {
  return { from: 1, to: linesWithEnds(text).length };
}

/** Excludes parser and scanner grammars, which only contain C between their rules. */
const codeEnding = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inl|ipp|tcc)$/i;

class FunctionNames {
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
  // An empty range lies between two lines: it is in a function if both lines are.
  const [first, last] = to < from ? [from - 1, from] : [from, from];
  const around = spans.find((span) => span.from <= first && last <= span.to);
  return (around ?? spans.find((span) => from <= span.from && span.to <= to))?.name;
}

/** The lines of the new version, or the old lines if none is left in the new version. */
export function placeOf({ file, old, new: next }: Change): string {
  if (next.from <= next.to) return `${file}:${rangeText(next)}`;
  return old.from <= old.to ? `${file}:${next.to} (old ${rangeText(old)})` : file;
}

function rangeText({ from, to }: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
