/**
 * The difference of two versions of C or C++ source files: like `diff -U0`, but of the code. Changed comments, white
 * space and line breaks are no difference.
 */

import { runWithoutYielding } from '../../machine/index.js';
import { tokensOf } from '../../program/source/index.js';
import { type CodeText, type CodeWords, Vocabulary } from './code-words.js';
import { type Comparison, compareVersions } from './comparison.js';
import { diffSequences } from './diff-sequences.js';
import { emptyRangeBefore, isEmpty, type LineRange, linesOfWords } from './line-range.js';
import { detectMoves } from './moved-code.js';
import type { Piece } from './pairing.js';
import { type WordChange, wordChanges } from './word-changes.js';

/**
 * Lines that were replaced by others. The first and the last line hold a removed or added word, or a statement that
 * lost a word. Hunks are in order in both versions and share no line.
 */
export interface Hunk {
  /** Lines of the old version. Empty, between two lines, if the hunk only adds. */
  readonly old: LineRange;
  /** Lines of the new version. Empty, between two lines, if the hunk only removes. */
  readonly new: LineRange;
  /** True if the hunk only removes or only adds lines, and the same code was added or removed elsewhere. */
  readonly isMoved: boolean;
  /** The changed words. Empty if the hunk has lines of one version only. */
  readonly words: readonly WordChange[];
}

export interface CodePair {
  readonly old: CodeText;
  readonly new: CodeText;
}

/**
 * The hunks of one file, compared without other files.
 *
 * @example hunksOf('if (a)\n f(1, 2);', 'if (a) f(1,\n 3);') // line 2 against line 2, 2 replaced by 3
 */
export function hunksOf(oldText: string, newText: string): readonly Hunk[] {
  return runWithoutYielding(hunkSteps([{ old: codeText(oldText), new: codeText(newText) }]))[0] ?? [];
}

export function codeText(text: string): CodeText {
  return { text, tokens: tokensOf(text) };
}

/** The hunks that `diff` finds: lines that differ in any character. */
export function lineHunks(oldText: string, newText: string): readonly Hunk[] {
  return diffSequences(oldText.split('\n'), newText.split('\n')).map(({ aFrom, aTo, bFrom, bTo }) => ({
    old: { from: aFrom + 1, to: aTo },
    new: { from: bFrom + 1, to: bTo },
    isMoved: false,
    words: [],
  }));
}

/** The hunks of files that changed together. Code may have moved from one to another. Yields after each file. */
export function* hunkSteps(files: readonly CodePair[]): Generator<void, readonly (readonly Hunk[])[]> {
  const vocabulary = new Vocabulary();
  const all: Comparison[] = [];
  for (const file of files) {
    all.push(compareVersions(file.old, file.new, vocabulary));
    yield;
  }
  const pieces = detectMoves(all);
  yield;
  const hunks: (readonly Hunk[])[] = [];
  for (const [at, file] of all.entries()) {
    hunks.push(hunksIn(file, pieces[at] ?? []));
    yield;
  }
  return hunks;
}

function hunksIn(file: Comparison, pieces: readonly Piece[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const group of groupPieces(file, pieces)) {
    const before = hunks.at(-1);
    const [old, next] = linesOfGroup(file, group);
    const oldLines = withoutLinesOf(before?.old, old);
    const newLines = withoutLinesOf(before?.new, next);
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

function groupPieces(file: Comparison, pieces: readonly Piece[]): readonly PieceGroup[] {
  const groups: PieceGroup[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isOneHunk(file, before, piece)) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function isOneHunk(file: Comparison, before: Piece, piece: Piece): boolean {
  if (before.isMoved || piece.isMoved) return false;
  const [aAbove, bAbove] = linesOfPiece(file, before);
  const [aBelow, bBelow] = linesOfPiece(file, piece);
  const relations = [
    lineRelation(file.old, before.aTo, piece.aFrom, aAbove, aBelow),
    lineRelation(file.new, before.bTo, piece.bFrom, bAbove, bBelow),
  ];
  return relations.includes('overlapping') || !relations.includes('apart');
}

function lineRelation(
  words: CodeWords,
  from: number,
  to: number,
  above: LineRange,
  below: LineRange,
): 'overlapping' | 'adjacent' | 'apart' {
  if (!isEmpty(above) && !isEmpty(below) && above.to >= below.from) return 'overlapping';
  let at = from;
  while (at < to && words.endLine(at) <= above.to) at++;
  return at === to || words.line(at) >= below.from ? 'adjacent' : 'apart';
}

type BothLines = readonly [old: LineRange, next: LineRange];

function linesOfPiece(file: Comparison, { aFrom, aTo, bFrom, bTo, isMoved }: Piece): BothLines {
  const old = { words: file.old, from: aFrom, to: aTo };
  const next = { words: file.new, from: bFrom, to: bTo };
  // Moving code out of the middle of a line leaves that line unchanged.
  return [
    isMoved && aFrom === aTo ? emptyRangeBefore(file.old, aFrom) : linesOfWords(old, next),
    isMoved && bFrom === bTo ? emptyRangeBefore(file.new, bFrom) : linesOfWords(next, old),
  ];
}

/** All lines from the first to the last piece, including unchanged text between them. */
function linesOfGroup(file: Comparison, group: PieceGroup): BothLines {
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

/** Removes the lines of the preceding hunk, which may have moved code between itself and the rest of a line. */
function withoutLinesOf(before: LineRange | undefined, { from, to }: LineRange): LineRange {
  const start = Math.max(from, (before?.to ?? 0) + 1);
  return { from: start, to: Math.max(to, start - 1) };
}
