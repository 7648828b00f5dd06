import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { ranked, rankingQuality } from '../../src/locate/ranked-scores.js';
import {
  CoverageSpectrum,
  combinedScores,
  excessOf,
  historyScores,
  pathDifference,
  pathSimilarity,
  rareExcessOf,
} from '../../src/locate/spectra.js';
import { suspicions } from '../../src/locate/suspicion.js';

const lines = (...numbers: number[]): Uint32Array => Uint32Array.from(numbers);

describe('the suspicion of a statement', () => {
  const of = (failing: number, passing: number, allFailing = 1, allPassing = 8) => ({
    failing,
    passing,
    allFailing,
    allPassing,
  });

  it('is 1 / √(1 + passing) for one failing formula, by Ochiai (Eq. 2)', () => {
    for (const passing of [0, 1, 3, 8])
      expect(suspicions.ochiai(of(1, passing))).toBeCloseTo(1 / Math.sqrt(1 + passing), 12);
  });

  it('equals the other published formulas', () => {
    expect(suspicions.ochiai(of(2, 2, 4, 8))).toBeCloseTo(2 / Math.sqrt(4 * 4), 12);
    expect(suspicions.tarantula(of(1, 2))).toBeCloseTo(1 / (1 + 2 / 8), 12);
    expect(suspicions.dstar(of(2, 1, 3))).toBeCloseTo(4 / 2, 12);
    expect(suspicions.op2(of(1, 2))).toBeCloseTo(1 - 2 / 9, 12);
    expect(suspicions.barinel(of(1, 3))).toBeCloseTo(1 - 3 / 4, 12);
  });

  it('is a finite number that decreases with the number of passing formulas', () => {
    for (const suspicion of Object.values(suspicions)) {
      const scores = [0, 1, 2, 5, 8].map((passing) => suspicion(of(1, passing)));
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(suspicion(of(0, 0, 0, 0))).not.toBeNaN();
      expect(suspicion(of(1, 0, 1, 0))).not.toBeNaN();
    }
  });
});

const packedOf = (...places: readonly (readonly [file: number, line: number])[]) =>
  packedPlaces(places.map(([file, line]) => [placeOf(file, line), 1]));

describe('scores of files by coverage', () => {
  it('are the mean suspicion of executed lines (Eq. 3), without files that were not executed', () => {
    const spectrum = new CoverageSpectrum();
    spectrum.addFailing(packedOf([0, 10], [0, 11], [1, 5]));
    spectrum.addPassing(packedOf([0, 10], [1, 5], [2, 1]));
    spectrum.addPassing(packedOf([0, 10]));
    const files = spectrum.files();
    expect(files.get(0)).toBeCloseTo((1 / Math.sqrt(3) + 1) / 2, 12);
    expect(files.get(1)).toBeCloseTo(1 / Math.sqrt(2), 12);
    expect(files.has(2)).toBe(false);
    expect(spectrum.witnesses).toBe(2);
    expect(spectrum.passingAt(placeOf(0, 10))).toBe(2);
  });

  it('exceed the suspicion of lines that every formula executes', () => {
    const spectrum = new CoverageSpectrum();
    spectrum.addFailing(packedOf([0, 10], [0, 11], [1, 5]));
    spectrum.addPassing(packedOf([0, 10], [1, 5]));
    const excess = new Map(excessOf(spectrum, 'ochiai'));
    expect(excess.get(placeOf(0, 11))).toBeCloseTo(1 - 1 / Math.sqrt(2), 12);
    expect(excess.get(placeOf(0, 10))).toBeCloseTo(0, 12);
    expect(excess.get(placeOf(1, 5))).toBeCloseTo(0, 12);
    for (const times of [1, 2, 3]) {
      spectrum.addOrdinary(packedOf([0, 11]));
      const rare = new Map(rareExcessOf(spectrum, 'ochiai'));
      expect(rare.get(placeOf(0, 11))).toBeCloseTo((1 - 1 / Math.sqrt(2)) / 2 ** times, 12);
    }
  });
});

describe('pathSimilarity', () => {
  it.each([
    [[1, 2, 3], [2, 3, 4], 0.5],
    [[1, 2], [1, 2], 1],
    [[1], [2], 0],
    [[], [], 1],
  ])('is correct for %s and %s', (one, other, similarity) => {
    const [a, b] = [one, other].map((lines) => packedOf(...lines.map((line) => [0, line] as const)));
    if (a === undefined || b === undefined) throw new Error('two are compared');
    expect(pathSimilarity(a, b)).toBe(similarity);
    expect(pathSimilarity(b, a)).toBe(similarity);
  });
});

describe('pathDifference', () => {
  it('counts the places that only one path executes, by file, symmetrically', () => {
    const [a, b] = [packedOf([0, 1], [0, 3], [1, 1], [2, 9]), packedOf([0, 2], [0, 3], [2, 9])];
    expect(pathDifference(a, b)).toEqual({
      lacks: 2,
      beyond: 1,
      lacksIn: new Map([
        [0, 1],
        [1, 1],
      ]),
    });
    expect(pathDifference(b, a)).toMatchObject({ lacks: 1, beyond: 2 });
  });
});

describe('scores of files by history', () => {
  const edited = (...times: number[]) => ({
    times: lines(...times),
    last: new Int32Array(times.length),
    commits: 1,
  });

  it('are the mean share of all edits (Eq. 4, 5)', () => {
    const scores = historyScores(
      new Map([
        ['a', edited(3, 1)],
        ['b', edited(0, 4, 0, 0)],
        ['c', edited()],
      ]),
    );
    expect(Object.fromEntries(scores)).toEqual({ a: 4 / 8 / 2, b: 4 / 8 / 4, c: 0 });
  });

  it('are 0 without edits', () => {
    expect(historyScores(new Map([['a', edited(0)]])).get('a')).toBe(0);
  });

  it('are combined with coverage by weight, for executed files only (Eq. 6)', () => {
    const [coverage, history] = [
      new Map([['a', 0.4]]),
      new Map([
        ['a', 0.2],
        ['b', 1],
      ]),
    ];
    expect([...combinedScores(coverage, history, 0.5)]).toEqual([['a', 0.30000000000000004]]);
    expect(combinedScores(coverage, history, 1).get('a')).toBe(0.4);
    expect(combinedScores(coverage, history, 0).get('a')).toBe(0.2);
  });
});

describe('ranked', () => {
  it('gives equal scores the worst rank among them', () => {
    expect(
      ranked(
        new Map([
          ['a', 1],
          ['b', 2],
          ['c', 1],
          ['d', 0],
        ]),
      ),
    ).toEqual([
      { name: 'b', score: 2, rank: 1 },
      { name: 'a', score: 1, rank: 3 },
      { name: 'c', score: 1, rank: 3 },
      { name: 'd', score: 0, rank: 4 },
    ]);
  });

  it('ranks each name by the number of equal or higher scores', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.nat(3)), (scores) => {
        const all = new Map(Object.entries(scores));
        for (const { name, rank, score } of ranked(all)) {
          expect(all.get(name)).toBe(score);
          expect(rank).toBe([...all.values()].filter((other) => other >= score).length);
        }
      }),
    );
  });

  it('has the quality of the ranks of the true causes', () => {
    expect(rankingQuality([[1, 9], [4], [30]])).toEqual({
      top: { 1: 1, 5: 2, 10: 2, 20: 2 },
      meanFirst: 35 / 3,
      meanAverage: 13,
    });
  });
});
