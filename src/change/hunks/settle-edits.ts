/**
 * Where an inserted stretch begins and ends with the same words, it may as well stand further up or down: `} void f() {`
 * is as short an edit as the whole function. Edits are moved to where a reader would see them.
 */

import type { CodeWords } from './code-words.js';
import type { Edit } from './diff-sequences.js';

/** No edit is moved by more words: long tables of equal numbers look the same everywhere. */
export const farthestSlide = 1000;

/** The same difference: edits that can be slid together are joined, and each one stands where it reads best. */
export function settled(edits: readonly Edit[], a: CodeWords, b: CodeWords): readonly Edit[] {
  return placed(joined(edits, a, b), a, b);
}

type EditKind = 'insertion' | 'deletion' | 'replacement';

function kindOf({ aFrom, aTo, bFrom, bTo }: Edit): EditKind {
  return aFrom === aTo ? 'insertion' : bFrom === bTo ? 'deletion' : 'replacement';
}

function slid({ aFrom, aTo, bFrom, bTo }: Edit, by: number): Edit {
  return { aFrom: aFrom + by, aTo: aTo + by, bFrom: bFrom + by, bTo: bTo + by };
}

/** The words an edit is about, where it is about one version only, and the words of the other version. */
function sidesOf(
  edit: Edit,
  a: CodeWords,
  b: CodeWords,
): { own: CodeWords; from: number; to: number; other: CodeWords; at: number } {
  return kindOf(edit) === 'insertion'
    ? { own: b, from: edit.bFrom, to: edit.bTo, other: a, at: edit.aFrom }
    : { own: a, from: edit.aFrom, to: edit.aTo, other: b, at: edit.bFrom };
}

/** How far, up to some number of words, can it be slid up? What comes in above must be what goes out below. */
function roomAbove(edit: Edit, a: CodeWords, b: CodeWords, most: number): number {
  const {
    own: { keys },
    from,
    to,
  } = sidesOf(edit, a, b);
  let room = 0;
  while (room < most && keys[from - room - 1] === keys[to - room - 1]) room++;
  return room;
}

function roomBelow(edit: Edit, a: CodeWords, b: CodeWords, most: number): number {
  const {
    own: { keys },
    from,
    to,
  } = sidesOf(edit, a, b);
  let room = 0;
  while (room < most && keys[from + room] === keys[to + room]) room++;
  return room;
}

function joined(edits: readonly Edit[], a: CodeWords, b: CodeWords): readonly Edit[] {
  const done: Edit[] = [];
  for (const edit of edits) {
    let next = edit;
    for (let before = done.at(-1); before !== undefined; before = done.at(-1)) {
      const both = together(before, next, a, b);
      if (both === undefined) break;
      done.pop();
      next = both;
    }
    done.push(next);
  }
  return done;
}

/** Two insertions or two deletions as one, if one can be slid to where the other ends. */
function together(before: Edit, after: Edit, a: CodeWords, b: CodeWords): Edit | undefined {
  const kind = kindOf(after);
  const distance = after.aFrom - before.aTo;
  if (kind === 'replacement' || kindOf(before) !== kind || distance > farthestSlide) return undefined;
  if (roomAbove(after, a, b, distance) === distance) return spanning(before, slid(after, -distance));
  if (roomBelow(before, a, b, distance) === distance) return spanning(slid(before, distance), after);
  return undefined;
}

function spanning(first: Edit, last: Edit): Edit {
  return { aFrom: first.aFrom, aTo: last.aTo, bFrom: first.bFrom, bTo: last.bTo };
}

function placed(edits: readonly Edit[], a: CodeWords, b: CodeWords): readonly Edit[] {
  const done: Edit[] = [];
  for (const [index, edit] of edits.entries()) {
    if (kindOf(edit) === 'replacement') {
      done.push(edit);
      continue;
    }
    // Something in common stays between any two edits.
    const above = edit.aFrom - ((done.at(-1)?.aTo ?? -1) + 1);
    const below = (edits[index + 1]?.aFrom ?? a.length + 1) - 1 - edit.aTo;
    const up = roomAbove(edit, a, b, Math.min(above, farthestSlide));
    const down = roomBelow(edit, a, b, Math.min(below, farthestSlide));
    done.push(up + down === 0 ? edit : bestPlace(slid(edit, -up), up + down, a, b));
  }
  return done;
}

/** The best of the places from the given one down; the lowest of those that are as good. */
function bestPlace(highest: Edit, room: number, a: CodeWords, b: CodeWords): Edit {
  const { own, from, to, other, at } = sidesOf(highest, a, b);
  let best: { readonly by: number; readonly worth: readonly number[] } | undefined;
  let depth = 0;
  for (let by = 0; by <= room; by++) {
    const [first, after] = [from + by, to + by];
    const worth = [
      // Whole lines, in both versions.
      count(own.beginsLine(first), own.beginsLine(after), other.beginsLine(at + by)),
      // From as far outside as possible: what is nested in brackets that an edit opens is closed in it again.
      -depth,
      count(own.beginsStatement(first), own.beginsStatement(after)),
      count(own.isAfterGap(first), own.isAfterGap(after), other.isAfterGap(at + by)),
    ];
    if (best === undefined || compare(worth, best.worth) >= 0) best = { by, worth };
    depth += own.nesting(first);
  }
  return slid(highest, best?.by ?? 0);
}

function count(...facts: readonly boolean[]): number {
  return facts.filter((fact) => fact).length;
}

/** The first number that differs decides. */
function compare(worth: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < worth.length; at++) {
    const difference = (worth[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
