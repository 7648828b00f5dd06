/** Changes that are probably missing if a version with some changes reverted does not build. */

import { tokensOf } from '../../program/source/index.js';
import type { Change } from '../changes/change.js';

/** GCC, clang, linkers and make quote names in different ways. */
const quoted = /['`‘"“]([^'`’"”‘“]{1,200})['’"”]/g;
const word = /[A-Za-z_$][\w$]*/g;
const placed = /^([^:\s][^:]*):(\d+):/;

/** Words too common to identify a change. */
const keywords: ReadonlySet<string> = new Set(
  (
    'auto bool break case char class const continue default delete do double else enum extern float for goto if inline int ' +
    'long namespace new operator private protected public register return short signed sizeof static struct switch ' +
    'template this throw try typedef union unsigned using virtual void volatile while size_t error aka main'
  ).split(' '),
);

/** The identifiers that a diagnostic names. */
export function namesIn(diagnostic: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, text = ''] of diagnostic.matchAll(quoted))
    for (const [name] of text.matchAll(word)) if (!keywords.has(name)) names.add(name);
  return names;
}

export interface DiagnosticPlace {
  readonly file: string;
  readonly line: number;
}

function placeIn(diagnostic: string): DiagnosticPlace | undefined {
  const [, file, number] = placed.exec(diagnostic) ?? [];
  return file === undefined ? undefined : { file: file.replace(/^(?:\.\/)+/, ''), line: Number(number) };
}

/** Compilers print paths relative to their working folder, which may be below the sources. */
export function isFile(file: string, { file: named }: DiagnosticPlace): boolean {
  return file === named || file.endsWith(`/${named}`) || named.endsWith(`/${file}`);
}

function mentions({ oldLines, newLines }: Change, name: string): boolean {
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

/** The sources with some changes reverted. */
export interface CurrentSources {
  functionAt(place: DiagnosticPlace): string | undefined;
  /** The corresponding line of the new version. */
  newLineOf(place: DiagnosticPlace): number;
  /** Does reverting this change restore a removed function? */
  restores(change: Change, name: string): boolean;
}

const undeclaredPattern = /undefined (?:reference|symbol)|undeclared|not declared|implicit declaration/;
/** A file is included in two places; one of them must be reverted. */
const includedAgainPattern = /included multiple times/;
const wrongArgumentsPattern = /too (?:few|many) arguments/;

/**
 * Finds the changes that mention the names in each diagnostic. For a missing function these are the changes that
 * restore it, else the changes in the reported function or outside of all functions, else all others. Adds the change
 * nearest to the reported line, and the one nearest to the head of a function called with wrong arguments.
 *
 * @param left the changes that were not reverted
 */
export function likelyMissing(
  diagnostics: readonly string[],
  left: readonly Change[],
  sources: CurrentSources,
): readonly Change[] {
  const missing = new Set<Change>();
  let before = '';
  for (const diagnostic of diagnostics) {
    const isHead = wrongArgumentsPattern.test(before) && diagnostic.includes(': note:');
    before = diagnostic;
    const place = placeIn(diagnostic);
    if (place !== undefined && includedAgainPattern.test(diagnostic)) {
      const { change, distance } = nearestTo({ ...place, line: sources.newLineOf(place) }, left);
      if (change !== undefined && distance <= maxStatementDistance) missing.add(change);
      continue;
    }
    const about = place === undefined ? undefined : sources.functionAt(place);
    const isNear = ({ file, within }: Change): boolean =>
      within === undefined || (place !== undefined && isFile(file, place) && within === about);
    let [isNamed, isBack] = [false, false];
    for (const name of namesIn(diagnostic)) {
      const speaking = left.filter((change) => mentions(change, name));
      const near = speaking.filter(isNear);
      const back = undeclaredPattern.test(diagnostic)
        ? speaking.filter((change) => sources.restores(change, name))
        : [];
      for (const change of back.length > 0 ? back : near.length > 0 ? near : speaking) missing.add(change);
      isNamed ||= speaking.length > 0;
      isBack ||= back.length > 0;
    }
    if (place === undefined || isBack || (diagnostic.includes(': note:') && !isHead)) continue;
    // Arguments of a call may be on other lines than its name.
    const { change, distance } = nearestTo({ ...place, line: sources.newLineOf(place) }, left);
    if (change !== undefined && (!isNamed || distance <= maxStatementDistance)) missing.add(change);
  }
  return [...missing];
}

/** Lines this close may belong to one statement. */
const maxStatementDistance = 3;

function nearestTo(
  place: DiagnosticPlace,
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
