/**
 * Hunks of code that can be reverted one by one: line ranges of one version that replace line ranges of the other.
 */

import { hunksOf, type LineRange } from '../../change/index.js';
import { getOrCreate } from '../../program/graph/index.js';
import { type CodeToken, tokensOf } from '../../program/source/index.js';

export interface LineHunk {
  readonly old: LineRange;
  readonly new: LineRange;
}

/**
 * The hunks of `change`, without differences in comments and line breaks. If a statement is wrapped differently, some
 * of its tokens may lie across the border of a hunk: such neighbouring hunks are joined.
 */
export function codeHunks(oldText: string, newText: string): readonly LineHunk[] {
  const [old, next] = [new CodeLines(oldText), new CodeLines(newText)];
  // Two sentinels stand before the first line and after the last; they are not returned.
  const first = borderAt(0, 0);
  const last = borderAt(old.last + 1, next.last + 1);
  const found = hunksOf(oldText, newText).map((hunk) => ({
    old: old.withComments(hunk.old),
    new: next.withComments(hunk.new),
  }));
  const whole: LineHunk[] = [];
  let open: LineHunk = first;
  for (const hunk of [...found, last]) {
    const isApart = open.old.to < hunk.old.from && open.new.to < hunk.new.from;
    if (isApart && old.between(open.old.to, hunk.old.from) === next.between(open.new.to, hunk.new.from)) {
      if (open !== first) whole.push(open);
      open = hunk;
    } else open = joined(open, hunk);
  }
  if (open !== last) whole.push(open);
  return splitSwappedLines(
    whole.map((hunk) => inside(hunk, old.last, next.last)),
    old,
    next,
  );
}

/** Longer swaps stay two hunks, a removal and an addition. */
const maxSwappedLines = 20;

/**
 * Turns swapped lines, such as the branches of an `if`, into replaced lines: each can then be reverted on its own,
 * and the lines between them stay.
 */
function splitSwappedLines(hunks: readonly LineHunk[], old: CodeLines, next: CodeLines): readonly LineHunk[] {
  const done: LineHunk[] = [];
  for (const hunk of hunks) {
    const before = done.at(-1);
    const lines = before === undefined ? undefined : replacedLines(joined(before, hunk), old, next);
    const changed = before === undefined ? 0 : sizeOf(before) + sizeOf(hunk);
    const isTurn =
      before !== undefined &&
      (isEmpty(before.old) || isEmpty(before.new)) &&
      (isEmpty(hunk.old) || isEmpty(hunk.new));
    if (lines !== undefined && isTurn && 2 * lines.length <= changed) done.splice(-1, 1, ...lines);
    else done.push(hunk);
  }
  return done;
}

/** Pairs the lines one to one; undefined if the versions have different numbers of lines. */
function replacedLines(
  { old, new: next }: LineHunk,
  oldLines: CodeLines,
  newLines: CodeLines,
): readonly LineHunk[] | undefined {
  const count = old.to - old.from + 1;
  if (count !== next.to - next.from + 1 || count > maxSwappedLines) return undefined;
  // A single line may be half of a comment; reverting it alone would comment out the next lines.
  if (oldLines.hasMultilineComment(old) || newLines.hasMultilineComment(next)) return undefined;
  const replaced: LineHunk[] = [];
  for (let at = 0; at < count; at++) {
    const [a, b] = [old.from + at, next.from + at];
    if (oldLines.at(a) !== newLines.at(b)) replaced.push(borderAt(a, b));
  }
  return replaced;
}

function isEmpty({ from, to }: LineRange): boolean {
  return to < from;
}

function sizeOf({ old, new: next }: LineHunk): number {
  return old.to - old.from + 1 + (next.to - next.from + 1);
}

function borderAt(old: number, next: number): LineHunk {
  return { old: { from: old, to: old }, new: { from: next, to: next } };
}

function joined(a: LineHunk, b: LineHunk): LineHunk {
  return { old: { from: a.old.from, to: b.old.to }, new: { from: a.new.from, to: b.new.to } };
}

function inside({ old, new: next }: LineHunk, lastOld: number, lastNew: number): LineHunk {
  return {
    old: { from: Math.max(1, old.from), to: Math.min(lastOld, old.to) },
    new: { from: Math.max(1, next.from), to: Math.min(lastNew, next.to) },
  };
}

/** The tokens of a text by line, and its multi-line comments. */
class CodeLines {
  readonly #lines = new Map<number, string[]>();
  readonly last: number;
  /** Lines that begin inside a comment. */
  readonly #isInComment: ReadonlySet<number>;

  constructor(text: string) {
    const tokens = tokensOf(text);
    for (const token of tokens)
      if (token.kind === 'directive') this.#addLines(text.slice(token.offset, token.end), token.line);
      else this.#add(token.text, token.line);
    this.last = text === '' ? 0 : text.split('\n').length;
    this.#isInComment = linesInComments(text, tokens);
  }

  /** Splits a multi-line macro, so that a single line of it can be a hunk. */
  #addLines(directive: string, first: number): void {
    for (const [at, line] of directive.split('\n').entries())
      for (const word of line.split(/\s+/)) if (word !== '') this.#add(word, first + at);
  }

  #add(word: string, line: number): void {
    getOrCreate(this.#lines, line, () => []).push(word);
  }

  at(line: number): string {
    return (this.#lines.get(line) ?? []).join(' ');
  }

  /** Does a comment cross a line end in this range? */
  hasMultilineComment({ from, to }: LineRange): boolean {
    for (let line = from; line <= to + 1; line++) if (this.#isInComment.has(line)) return true;
    return false;
  }

  /** Extends the range by every comment that begins or ends in it. */
  withComments({ from, to }: LineRange): LineRange {
    let [first, last] = [from, to];
    while (this.#isInComment.has(first)) first--;
    while (this.#isInComment.has(last + 1)) last++;
    return { from: first, to: last };
  }

  /** The tokens between two lines, both excluded. */
  between(above: number, below: number): string {
    const words: string[] = [];
    for (let line = above + 1; line < below; line++) words.push(...(this.#lines.get(line) ?? []));
    return words.join(' ');
  }
}

/** The text between two tokens holds only white space and comments. */
function linesInComments(text: string, tokens: readonly CodeToken[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let at = 0;
  let line = 1;
  for (const { offset, end, endLine } of [...tokens, { offset: text.length, end: text.length, endLine: 0 }]) {
    const gap = text.slice(at, offset);
    for (const [comment] of gap.matchAll(/\/\*.*?(?:\*\/|$)/gs)) {
      const first = line + countOf('\n', gap.slice(0, gap.indexOf(comment)));
      for (let below = 1; below <= countOf('\n', comment); below++) inside.add(first + below);
    }
    at = end;
    line = endLine;
  }
  return inside;
}

function countOf(letter: string, text: string): number {
  return text.split(letter).length - 1;
}
