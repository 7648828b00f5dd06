import { describe, expect, it } from 'vitest';
import type { CalledFunction } from '../../src/coverage/index.js';
import { packedPlaces, placeOf } from '../../src/coverage/packed.js';
import { ExecutedFunctions } from '../../src/locate/executed-functions.js';
import { type RankInput, rankFiles, rankFunctions, rankLines } from '../../src/locate/rank.js';
import { CoverageSpectrum } from '../../src/locate/spectra.js';

const packedOf = (...places: readonly (readonly [file: number, line: number])[]) =>
  packedPlaces(places.map(([file, line]) => [placeOf(file, line), 1]));

const call = (file: string): CalledFunction => ({ name: `in ${file}`, file, lines: [1, 9] });

/** Three files; only the failing formula executes lines of the first two. */
function known(stack: readonly CalledFunction[] = []): RankInput {
  const spectrum = new CoverageSpectrum();
  spectrum.addFailing(packedOf([0, 1], [0, 2], [1, 1], [1, 2], [2, 1]));
  spectrum.addPassing(packedOf([0, 1], [1, 1], [2, 1]));
  spectrum.addOrdinary(packedOf([1, 2], [2, 1]));
  const files = ['a.c', 'b.c', 'c.c'];
  return {
    spectrum,
    stack,
    names: { files, counts: 'lines', functionAt: (file) => `in ${files[file]}` },
  };
}

const usual = { score: 'culprit', by: 'ochiai', weight: 0.5 } as const;
const order = (ranked: readonly { readonly name: string }[]) => ranked.map(({ name }) => name);

describe('rankFiles', () => {
  it('ranks files highest whose lines neither witnesses nor ordinary formulas execute', () => {
    const ranked = rankFiles(known(), undefined, usual);
    expect(order(ranked)).toEqual(['a.c', 'b.c', 'c.c']);
    expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(ranked[1]?.rare).toBeCloseTo((ranked[1]?.excess ?? 0) / 2, 12);
    const blind = rankFiles(known(), undefined, { ...usual, discountsOrdinary: false });
    expect(blind.map(({ rank }) => rank)).toEqual([2, 2, 3]);
  });

  it('counts the files on the call stack by their weight', () => {
    const stack = [call('c.c'), call('b.c'), call('c.c')];
    const more = { ...usual, weights: { stack: 2 } };
    const ranked = rankFiles(known(stack), undefined, more);
    expect(ranked.map(({ name, stack: at }) => [name, at])).toEqual([
      ['c.c', 1],
      ['b.c', 2],
      ['a.c', undefined],
    ]);
    expect(order(rankFiles(known(stack), undefined, { ...usual, weights: { stack: 0 } }))).toEqual(
      order(rankFiles(known(), undefined, usual)),
    );
    expect(order(rankFunctions(known(stack), more))).toEqual(['in c.c', 'in b.c', 'in a.c']);
  });

  it('counts the file of a failed assertion by its weight, with any path prefix', () => {
    const told = (file: string) => ({
      ...known(),
      failedCheck: { message: 'Failed to verify: x', file, line: 7 },
    });
    for (const file of ['c.c', '../c.c', './../c.c', '/build/somewhere/c.c']) {
      const ranked = rankFiles(told(file), undefined, { ...usual, weights: { message: 2 } });
      expect(ranked[0]).toMatchObject({ name: 'c.c', message: 7 });
      expect(ranked[1]?.message).toBeUndefined();
    }
    expect(order(rankFiles(told('c.c'), undefined, { ...usual, weights: { message: 0 } }))[0]).toBe('a.c');
    expect(rankFiles(told('elsewhere/d.c'), undefined, usual).map(({ message }) => message)).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('counts functions that an older version does not execute, by their weight', () => {
    // The older version has other file numbers and line numbers.
    const files = ['b.c', 'a.c'];
    const names = { files, counts: 'lines' as const, functionAt: (file: number) => `in ${files[file]}` };
    const older = new ExecutedFunctions(packedOf([0, 70], [1, 90]), names);
    const ranked = rankFiles({ ...known(), older }, undefined, { ...usual, weights: { older: 2 } });
    expect(ranked.map(({ name, older: share }) => [name, share])).toEqual([
      ['c.c', 1],
      ['a.c', 0],
      ['b.c', 0],
    ]);
    expect(order(rankFiles({ ...known(), older }, undefined, usual))[0]).toBe('a.c');
    expect(rankFiles(known(), undefined, usual)[0]?.older).toBeUndefined();
  });

  it('counts suspected commits and recent edits by their weights', () => {
    const suspected = new Set(['c.c']);
    expect(order(rankFiles(known(), undefined, { ...usual, suspected }))[0]).toBe('a.c');
    expect(order(rankFiles(known(), undefined, { ...usual, suspected, weights: { commits: 2 } }))[0]).toBe(
      'c.c',
    );
    const lines = (last: number) => ({
      times: new Uint32Array(2),
      last: new Int32Array(2).fill(last),
      commits: 3,
    });
    const edited = {
      commits: ['1', '2', '3', '4'],
      files: new Map([
        ['a.c', lines(0)],
        ['b.c', lines(1)],
        ['c.c', lines(3)],
      ]),
    };
    const ranked = rankFiles(known(), edited, { ...usual, weights: { recency: 4 } });
    expect(ranked.map(({ name, recency }) => [name, recency])).toEqual([
      ['c.c', 1],
      ['b.c', 0.5],
      ['a.c', 0.25],
    ]);
  });

  it('computes the paper’s scores with smtloc, despite other evidence', () => {
    const plain = rankFiles(known(), undefined, { ...usual, score: 'smtloc' });
    expect(plain.map(({ coverage, score }) => [coverage, score])).toEqual(
      plain.map(({ coverage }) => [coverage, coverage]),
    );
    expect(order(rankFiles(known([call('c.c')]), undefined, { ...usual, score: 'smtloc' }))).toEqual(
      order(plain),
    );
  });
});

describe('rankLines', () => {
  it('ranks lines highest that few other formulas execute; equal scores share the worst rank', () => {
    const ranked = rankLines(known(), usual);
    expect(ranked.map(({ file, line, rank }) => [`${file}:${line}`, rank])).toEqual([
      ['a.c:2', 1],
      ['b.c:2', 2],
      ['a.c:1', 5],
      ['b.c:1', 5],
      ['c.c:1', 5],
    ]);
    expect(ranked[1]).toMatchObject({ witnesses: 0, ordinary: 1 });
    expect(rankLines(known(), { ...usual, score: 'smtloc' })[0]?.score).toBe(1);
  });
});
