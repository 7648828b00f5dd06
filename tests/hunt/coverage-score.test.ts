import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { CoverageScorer } from '../../src/hunt/search/coverage-score.js';

type Executed = Readonly<Record<string, Readonly<Record<number, number>>>>;

const placesOf = (executed: Executed): (readonly [number, number])[] =>
  Object.entries(executed).flatMap(([file, lines]) =>
    Object.entries(lines).map(([line, count]) => [placeOf(Number(file), Number(line)), count] as const),
  );

/** Algorithm 2 line by line, with the increase as in the paper's text. */
class Plainly {
  readonly codeInfos: Record<string, Record<number, number>> = {};

  score(covInfos: Executed): number {
    let covScore = 0;
    for (const [file, rows] of Object.entries(covInfos)) {
      const known = this.codeInfos[file];
      if (known === undefined) covScore += 1000;
      else
        for (const [row, count] of Object.entries(rows)) {
          const most = known[Number(row)];
          if (most === undefined) covScore += 100 * count;
          else if (count > most) covScore += 10 * (count - most);
          else covScore += 1;
        }
    }
    for (const [file, rows] of Object.entries(covInfos)) {
      this.codeInfos[file] ??= {};
      const known = this.codeInfos[file];
      for (const [row, count] of Object.entries(rows))
        known[Number(row)] = Math.max(known[Number(row)] ?? 0, count);
    }
    return covScore;
  }
}

describe('CoverageScorer.score', () => {
  it('rewards new files, new lines and higher execution counts', () => {
    const most = new CoverageScorer();
    const scoreOf = (executed: Executed): number => most.score(packedPlaces(placesOf(executed)));
    expect(scoreOf({ 1: { 10: 5, 11: 2 } })).toBe(1000);
    expect(scoreOf({ 1: { 10: 5, 11: 2 } })).toBe(2);
    expect(scoreOf({ 1: { 10: 8, 12: 3 } })).toBe(10 * 3 + 100 * 3);
    expect(scoreOf({ 1: { 10: 7 }, 2: { 1: 1 } })).toBe(1 + 1000);
    expect([most.files, most.lines]).toEqual([2, 4]);
  });

  it('equals a literal transcription of Algorithm 2 on random sequences', () => {
    const lines = fc.dictionary(fc.nat(6).map(String), fc.integer({ min: 1, max: 9 }), { minKeys: 1 });
    const executed = fc.dictionary(fc.nat(4).map(String), lines);
    fc.assert(
      fc.property(fc.array(executed, { maxLength: 12 }), (all) => {
        const [most, plain] = [new CoverageScorer(), new Plainly()];
        for (const one of all) expect(most.score(packedPlaces(placesOf(one)))).toBe(plain.score(one));
      }),
    );
  });
});
