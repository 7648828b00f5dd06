/**
 * Decides which words of two versions correspond. A shortest edit script alone would tear a function apart to match
 * its brackets with brackets of another function. Certain matches therefore come first, and the script covers the
 * rest.
 */

import { type Anchor, findAnchors } from './anchors.js';
import { noKey, type Vocabulary } from './code-words.js';
import { diffKeys, diffSequences, type Edit } from './diff-sequences.js';

/** Finds pairs of corresponding words, ascending in both versions. */
type MatchStep = (a: Int32Array, b: Int32Array, vocabulary: Vocabulary) => readonly Anchor[];

/** Each step works between the pairs of the steps before it. */
const steps: readonly MatchStep[] = [
  longRuns,
  wholeStatements,
  // As long as a short statement, and unique in the rest.
  (a, b) => findAnchors(a, b, { length: 4 }),
  contentWords,
];

/**
 * About two lines that occur once in both files. A run begins with a statement. Otherwise a differing bracket before
 * two equal statements would distinguish them, which is as often wrong as right.
 */
function longRuns(a: Int32Array, b: Int32Array, vocabulary: Vocabulary): readonly Anchor[] {
  const mayBegin = (keys: Int32Array, at: number): boolean =>
    at > 0 && vocabulary.isStatementBetween(keys[at - 1] ?? noKey, keys[at] ?? noKey);
  return findAnchors(a, b, { length: 16, mayBegin });
}

/** Statements, independent of line breaks. Statements of punctuation alone are ignored. */
function wholeStatements(a: Int32Array, b: Int32Array, vocabulary: Vocabulary): readonly Anchor[] {
  return commonAnchors(statementsOf(a, vocabulary), statementsOf(b, vocabulary));
}

interface KeyAt {
  readonly at: number;
  readonly key: number | string;
}

function statementsOf(keys: Int32Array, vocabulary: Vocabulary): readonly KeyAt[] {
  const statements: KeyAt[] = [];
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
 * Names and values only. Lines of the same form, such as repeated calls of one function, have more punctuation than
 * names in common.
 */
function contentWords(a: Int32Array, b: Int32Array, vocabulary: Vocabulary): readonly Anchor[] {
  const contentOf = (keys: Int32Array): readonly KeyAt[] => {
    const content: KeyAt[] = [];
    for (const [at, key] of keys.entries())
      if (vocabulary.traitsOf(key).hasContent) content.push({ at, key });
    return content;
  };
  return commonAnchors(contentOf(a), contentOf(b));
}

function commonAnchors(inA: readonly KeyAt[], inB: readonly KeyAt[]): readonly Anchor[] {
  const [a, b] = [inA.map(({ key }) => key), inB.map(({ key }) => key)];
  const anchors: Anchor[] = [];
  let [i, j] = [0, 0];
  for (const { aFrom, aTo, bTo } of [...diffSequences(a, b), { aFrom: a.length, aTo: 0, bTo: 0 }]) {
    for (; i < aFrom; i++, j++) anchors.push({ a: inA[i]?.at ?? 0, b: inB[j]?.at ?? 0 });
    [i, j] = [aTo, bTo];
  }
  return anchors;
}

export function matchWords(a: Int32Array, b: Int32Array, vocabulary: Vocabulary): readonly Edit[] {
  const edits: Edit[] = [];
  matchRanges(a, b, 0, { a: 0, b: 0 }, vocabulary, edits);
  return edits;
}

/** @param start positions of `a` and `b` in the whole sequences */
function matchRanges(
  a: Int32Array,
  b: Int32Array,
  depth: number,
  start: Anchor,
  vocabulary: Vocabulary,
  edits: Edit[],
): void {
  const step = a.length > 0 && b.length > 0 ? steps[depth] : undefined;
  if (step === undefined) {
    const { a: aStart, b: bStart } = start;
    for (const { aFrom, aTo, bFrom, bTo } of diffKeys(a, b))
      edits.push({ aFrom: aStart + aFrom, aTo: aStart + aTo, bFrom: bStart + bFrom, bTo: bStart + bTo });
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
      matchRanges(a.subarray(i, end.a), b.subarray(j, end.b), depth + 1, place, vocabulary, edits);
    }
    [i, j] = [end.a, end.b];
  }
}
