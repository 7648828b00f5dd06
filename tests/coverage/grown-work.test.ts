import { describe, expect, it } from 'vitest';
import { grownWork } from '../../src/coverage/grown-work.js';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { type PlaceNames, SourceLines } from '../../src/coverage/place-names.js';

type Places = readonly (readonly [file: number, line: number, count: number])[];

const packed = (...places: Places) =>
  packedPlaces(places.map(([file, line, count]) => [placeOf(file, line), count]));

const functionOf = (name: string, file: number, startLine: number, endLine: number) => ({
  ...{ name, file, startLine, endLine },
  firstCounter: 0,
  counters: 1,
});

describe('grownWork', () => {
  it('compares functions by name, at any position', () => {
    const before = new SourceLines({
      files: ['old.cpp'],
      functions: [functionOf('f', 0, 10, 12), functionOf('g', 0, 20, 29), functionOf('gone', 0, 40, 41)],
    });
    const after = new SourceLines({
      files: ['other.cpp', 'new.cpp'],
      functions: [functionOf('g', 1, 1, 9), functionOf('f', 1, 100, 102), functionOf('fresh', 0, 1, 2)],
    });
    const grown = grownWork(
      { executed: packed([0, 10, 5], [0, 11, 5], [0, 20, 50], [0, 40, 9]), names: before },
      {
        executed: packed([1, 100, 5], [1, 101, 90], [1, 1, 20], [1, 2, 25], [0, 1, 3], [0, 7, 2]),
        names: after,
      },
    );
    // f does 85 more, g less; fresh and the code outside of functions are new.
    expect(grown).toEqual(packed([1, 100, 85], [0, 1, 3], [0, 7, 2]));
  });

  it('compares calls if calls are counted', () => {
    const names = (functions: readonly string[]): PlaceNames => ({
      files: ['smt'],
      counts: 'calls',
      functionAt: (_, line) => functions[line],
    });
    const grown = grownWork(
      { executed: packed([0, 0, 4], [0, 1, 9]), names: names(['a', 'b']) },
      { executed: packed([0, 0, 30], [0, 1, 4]), names: names(['b', 'a']) },
    );
    expect(grown).toEqual(packed([0, 0, 21]));
  });
});
