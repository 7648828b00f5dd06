/**
 * Places edits where a reader expects them. If an inserted range begins and ends with the same words, it can slide up
 * or down: `} void f() {` is as short an edit as the whole function.
 */

import type { CodeWords } from './code-words.js';
import type { Edit } from './diff-sequences.js';

/** Maximum distance in words. Long tables of equal numbers look the same everywhere. */
export const farthestSlide = 1000;

/** The same difference, with edits joined if they can slide together, and each edit at the most readable place. */
export function settleEdits(edits: readonly Edit[], a: CodeWords, b: CodeWords): readonly Edit[] {
  const joined = joinNeighbours(edits, (before, next) => joinIfSlidable(before, next, a, b));
  return placeEdits(joined, a, b);
}

type EditKind = 'insertion' | 'deletion' | 'replacement';

function editKind({ aFrom, aTo, bFrom, bTo }: Edit): EditKind {
  return aFrom === aTo ? 'insertion' : bFrom === bTo ? 'deletion' : 'replacement';
}

function slide({ aFrom, aTo, bFrom, bTo }: Edit, by: number): Edit {
  return { aFrom: aFrom + by, aTo: aTo + by, bFrom: bFrom + by, bTo: bTo + by };
}

/** The words of an insertion or deletion, and the position in the other version. */
function sidesOf(
  edit: Edit,
  a: CodeWords,
  b: CodeWords,
): { own: CodeWords; from: number; to: number; other: CodeWords; at: number } {
  return editKind(edit) === 'insertion'
    ? { own: b, from: edit.bFrom, to: edit.bTo, other: a, at: edit.aFrom }
    : { own: a, from: edit.aFrom, to: edit.aTo, other: b, at: edit.bFrom };
}

/** How far, up to a maximum, an edit can slide: words that enter at one end must equal those that leave the other. */
function roomTo(way: 'above' | 'below', edit: Edit, a: CodeWords, b: CodeWords, most: number): number {
  const { own, from, to } = sidesOf(edit, a, b);
  const [start, step] = way === 'above' ? [-1, -1] : [0, 1];
  let room = 0;
  while (room < most && own.keys[from + start + step * room] === own.keys[to + start + step * room]) room++;
  return room;
}

export function joinNeighbours(
  edits: readonly Edit[],
  join: (before: Edit, next: Edit) => Edit | undefined,
): readonly Edit[] {
  const done: Edit[] = [];
  for (const edit of edits) {
    let next = edit;
    for (let before = done.at(-1); before !== undefined; before = done.at(-1)) {
      const both = join(before, next);
      if (both === undefined) break;
      done.pop();
      next = both;
    }
    done.push(next);
  }
  return done;
}

/** Two insertions or two deletions as one, if one can slide to the end of the other. */
function joinIfSlidable(before: Edit, after: Edit, a: CodeWords, b: CodeWords): Edit | undefined {
  const kind = editKind(after);
  const distance = after.aFrom - before.aTo;
  if (kind === 'replacement' || editKind(before) !== kind || distance > farthestSlide) return undefined;
  if (roomTo('above', after, a, b, distance) === distance) return span(before, slide(after, -distance));
  if (roomTo('below', before, a, b, distance) === distance) return span(slide(before, distance), after);
  return undefined;
}

export function span(first: Edit, last: Edit): Edit {
  return { aFrom: first.aFrom, aTo: last.aTo, bFrom: first.bFrom, bTo: last.bTo };
}

function placeEdits(edits: readonly Edit[], a: CodeWords, b: CodeWords): readonly Edit[] {
  const done: Edit[] = [];
  for (const [index, edit] of edits.entries()) {
    if (editKind(edit) === 'replacement') {
      done.push(edit);
      continue;
    }
    // Keep a common word between any two edits.
    const above = edit.aFrom - ((done.at(-1)?.aTo ?? -1) + 1);
    const below = (edits[index + 1]?.aFrom ?? a.length + 1) - 1 - edit.aTo;
    const up = roomTo('above', edit, a, b, Math.min(above, farthestSlide));
    const down = roomTo('below', edit, a, b, Math.min(below, farthestSlide));
    done.push(up + down === 0 ? edit : bestPlace(slide(edit, -up), up + down, a, b));
  }
  return done;
}

/** The best place from the given one down; the lowest one among equals. */
function bestPlace(highest: Edit, room: number, a: CodeWords, b: CodeWords): Edit {
  const { own, from, to, other, at } = sidesOf(highest, a, b);
  let best: { readonly by: number; readonly score: readonly number[] } | undefined;
  let depth = 0;
  for (let by = 0; by <= room; by++) {
    const [first, after] = [from + by, to + by];
    const score = [
      count(own.beginsLine(first), own.beginsLine(after), other.beginsLine(at + by)),
      // As far outside as possible, so that brackets opened in an edit are closed in it.
      -depth,
      count(own.beginsStatement(first), own.beginsStatement(after)),
      count(own.isAfterBlankLine(first), own.isAfterBlankLine(after), other.isAfterBlankLine(at + by)),
    ];
    if (best === undefined || compare(score, best.score) >= 0) best = { by, score };
    depth += own.nesting(first);
  }
  return slide(highest, best?.by ?? 0);
}

function count(...facts: readonly boolean[]): number {
  return facts.filter((fact) => fact).length;
}

function compare(score: readonly number[], other: readonly number[]): number {
  const differences = score.map((value, at) => value - (other[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
