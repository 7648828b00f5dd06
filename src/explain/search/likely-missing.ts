/** Which changes are likely to be missing where a version with some changes taken back does not build. */

import { tokensOf } from '../../program/source/index.js';
import type { Change } from '../changes/change.js';

/** GCC, clang, the linkers and make all quote what they speak of, each in its own way. */
const quoted = /['`‘"“]([^'`’"”‘“]{1,200})['’"”]/g;
const word = /[A-Za-z_$][\w$]*/g;
const placed = /^([^:\s][^:]*):(\d+):/;

/** Words of the language, which every other line has. */
const usual: ReadonlySet<string> = new Set(
  (
    'auto bool break case char class const continue default delete do double else enum extern float for goto if inline int ' +
    'long namespace new operator private protected public register return short signed sizeof static struct switch ' +
    'template this throw try typedef union unsigned using virtual void volatile while size_t error aka main'
  ).split(' '),
);

/** The names that complaints speak of, as a program would have them. */
export function namesIn(complaint: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, text = ''] of complaint.matchAll(quoted))
    for (const [name] of text.matchAll(word)) if (!usual.has(name)) names.add(name);
  return names;
}

export interface Place {
  readonly file: string;
  readonly line: number;
}

function placeIn(complaint: string): Place | undefined {
  const [, file, number] = placed.exec(complaint) ?? [];
  return file === undefined ? undefined : { file: file.replace(/^(?:\.\/)+/, ''), line: Number(number) };
}

/** A compiler names files from where it was called, which may be below the folder with the sources. */
export function isFile(file: string, { file: named }: Place): boolean {
  return file === named || file.endsWith(`/${named}`) || named.endsWith(`/${file}`);
}

function speaksOf({ oldLines, newLines }: Change, name: string): boolean {
  return wordsOf(oldLines).has(name) || wordsOf(newLines).has(name);
}

const known = new WeakMap<readonly string[], ReadonlySet<string>>();

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  const there = known.get(lines);
  if (there !== undefined) return there;
  const words = new Set(tokensOf(lines.join('')).flatMap(({ text }) => text.match(word) ?? []));
  known.set(lines, words);
  return words;
}

/** Sources as they are now, with some changes taken back. */
export interface CurrentSources {
  /** The function a line is in. */
  functionAt(place: Place): string | undefined;
  /** The line of the new version that stands there, or would. */
  newLineOf(place: Place): number;
  /** Is there a function again with this change taken back, of which nothing is there now? */
  bringsBack(change: Change, name: string): boolean;
}

/** Something is used that is not there. */
const isAbsent = /undefined (?:reference|symbol)|undeclared|not declared|implicit declaration/;
/** A file that was included elsewhere before: one of the places has to go. */
const isIncludedAgain = /included multiple times/;
/** It is there, but takes something else. */
const isOtherwise = /too (?:few|many) arguments/;

/**
 * For each complaint, the changes that speak of what it names: of a function that is not there those that bring it back;
 * else those in the function it is about and those outside of all functions, where things are declared; others only where
 * there is none of these. Besides, the change next to it, and next to the head of a function that takes something else.
 *
 * @param left the changes that were not taken back
 */
export function likelyMissing(
  complaints: readonly string[],
  left: readonly Change[],
  sources: CurrentSources,
): readonly Change[] {
  const missing = new Set<Change>();
  let before = '';
  for (const complaint of complaints) {
    const isHead = isOtherwise.test(before) && complaint.includes(': note:');
    before = complaint;
    const place = placeIn(complaint);
    if (place !== undefined && isIncludedAgain.test(complaint)) {
      const { change, distance } = nearestTo({ ...place, line: sources.newLineOf(place) }, left);
      if (change !== undefined && distance <= sameStatement) missing.add(change);
      continue;
    }
    const about = place === undefined ? undefined : sources.functionAt(place);
    const isNear = ({ file, within }: Change): boolean =>
      within === undefined || (place !== undefined && isFile(file, place) && within === about);
    let [isNamed, isBack] = [false, false];
    for (const name of namesIn(complaint)) {
      const speaking = left.filter((change) => speaksOf(change, name));
      const near = speaking.filter(isNear);
      const back = isAbsent.test(complaint)
        ? speaking.filter((change) => sources.bringsBack(change, name))
        : [];
      for (const change of back.length > 0 ? back : near.length > 0 ? near : speaking) missing.add(change);
      isNamed ||= speaking.length > 0;
      isBack ||= back.length > 0;
    }
    if (place === undefined || isBack || (complaint.includes(': note:') && !isHead)) continue;
    // The arguments of a call may stand on other lines than its name.
    const { change, distance } = nearestTo({ ...place, line: sources.newLineOf(place) }, left);
    if (change !== undefined && (!isNamed || distance <= sameStatement)) missing.add(change);
  }
  return [...missing];
}

/** Lines this far apart may be of one statement. */
const sameStatement = 3;

function nearestTo(
  place: Place,
  changes: readonly Change[],
): { readonly change: Change | undefined; readonly distance: number } {
  let nearest: Change | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    if (!isFile(change.file, place)) continue;
    const distance = Math.max(change.new.from - place.line, place.line - change.new.to, 0);
    if (distance < least) [nearest, least] = [change, distance];
  }
  return { change: nearest, distance: least };
}
