import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fileOf,
  PackedLines,
  packed,
  packedFromText,
  packedPlaces,
  packedText,
  placeOf,
  similarity,
} from '../../src/coverage/packed.js';

const counts = fc
  .uniqueArray(fc.tuple(fc.nat(300_000), fc.integer({ min: 1, max: 2 ** 52 })), {
    selector: ([line]) => line,
    maxLength: 60,
  })
  .map((pairs) => pairs.toSorted(([a], [b]) => a - b));

type Pairs = readonly (readonly [number, number])[];

const packedOf = (pairs: Pairs) =>
  packed({
    lines: Uint32Array.from(pairs, ([line]) => line),
    counts: Float64Array.from(pairs, ([, count]) => count),
  });

/** Eq. 3 on lines with their counts, with maps. */
function plainSimilarity(a: Pairs, b: Pairs): number {
  const of = new Map(b);
  const both = a.reduce((sum, [line, count]) => sum + Math.min(count, of.get(line) ?? 0), 0);
  const total = (pairs: Pairs): number => pairs.reduce((sum, [, count]) => sum + count, 0);
  return a.length + b.length === 0 ? 1 : (2 * both) / (total(a) + total(b));
}

describe('packed counts', () => {
  it('store every line and its exact count in few bytes', () => {
    fc.assert(
      fc.property(counts, (pairs) => {
        const { bytes, lines } = packedOf(pairs);
        const found: [number, number][] = [];
        const reader = new PackedLines(bytes);
        while (reader.next()) found.push([reader.line, reader.count]);
        expect(found).toEqual(pairs);
        expect(lines).toBe(pairs.length);
      }),
    );
    const usual = packedOf(Array.from({ length: 20_000 }, (_, at) => [10 * at, (at % 500) + 1]));
    expect(usual.bytes.length).toBeLessThan(3 * 20_000);
  });

  it('have the similarity of Eq. 3 computed with maps', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        expect(similarity(packedOf(a), packedOf(b))).toBeCloseTo(plainSimilarity(a, b), 9);
        expect(similarity(packedOf(a), packedOf(a))).toBe(1);
      }),
    );
    // 3 of 8 and 5 lines of the logs are equal.
    const [a, b]: [Pairs, Pairs] = [
      [
        [1, 5],
        [2, 3],
      ],
      [
        [1, 2],
        [2, 1],
        [9, 2],
      ],
    ];
    expect(similarity(packedOf(a), packedOf(b))).toBe((2 * 3) / (8 + 5));
  });

  it('survive a conversion to text and back', () => {
    fc.assert(
      fc.property(counts, (pairs) => {
        const before = packedOf(pairs);
        expect(packedFromText(packedText(before))).toEqual(before);
      }),
    );
  });

  it('accept places in any order, with repetitions', () => {
    const places = [
      [placeOf(3, 7), 2],
      [placeOf(0, 999_999), 1],
      [placeOf(3, 7), 5],
    ] as const;
    const reader = new PackedLines(packedPlaces(places).bytes);
    const found: number[][] = [];
    while (reader.next()) found.push([fileOf(reader.line), reader.line, reader.count]);
    expect(found).toEqual([
      [0, placeOf(0, 999_999), 1],
      [3, placeOf(3, 7), 7],
    ]);
  });

  it('decode a damaged text to numbers', () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        const { lines, total } = packedFromText(text);
        expect(Number.isFinite(lines)).toBe(true);
        expect(Number.isNaN(total)).toBe(false);
      }),
    );
  });
});
