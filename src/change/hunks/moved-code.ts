/**
 * Detects code that was removed in one place and added word for word in another, in the same file or in another file
 * of the change. A move does not change what the code does, which matters when searching for a culprit.
 */

import { hashOf } from './anchors.js';
import type { Comparison } from './comparison.js';
import { diffKeys } from './diff-sequences.js';
import { changed, markMoved, moved, type PairedWords, type Piece, pairingOf, piecesOf } from './pairing.js';

/** Shorter blocks are too likely to be equal by chance. */
export const fewestMovedWords = 20;
export const fewestMovedLines = 2;

const halfABlock = fewestMovedWords / 2;

/**
 * Distance in words from a moved block within which equal lines belong to it, although text between them was edited.
 */
const nearbyWords = 3 * fewestMovedWords;

const mostCandidates = 16;

/**
 * The edits of each file, split where only a part moved. Only whole lines move. Code that was added twice but removed
 * once moved once.
 */
export function detectMoves(files: readonly Comparison[]): readonly (readonly Piece[])[] {
  const removed = files.map((file) => changedStretches(file, 'old'));
  const added = files.map((file) => changedStretches(file, 'new'));
  const isAny = (stretches: readonly Stretch[]): boolean => stretches.length > 0;
  if (!removed.some(isAny) || !added.some(isAny))
    return files.map(({ edits }) => edits.map((edit) => ({ ...edit, isMoved: false })));

  const pairs = files.map(pairingOf);
  const blocks = new RemovedBlocks();
  for (const [index, { old }] of pairs.entries())
    for (const stretch of removed[index] ?? []) blocks.add(old, stretch);
  const moves = pairs.flatMap((pair, index) =>
    (added[index] ?? []).flatMap((stretch) => movesInto(pair.new, stretch, blocks)),
  );
  for (const move of moves) markAroundEdits(move);
  return pairs.map(piecesOf);
}

type Stretch = readonly [from: number, to: number];

/**
 * The changed words, from the beginning of their line. Two stretches are joined if fewer words than a block are
 * unchanged between them. Those words may be equal by chance, such as the brackets of a function that was replaced by
 * another.
 */
function changedStretches(file: Comparison, side: 'old' | 'new'): readonly Stretch[] {
  const words = file[side];
  const stretches: [from: number, to: number][] = [];
  for (const { aFrom, aTo, bFrom, bTo } of file.edits) {
    let [from, to] = side === 'old' ? [aFrom, aTo] : [bFrom, bTo];
    if (from === to) continue;
    const last = stretches.at(-1);
    while (from > (last?.[1] ?? 0) && !words.beginsLine(from)) from--;
    if (last !== undefined && from - last[1] < fewestMovedWords) last[1] = to;
    else stretches.push([from, to]);
  }
  return stretches.filter(([from, to]) => to - from >= fewestMovedWords);
}

interface BlockStart {
  readonly side: PairedWords;
  readonly stretch: Stretch;
  readonly at: number;
}

/** Removed lines, by a hash of the words that begin there. */
class RemovedBlocks {
  readonly #places = new Map<number, BlockStart[]>();

  add(side: PairedWords, stretch: Stretch): void {
    for (const at of blockStarts(side, stretch)) {
      const hash = hashAt(side, at);
      const known = this.#places.get(hash);
      const place = { side, stretch, at };
      if (known === undefined) this.#places.set(hash, [place]);
      else if (known.length < mostCandidates) known.push(place);
    }
  }

  candidates(side: PairedWords, at: number): readonly BlockStart[] {
    return this.#places.get(hashAt(side, at)) ?? [];
  }
}

function* blockStarts({ words }: PairedWords, [from, to]: Stretch): Iterable<number> {
  for (let at = from; at + fewestMovedWords <= to; at++) if (words.beginsLine(at)) yield at;
}

function hashAt({ words: { keys } }: PairedWords, from: number): number {
  return hashOf(keys, from, fewestMovedWords);
}

interface Move {
  readonly from: BlockStart;
  readonly to: BlockStart;
  readonly length: number;
}

/** From top to bottom, the longest block that begins with a line. */
function movesInto(side: PairedWords, stretch: Stretch, blocks: RemovedBlocks): readonly Move[] {
  const moves: Move[] = [];
  let next = 0;
  for (const at of blockStarts(side, stretch)) {
    if (at < next) continue;
    const to: BlockStart = { side, stretch, at };
    let best: Move | undefined;
    for (const from of blocks.candidates(side, at)) {
      const length = lengthOfMove(from, to);
      if (length > (best?.length ?? 0)) best = { from, to, length };
    }
    if (best === undefined) continue;
    markMoved(best.from.side, best.from.at, best.length);
    markMoved(side, at, best.length);
    moves.push(best);
    next = at + best.length;
  }
  return moves;
}

/** Number of equal words, in whole lines, from two positions on; 0 if they are too few for a block. */
function lengthOfMove(from: BlockStart, to: BlockStart): number {
  const [{ words: old, partners: oldPartners }, { words: next, partners: newPartners }] = [
    from.side,
    to.side,
  ];
  // A little beyond the changed stretch, since the last bracket may have been matched by chance.
  const most = fewestMovedWords + Math.min(from.stretch[1] - from.at, to.stretch[1] - to.at);
  let length = 0;
  while (
    length < most &&
    from.at + length < old.length &&
    old.keys[from.at + length] === next.keys[to.at + length] &&
    oldPartners[from.at + length] !== moved &&
    newPartners[to.at + length] !== moved
  )
    length++;
  length = closedLength(from, to, length);
  if (length < fewestMovedWords) return 0;
  const [a, b] = [from.at + length - 1, to.at + length - 1];
  const lines = Math.min(old.endLine(a) - old.line(from.at), next.endLine(b) - next.line(to.at)) + 1;
  if (lines < fewestMovedLines) return 0;
  return isMostlyInPlace(oldPartners, from.at, length) || isMostlyInPlace(newPartners, to.at, length)
    ? 0
    : length;
}

/** Has most of a block partners in place, other than isolated words? Then other code moved. */
function isMostlyInPlace(partners: Int32Array, from: number, length: number): boolean {
  let [staying, run] = [0, 0];
  for (let at = from; at < from + length; at++) {
    const partner = partners[at] ?? changed;
    const isNext = run > 0 && partner === (partners[at - 1] ?? changed) + 1;
    run = partner < 0 ? 0 : isNext ? run + 1 : 1;
    if (run === halfABlock) staying += run;
    else if (run > halfABlock) staying++;
  }
  return 2 * staying > length;
}

/**
 * The whole lines of a run up to the last one that changed in both places, plus the lines that close the open
 * brackets.
 */
function closedLength(from: BlockStart, to: BlockStart, run: number): number {
  const endsLine = (length: number): boolean =>
    from.side.words.beginsLine(from.at + length) && to.side.words.beginsLine(to.at + length);
  const isChanged = (at: number): boolean =>
    from.side.partners[from.at + at] === changed && to.side.partners[to.at + at] === changed;
  let end = run;
  while (end > 0 && !endsLine(end)) end--;
  let length = end;
  for (let at = end - 1; at >= 0 && !isChanged(at); at--) if (endsLine(at)) length = at;

  let depth = 0;
  for (let at = 0; at < length; at++) depth += from.side.words.nesting(from.at + at);
  let closed = length;
  while (depth > 0 && closed < end) depth += from.side.words.nesting(from.at + closed++);
  return depth === 0 && endsLine(closed) ? closed : length;
}

/** Marks equal whole lines near a moved block, beyond text that was edited during the move. */
function markAroundEdits({ from, to, length }: Move): void {
  const after = Math.min(nearbyWords, from.stretch[1] - from.at - length);
  const newAfter = Math.min(nearbyWords, to.stretch[1] - to.at - length);
  markSameLines(from.side, [from.at + length, from.at + length + after], to.side, [
    to.at + length,
    to.at + length + newAfter,
  ]);
  const before = Math.min(nearbyWords, from.at - from.stretch[0]);
  const newBefore = Math.min(nearbyWords, to.at - to.stretch[0]);
  markSameLines(from.side, [from.at - before, from.at], to.side, [to.at - newBefore, to.at]);
}

function markSameLines(old: PairedWords, [a, aEnd]: Stretch, next: PairedWords, [b, bEnd]: Stretch): void {
  const edits = diffKeys(old.words.keys.subarray(a, aEnd), next.words.keys.subarray(b, bEnd));
  let [aFrom, bFrom] = [a, b];
  for (const edit of [...edits, { aFrom: aEnd - a, aTo: aEnd - a, bFrom: bEnd - b, bTo: bEnd - b }]) {
    let length = a + edit.aFrom - aFrom;
    while (length > 0 && !(old.words.beginsLine(aFrom) && next.words.beginsLine(bFrom))) {
      aFrom++;
      bFrom++;
      length--;
    }
    while (length > 0 && !(old.words.beginsLine(aFrom + length) && next.words.beginsLine(bFrom + length)))
      length--;
    if (isAllChanged(old, aFrom, length) && isAllChanged(next, bFrom, length)) {
      markMoved(old, aFrom, length);
      markMoved(next, bFrom, length);
    }
    [aFrom, bFrom] = [a + edit.aTo, b + edit.bTo];
  }
}

function isAllChanged({ partners }: PairedWords, from: number, length: number): boolean {
  return partners.subarray(from, from + length).every((partner) => partner === changed);
}
