/** Maps each word of one version of a file to its partner in the other version. */

import type { CodeWords } from './code-words.js';
import type { Comparison } from './comparison.js';
import type { Edit } from './diff-sequences.js';

/** In place of a partner, for words without one. */
export const changed = -1;
export const moved = -2;

export interface PairedWords {
  readonly words: CodeWords;
  /** For each word the index of its partner in the other version, or `changed` or `moved`. */
  readonly partners: Int32Array;
  readonly opposite: Int32Array;
}

export interface WordPairing {
  readonly old: PairedWords;
  readonly new: PairedWords;
}

export function pairingOf({ old, new: next, edits }: Comparison): WordPairing {
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

export function markMoved({ partners, opposite }: PairedWords, from: number, length: number): void {
  for (let at = from; at < from + length; at++) {
    const partner = partners[at] ?? changed;
    if (partner >= 0) opposite[partner] = changed;
    partners[at] = moved;
  }
}

/** An edit that moved as a whole or not at all. A moved edit is an insertion or a deletion. */
export interface Piece extends Edit {
  readonly isMoved: boolean;
}

export function piecesOf({ old: { partners: old }, new: { partners: next } }: WordPairing): readonly Piece[] {
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
