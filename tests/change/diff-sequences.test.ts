import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSequences, type Edit } from '../../src/change/hunks/diff-sequences.js';

const sequences = (mostLetters: number, maxLength: number) =>
  fc
    .integer({ min: 1, max: mostLetters })
    .chain((letters) => fc.tuple(letterRows(letters, maxLength), letterRows(letters, maxLength)));

const letterRows = (letters: number, maxLength: number) => fc.array(fc.nat(letters - 1), { maxLength });

function applied<T>(edits: readonly Edit[], a: readonly T[], b: readonly T[]): readonly T[] {
  const made: T[] = [];
  let at = 0;
  for (const { aFrom, aTo, bFrom, bTo } of edits) {
    made.push(...a.slice(at, aFrom), ...b.slice(bFrom, bTo));
    at = aTo;
  }
  return [...made, ...a.slice(at)];
}

function sizeOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { aFrom, aTo, bFrom, bTo }) => sum + aTo - aFrom + bTo - bFrom, 0);
}

/** Length of the longest common subsequence, by dynamic programming. */
function longestCommon<T>(a: readonly T[], b: readonly T[]): number {
  let row: number[] = new Array(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(item === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Reproducible pseudo-random numbers. */
function* scattered(): Generator<number> {
  for (let state = 1; ; state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) yield state >>> 8;
}

describe('diffSequences', () => {
  it('the edits transform the first sequence into the second', () => {
    fc.assert(
      fc.property(sequences(6, 80), ([a, b]) => {
        expect(applied(diffSequences(a, b), a, b)).toEqual(b);
      }),
    );
  });

  it('the edit script is shortest', () => {
    fc.assert(
      fc.property(sequences(6, 60), ([a, b]) => {
        expect(sizeOf(diffSequences(a, b))).toBe(a.length + b.length - 2 * longestCommon(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('edits are maximal and separated by common items', () => {
    fc.assert(
      fc.property(sequences(4, 60), ([a, b]) => {
        let [aAt, bAt] = [-1, -1];
        for (const { aFrom, aTo, bFrom, bTo } of diffSequences(a, b)) {
          expect(aFrom).toBeGreaterThan(aAt);
          expect(bFrom).toBeGreaterThan(bAt);
          expect(aFrom - aAt).toBe(bFrom - bAt);
          expect(aTo - aFrom + bTo - bFrom).toBeGreaterThan(0);
          [aAt, bAt] = [aTo, bTo];
        }
      }),
    );
  });

  it('the edit script is equally long in both directions', () => {
    fc.assert(
      fc.property(sequences(5, 60), ([a, b]) => {
        expect(sizeOf(diffSequences(a, b))).toBe(sizeOf(diffSequences(b, a)));
      }),
    );
  });

  it('equal sequences have no edits', () => {
    fc.assert(
      fc.property(letterRows(5, 50), (a) => {
        expect(diffSequences(a, [...a])).toEqual([]);
      }),
    );
  });

  it('the edits still transform one sequence into the other if the search is cut off', () => {
    fc.assert(
      fc.property(sequences(8, 150), fc.integer({ min: 1, max: 4 }), ([a, b], mostCost) => {
        expect(applied(diffSequences(a, b, mostCost), a, b)).toEqual(b);
      }),
      { numRuns: 500 },
    );
  });

  it('the edit script is shortest while it is shorter than twice the search limit', () => {
    fc.assert(
      fc.property(sequences(8, 40), ([a, b]) => {
        const shortest = a.length + b.length - 2 * longestCommon(a, b);
        const enough = Math.ceil((shortest + 1) / 2);
        expect(sizeOf(diffSequences(a, b, enough))).toBe(shortest);
      }),
      { numRuns: 300 },
    );
  });

  it("the example in Myers' paper has five edits", () => {
    const [a, b] = [[...'ABCABBA'], [...'CBABAC']];
    expect(sizeOf(diffSequences(a, b))).toBe(5);
  });

  it('edits are ranges in both sequences', () => {
    expect(diffSequences([...'slow'], [...'slower'])).toEqual([{ aFrom: 4, aTo: 4, bFrom: 4, bTo: 6 }]);
    expect(diffSequences([...'a-b-c'], [...'a-x-c'])).toEqual([{ aFrom: 2, aTo: 3, bFrom: 2, bTo: 3 }]);
    expect(diffSequences([], [...'ab'])).toEqual([{ aFrom: 0, aTo: 0, bFrom: 0, bTo: 2 }]);
    expect(diffSequences([...'ab'], [])).toEqual([{ aFrom: 0, aTo: 2, bFrom: 0, bTo: 0 }]);
  });

  it('30,000 lines are compared if they have nothing in common, or if they are in random order', () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`);
    const others = lines.map((line) => `other ${line}`);
    expect(diffSequences(lines, others)).toEqual([{ aFrom: 0, aTo: 30_000, bFrom: 0, bTo: 30_000 }]);

    const random = scattered();
    const letters = (): number[] =>
      Array.from({ length: 30_000 }, () => (random.next().value as number) % 500);
    const [a, b] = [letters(), letters()];
    const edits = diffSequences(a, b);
    expect(applied(edits, a, b)).toEqual(b);
    expect(sizeOf(edits)).toBeLessThan(60_000);
  });
});
