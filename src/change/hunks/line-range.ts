import type { CodeWords } from './code-words.js';

/** Lines from 1, both included. Without lines, `to` is `from - 1` and the range stands between the two. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** CodeWords `[from, to)` of one version. */
interface WordRange {
  readonly words: CodeWords;
  readonly from: number;
  readonly to: number;
}

/**
 * The lines on which words stand. Without words, those lines that lost or got a part of a statement there: a line was
 * changed if a word is missing from its middle, or from an end at which its statement was written on in the other
 * version.
 *
 * @param other what stands in their place there
 */
export function linesOf({ words, from, to }: WordRange, other: WordRange): LineRange {
  if (from < to) return { from: words.line(from), to: words.endLine(to - 1) };
  const between = afterLineOf(words, from);
  if (!words.beginsLine(from)) return { from: between.to, to: between.to };
  const isTornAbove = from > 0 && isInStatement(other.words, other.from);
  const isTornBelow = from < words.length && isInStatement(other.words, other.to);
  return {
    from: isTornAbove ? between.to : isTornBelow ? words.line(from) : between.from,
    to: isTornBelow ? words.line(from) : between.to,
  };
}

/** Is a word written on the same line as the word before, in the same statement? */
function isInStatement(words: CodeWords, at: number): boolean {
  return !words.beginsLine(at) && !words.beginsStatement(at);
}

/** No lines, after the line of the word before this one. */
export function afterLineOf(words: CodeWords, at: number): LineRange {
  const line = at > 0 ? words.endLine(at - 1) : 0;
  return { from: line + 1, to: line };
}

export function isEmpty({ from, to }: LineRange): boolean {
  return to < from;
}
