import type { CodeWords } from './code-words.js';

/**
 * Lines from 1, both ends included. In an empty range `to` is `from - 1`, and the range is between these two lines.
 */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

interface WordRange {
  readonly words: CodeWords;
  readonly from: number;
  readonly to: number;
}

/**
 * The lines of some words. Without words: the lines whose statement lost or got a part there. Such a line is changed
 * if a word is missing in its middle, or at an end where the other version continues the statement.
 *
 * @param other the corresponding words of the other version
 */
export function linesOfWords({ words, from, to }: WordRange, other: WordRange): LineRange {
  if (from < to) return { from: words.line(from), to: words.endLine(to - 1) };
  const between = emptyRangeBefore(words, from);
  if (!words.beginsLine(from)) return { from: between.to, to: between.to };
  const isTornAbove = from > 0 && isInStatement(other.words, other.from);
  const isTornBelow = from < words.length && isInStatement(other.words, other.to);
  return {
    from: isTornAbove ? between.to : isTornBelow ? words.line(from) : between.from,
    to: isTornBelow ? words.line(from) : between.to,
  };
}

function isInStatement(words: CodeWords, at: number): boolean {
  return !words.beginsLine(at) && !words.beginsStatement(at);
}

export function emptyRangeBefore(words: CodeWords, at: number): LineRange {
  const line = at > 0 ? words.endLine(at - 1) : 0;
  return { from: line + 1, to: line };
}

export function isEmpty({ from, to }: LineRange): boolean {
  return to < from;
}
