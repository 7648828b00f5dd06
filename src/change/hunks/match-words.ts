/**
 * Which words of two versions are the same ones. A shortest edit script alone would gladly tear a function apart to
 * match its brackets with those of another: so what is sure comes first, and the script is for the rest.
 */

import { type Anchor, anchorsOf } from './anchors.js';
import { noKey, type WordKeys } from './code-words.js';
import { diffKeys, diffSequences, type Edit } from './diff-sequences.js';

/** Finds pairs of words that belong together, rising in both versions. */
type MatchStep = (a: Int32Array, b: Int32Array, vocabulary: WordKeys) => readonly Anchor[];

/** Each works on what the ones before it left between their pairs. */
const steps: readonly MatchStep[] = [
  longRuns,
  wholeStatements,
  // As long as a short statement, and once in what is left.
  (a, b) => anchorsOf(a, b, { length: 4 }),
  contentFirst,
];

/**
 * About two lines that occur once in both files. They begin with a statement: the bracket before two equal ones would
 * tell them apart, and be wrong as often as not.
 */
function longRuns(a: Int32Array, b: Int32Array, vocabulary: WordKeys): readonly Anchor[] {
  const mayBegin = (keys: Int32Array, at: number): boolean =>
    at > 0 && vocabulary.isStatementBetween(keys[at - 1] ?? noKey, keys[at] ?? noKey);
  return anchorsOf(a, b, { length: 16, mayBegin });
}

/** What lines are to other tools, but the same however the code is wrapped. Brackets by themselves say nothing. */
function wholeStatements(a: Int32Array, b: Int32Array, vocabulary: WordKeys): readonly Anchor[] {
  const [inA, inB] = [statementsOf(a, vocabulary), statementsOf(b, vocabulary)];
  return [
    ...inCommon(
      inA.map(({ key }) => key),
      inB.map(({ key }) => key),
    ),
  ].map(([i, j]) => ({
    a: inA[i]?.at ?? 0,
    b: inB[j]?.at ?? 0,
  }));
}

interface Statement {
  readonly at: number;
  readonly key: string;
}

function statementsOf(keys: Int32Array, vocabulary: WordKeys): readonly Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  let hasContent = false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? noKey;
    hasContent ||= vocabulary.traitsOf(key).hasContent;
    const next = keys[at + 1];
    if (next !== undefined && !vocabulary.isStatementBetween(key, next)) continue;
    if (hasContent) statements.push({ at: from, key: keys.subarray(from, at + 1).join() });
    from = at + 1;
    hasContent = false;
  }
  return statements;
}

/**
 * Names and values by themselves: lines of the same form, calls of one function after another, have more brackets and
 * commas in common than names.
 */
function contentFirst(a: Int32Array, b: Int32Array, vocabulary: WordKeys): readonly Anchor[] {
  const [inA, inB] = [placesOfContent(a, vocabulary), placesOfContent(b, vocabulary)];
  return [
    ...inCommon(
      inA.map((at) => a[at]),
      inB.map((at) => b[at]),
    ),
  ].map(([i, j]) => ({
    a: inA[i] ?? 0,
    b: inB[j] ?? 0,
  }));
}

function placesOfContent(keys: Int32Array, vocabulary: WordKeys): readonly number[] {
  const places: number[] = [];
  for (const [at, key] of keys.entries()) if (vocabulary.traitsOf(key).hasContent) places.push(at);
  return places;
}

/** The places of what two sequences have in common by a shortest edit script. */
function* inCommon<T>(a: readonly T[], b: readonly T[]): Iterable<readonly [number, number]> {
  let [i, j] = [0, 0];
  for (const { aFrom, aTo, bTo } of diffSequences(a, b)) {
    for (; i < aFrom; i++, j++) yield [i, j];
    [i, j] = [aTo, bTo];
  }
  for (; i < a.length; i++, j++) yield [i, j];
}

/** An edit script from `a` to `b`. */
export function matched(a: Int32Array, b: Int32Array, vocabulary: WordKeys): readonly Edit[] {
  const edits: Edit[] = [];
  match(a, b, 0, { a: 0, b: 0 }, vocabulary, edits);
  return edits;
}

/** @param start where `a` and `b` stand in the whole */
function match(
  a: Int32Array,
  b: Int32Array,
  depth: number,
  start: Anchor,
  vocabulary: WordKeys,
  edits: Edit[],
): void {
  const step = a.length > 0 && b.length > 0 ? steps[depth] : undefined;
  if (step === undefined) {
    for (const { aFrom, aTo, bFrom, bTo } of diffKeys(a, b))
      edits.push({
        aFrom: start.a + aFrom,
        aTo: start.a + aTo,
        bFrom: start.b + bFrom,
        bTo: start.b + bTo,
      });
    return;
  }
  let [i, j] = [0, 0];
  for (const end of [...step(a, b, vocabulary), { a: a.length, b: b.length }]) {
    while (i < end.a && j < end.b && a[i] === b[j]) {
      i++;
      j++;
    }
    if (i < end.a || j < end.b) {
      const place = { a: start.a + i, b: start.b + j };
      match(a.subarray(i, end.a), b.subarray(j, end.b), depth + 1, place, vocabulary, edits);
    }
    [i, j] = [end.a, end.b];
  }
}
