/** Which word of one version of a file is which word of the other, and what became of those that have no partner. */

import type { CodeWords } from './code-words.js';
import type { Compared } from './compared.js';
import type { Edit } from './diff-sequences.js';

/** What became of a word that has no partner in the other version. */
export const changed = -1;
export const moved = -2;

/** One version of a file. */
export interface PairedWords {
  readonly words: CodeWords;
  /** For each word the number of its partner in the other version, or what became of it. */
  readonly partners: Int32Array;
  /** The partners of the other version's words. */
  readonly opposite: Int32Array;
}

export interface Pair {
  readonly old: PairedWords;
  readonly new: PairedWords;
}

export function pairOf({ old, new: next, edits }: Compared): Pair {
  const oldPartners = new Int32Array(old.length).fill(changed);
  const newPartners = new Int32Array(next.length).fill(changed);
  let [a, b] = [0, 0];
  for (const edit of [
    ...edits,
    { aFrom: old.length, aTo: old.length, bFrom: next.length, bTo: next.length },
  ]) {
    for (; a < edit.aFrom; a++, b++) {
      oldPartners[a] = b;
      newPartners[b] = a;
    }
    [a, b] = [edit.aTo, edit.bTo];
  }
  return {
    old: { words: old, partners: oldPartners, opposite: newPartners },
    new: { words: next, partners: newPartners, opposite: oldPartners },
  };
}

/** Its partners elsewhere, if any, were partners by chance. */
export function markMoved({ partners, opposite }: PairedWords, from: number, length: number): void {
  for (let at = from; at < from + length; at++) {
    const partner = partners[at] ?? changed;
    if (partner >= 0) opposite[partner] = changed;
    partners[at] = moved;
  }
}

/** An edit all of which was moved, or nothing of which. One that was moved is an insertion or a deletion. */
export interface Piece extends Edit {
  readonly isMoved: boolean;
}

/** What is left of the pairs as edits. */
export function piecesOf({ old: { partners: old }, new: { partners: next } }: Pair): readonly Piece[] {
  const pieces: Piece[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < next.length) {
    const [aFrom, bFrom] = [a, b];
    if (old[a] === moved) {
      while (old[a] === moved) a++;
    } else if (next[b] === moved) {
      while (next[b] === moved) b++;
    } else {
      while (old[a] === changed) a++;
      while (next[b] === changed) b++;
    }
    if (a > aFrom || b > bFrom) {
      const isMoved = old[aFrom] === moved || next[bFrom] === moved;
      pieces.push({ aFrom, aTo: a, bFrom, bTo: b, isMoved });
    } else {
      a++;
      b++;
    }
  }
  return pieces;
}
