/** Hunks of code that can be taken back one by one: lines of one version put in the place of lines of the other. */

import { hunksOf, type LineRange } from '../../change/index.js';
import { type CodeToken, tokensOf } from '../../program/source/index.js';

export interface LineHunk {
  readonly old: LineRange;
  readonly new: LineRange;
}

/**
 * Those that `change` finds, with what differs between them only in comments and line breaks left out. Where a statement
 * was wrapped differently, words may stand on another side of a hunk's border: such hunks are one with their neighbour.
 */
export function codeHunks(oldText: string, newText: string): readonly LineHunk[] {
  const [old, next] = [new CodeLines(oldText), new CodeLines(newText)];
  // Two that are no hunks stand before the first line and after the last, and are never given.
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
  return evened(
    whole.map((hunk) => inside(hunk, old.last, next.last)),
    old,
    next,
  );
}

/** Farther apart, lines that changed places are better told as moved. */
const mostEvened = 20;

/**
 * Lines that changed places, as the branches of an `if` do, are lines that were replaced: each can be taken back by
 * itself, and what stands between them stays.
 */
function evened(hunks: readonly LineHunk[], old: CodeLines, next: CodeLines): readonly LineHunk[] {
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

/** Line against line; undefined where there are more of them in one version. */
function replacedLines(
  { old, new: next }: LineHunk,
  oldLines: CodeLines,
  newLines: CodeLines,
): readonly LineHunk[] | undefined {
  const count = old.to - old.from + 1;
  if (count !== next.to - next.from + 1 || count > mostEvened) return undefined;
  // A line alone may be half of a comment, which what stands next to it would then be part of.
  if (oldLines.hasCommentOver(old) || newLines.hasCommentOver(next)) return undefined;
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

/** The words of a text by their lines, and where its comments go over several. */
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

  /** Of a macro over many lines, one may have changed. */
  #addLines(directive: string, first: number): void {
    for (const [at, line] of directive.split('\n').entries())
      for (const word of line.split(/\s+/)) if (word !== '') this.#add(word, first + at);
  }

  #add(word: string, line: number): void {
    const words = this.#lines.get(line);
    if (words === undefined) this.#lines.set(line, [word]);
    else words.push(word);
  }

  at(line: number): string {
    return (this.#lines.get(line) ?? []).join(' ');
  }

  /** Does a comment go from one line to the next within these? */
  hasCommentOver({ from, to }: LineRange): boolean {
    for (let line = from; line <= to + 1; line++) if (this.#isInComment.has(line)) return true;
    return false;
  }

  /** Lines with the whole of every comment that begins or ends on them. */
  withComments({ from, to }: LineRange): LineRange {
    let [first, last] = [from, to];
    while (this.#isInComment.has(first)) first--;
    while (this.#isInComment.has(last + 1)) last++;
    return { from: first, to: last };
  }

  /** The words on the lines after one and before another. */
  between(above: number, below: number): string {
    const words: string[] = [];
    for (let line = above + 1; line < below; line++) words.push(...(this.#lines.get(line) ?? []));
    return words.join(' ');
  }
}

/** Between words there is white space, and there are comments: those over several lines count. */
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
