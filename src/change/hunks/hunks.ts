/**
 * What changed between two versions of C or C++ source files: like `diff -U0`, but of the code. Comments, white space
 * and line breaks are none; a statement that was only wrapped differently was not changed.
 */

import { atOnce } from '../../machine/index.js';
import { tokensOf } from '../../program/source/index.js';
import { type CodeText, type CodeWords, WordKeys } from './code-words.js';
import { type Compared, compared } from './compared.js';
import { afterLineOf, isEmpty, type LineRange, linesOf } from './line-range.js';
import { withMoves } from './moved-code.js';
import type { Piece } from './pairing.js';
import { type WordChange, wordChanges } from './word-changes.js';

/**
 * Lines that were replaced by others. They begin and end with lines that hold a word that was taken away or put in, or
 * a statement that lost one. Hunks follow one another in both versions and have no line in common.
 */
export interface Hunk {
  /** Lines of the old version; none, between two lines, where something was only added. */
  readonly old: LineRange;
  /** Lines of the new version; none, between two lines, where something was only taken away. */
  readonly new: LineRange;
  /** Its lines were only taken away, or only added, and the same code was added, or taken away, elsewhere. */
  readonly isMoved: boolean;
  /** What differs inside the lines, by words; empty if there are lines of one version only. */
  readonly words: readonly WordChange[];
}

/** Two versions of a file; of one that is in one version only, the other is empty. */
export interface CodePair {
  readonly old: CodeText;
  readonly new: CodeText;
}

/**
 * The hunks of one file, as if it were all that was changed.
 *
 * @example hunksOf('if (a)\n  f(1, 2);', 'if (a) f(1,\n  3);') // line 2 against line 2, of which 2 became 3
 */
export function hunksOf(oldText: string, newText: string): readonly Hunk[] {
  return hunksBetween(codeText(oldText), codeText(newText));
}

export function codeText(text: string): CodeText {
  return { text, tokens: tokensOf(text) };
}

/** The same of a file whose versions have been read already. */
export function hunksBetween(old: CodeText, next: CodeText): readonly Hunk[] {
  return hunksOfAll([{ old, new: next }])[0] ?? [];
}

/** The hunks of each of the files that were changed together: code may have moved from one to another. */
export function hunksOfAll(files: readonly CodePair[]): readonly (readonly Hunk[])[] {
  return atOnce(hunkSteps(files));
}

/** The same, in steps between which others may have their turn. */
export function* hunkSteps(files: readonly CodePair[]): Generator<void, readonly (readonly Hunk[])[]> {
  const vocabulary = new WordKeys();
  const all: Compared[] = [];
  for (const file of files) {
    all.push(compared(file.old, file.new, vocabulary));
    yield;
  }
  const pieces = withMoves(all);
  yield;
  const hunks: (readonly Hunk[])[] = [];
  for (const [at, file] of all.entries()) {
    hunks.push(hunksIn(file, pieces[at] ?? []));
    yield;
  }
  return hunks;
}

function hunksIn(file: Compared, pieces: readonly Piece[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const group of grouped(file, pieces)) {
    const before = hunks.at(-1);
    const [old, next] = linesOfGroup(file, group);
    const oldLines = after(before?.old, old);
    const newLines = after(before?.new, next);
    hunks.push({
      old: oldLines,
      new: newLines,
      isMoved: group[0].isMoved,
      words: isEmpty(oldLines) || isEmpty(newLines) ? [] : wordChanges(file, group),
    });
  }
  return hunks;
}

type PieceGroup = [Piece, ...Piece[]];

/** Pieces without an unchanged line between them. */
function grouped(file: Compared, pieces: readonly Piece[]): readonly PieceGroup[] {
  const groups: PieceGroup[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isOneHunk(file, before, piece)) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function isOneHunk(file: Compared, before: Piece, piece: Piece): boolean {
  if (before.isMoved || piece.isMoved) return false;
  const [aAbove, bAbove] = linesOfPiece(file, before);
  const [aBelow, bBelow] = linesOfPiece(file, piece);
  const inOld = meeting(file.old, before.aTo, piece.aFrom, aAbove, aBelow);
  const inNew = meeting(file.new, before.bTo, piece.bFrom, bAbove, bBelow);
  return (
    inOld === 'in a line' || inNew === 'in a line' || (inOld === 'at a border' && inNew === 'at a border')
  );
}

/** Do lines above words `[from, to)` and lines below them have a line in common, or at least none between them? */
function meeting(
  words: CodeWords,
  from: number,
  to: number,
  above: LineRange,
  below: LineRange,
): 'in a line' | 'at a border' | 'apart' {
  if (!isEmpty(above) && !isEmpty(below) && above.to >= below.from) return 'in a line';
  let at = from;
  while (at < to && words.endLine(at) <= above.to) at++;
  return at === to || words.line(at) >= below.from ? 'at a border' : 'apart';
}

/** Lines of both versions. */
type BothLines = readonly [old: LineRange, next: LineRange];

function linesOfPiece(file: Compared, { aFrom, aTo, bFrom, bTo, isMoved }: Piece): BothLines {
  const old = { words: file.old, from: aFrom, to: aTo };
  const next = { words: file.new, from: bFrom, to: bTo };
  // What moved away leaves the line it was in the middle of as it was.
  return [
    isMoved && aFrom === aTo ? afterLineOf(file.old, aFrom) : linesOf(old, next),
    isMoved && bFrom === bTo ? afterLineOf(file.new, bFrom) : linesOf(next, old),
  ];
}

/** From the first to the last line of the pieces, with what stayed the same between them. */
function linesOfGroup(file: Compared, group: PieceGroup): BothLines {
  const [first] = group;
  const { aTo, bTo } = group.at(-1) ?? first;
  const all = [{ ...first, aTo, bTo }, ...group].map((piece) => linesOfPiece(file, piece));
  return [covering(all.map(([old]) => old)), covering(all.map(([, next]) => next))];
}

function covering(ranges: readonly LineRange[]): LineRange {
  return ranges.reduce((all, range) => {
    if (isEmpty(all) || isEmpty(range)) return isEmpty(all) ? range : all;
    return { from: Math.min(all.from, range.from), to: Math.max(all.to, range.to) };
  });
}

/** The same lines but for those of the hunk before: one may have moved code between itself and the rest of a line. */
function after(before: LineRange | undefined, { from, to }: LineRange): LineRange {
  const start = Math.max(from, (before?.to ?? 0) + 1);
  return { from: start, to: Math.max(to, start - 1) };
}
