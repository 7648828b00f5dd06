import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnchors } from '../../src/change/hunks/anchors.js';
import { Vocabulary } from '../../src/change/hunks/code-words.js';
import { diffSequences, type Edit } from '../../src/change/hunks/diff-sequences.js';
import { matchWords } from '../../src/change/hunks/match-words.js';

/** Words and punctuation of repetitive code. */
const noise = fc.array(fc.constantFrom('a', 'b', '(', ')', ';'), { maxLength: 60 });

/** Words that occur nowhere else. */
function once(which: number, length: number): readonly string[] {
  return Array.from({ length }, (_, at) => (at % 8 === 7 ? ';' : `w${which}_${at}`));
}

function edits(a: readonly string[], b: readonly string[]): readonly Edit[] {
  const vocabulary = new Vocabulary();
  const keys = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => vocabulary.keyOf(word));
  return matchWords(keys(a), keys(b), vocabulary);
}

function applied(a: readonly string[], b: readonly string[]): readonly string[] {
  const made: string[] = [];
  let at = 0;
  for (const { aFrom, aTo, bFrom, bTo } of edits(a, b)) {
    made.push(...a.slice(at, aFrom), ...b.slice(bFrom, bTo));
    at = aTo;
  }
  return [...made, ...a.slice(at)];
}

describe('matchWords', () => {
  const blocks = fc.array(
    fc.oneof(
      noise,
      fc.nat(4).map((which) => once(which, 40)),
    ),
    { maxLength: 6 },
  );

  it('the edits transform one version into the other', () => {
    fc.assert(
      fc.property(blocks, blocks, (a, b) => {
        expect(applied(a.flat(), b.flat())).toEqual(b.flat());
      }),
      { numRuns: 300 },
    );
  });

  it('a common word separates any two edits', () => {
    fc.assert(
      fc.property(blocks, blocks, (a, b) => {
        let before: Edit | undefined;
        for (const edit of edits(a.flat(), b.flat())) {
          if (before !== undefined) expect(edit.aFrom).toBeGreaterThan(before.aTo);
          if (before !== undefined) expect(edit.aFrom - before.aTo).toBe(edit.bFrom - before.bTo);
          before = edit;
        }
      }),
    );
  });

  it('a run that occurs once in both versions is matched despite many other common words', () => {
    fc.assert(
      fc.property(noise, noise, noise, noise, (above, below, newAbove, newBelow) => {
        const kept = once(0, 40);
        for (const { aFrom, aTo } of edits(
          [...above, ...kept, ...below],
          [...newAbove, ...kept, ...newBelow],
        ))
          expect(aTo <= above.length || aFrom >= above.length + kept.length).toBe(true);
      }),
    );
  });

  it('a block that occurs once is matched even if a shortest script would match repeated words', () => {
    const repeated = Array.from({ length: 30 }, () => ['x', ';']).flat();
    const block = once(0, 40);
    expect(diffSequences([...block, ...repeated], [...repeated, ...block])[0]?.aTo).toBeLessThanOrEqual(40);
    expect(edits([';', ...block, ...repeated], [';', ...repeated, ...block])).toEqual([
      { aFrom: 1, aTo: 1, bFrom: 1, bTo: 61 },
      { aFrom: 41, aTo: 101, bFrom: 101, bTo: 101 },
    ]);
  });

  it.each([
    ['a name', 'the marks between names', 'a ( x ) ; b ( y ) ;', 'c ( z , z ) ; a ; ( x ; ) ;', 'a'],
    [
      'what begins a statement',
      'its arguments',
      'a ( i , n , p , 1 ) ; b ( i , n ) ; d ( i , n ) ;',
      'c ( i , n ) ; e ( i , n ) ; a ( i , n , p , 2 ) ;',
      'a',
    ],
    ['a statement', 'brackets', 'keep ( a ) ; } } } } } }', '} } } } } } keep ( a ) ;', 'keep'],
  ])('%s is matched even if a shortest script would match %s', (_what, _instead, old, next, kept) => {
    const [a, b] = [old.split(' '), next.split(' ')];
    const isKept = (all: readonly Edit[]): boolean =>
      all.every(({ aFrom, aTo }) => a.indexOf(kept) < aFrom || a.indexOf(kept) >= aTo);
    expect([isKept(edits(a, b)), isKept(diffSequences(a, b))]).toEqual([true, false]);
  });
});

describe('findAnchors', () => {
  it('anchors are runs that occur once in both sequences, in ascending order', () => {
    const keys = fc.array(fc.nat(5), { maxLength: 60 });
    fc.assert(
      fc.property(keys, keys, fc.integer({ min: 1, max: 6 }), (a, b, length) => {
        const timesIn = (all: readonly number[], run: readonly number[]): number =>
          all.filter((_, at) => run.every((key, i) => all[at + i] === key)).length;
        let [lastA, lastB] = [-1, -1];
        for (const anchor of findAnchors(Int32Array.from(a), Int32Array.from(b), { length })) {
          const run = a.slice(anchor.a, anchor.a + length);
          expect(run).toEqual(b.slice(anchor.b, anchor.b + length));
          expect([run.length, timesIn(a, run), timesIn(b, run)]).toEqual([length, 1, 1]);
          expect(anchor.a).toBeGreaterThan(lastA);
          expect(anchor.b).toBeGreaterThan(lastB);
          [lastA, lastB] = [anchor.a, anchor.b];
        }
      }),
    );
  });

  it('runs with only their hash in common are no anchors', () => {
    const [a, b] = [Int32Array.of(1, 0x01000193 + 5), Int32Array.of(2, 5)];
    expect(findAnchors(a, b, { length: 2 })).toEqual([]);
  });

  it('anchors are a longest ascending sequence', () => {
    const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7 });
    fc.assert(
      fc.property(order, (b) => {
        const best = Math.max(
          ...Array.from({ length: 128 }, (_, bits) => b.filter((_key, at) => bits & (1 << at)))
            .filter((row) => row.every((key, at) => at === 0 || key > (row[at - 1] ?? 0)))
            .map((row) => row.length),
        );
        const a = Int32Array.from([1, 2, 3, 4, 5, 6, 7]);
        expect(findAnchors(a, Int32Array.from(b), { length: 1 }).length).toBe(best);
      }),
    );
  });
});
