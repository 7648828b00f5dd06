import { expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { AuxiliaryChanges } from '../../src/explain/search/auxiliary-changes.js';

it('AuxiliaryChanges searches within a building set for the changes that each part of a set needs', async () => {
  const text = (word: string) =>
    Array.from({ length: 40 }, (_, at) => `int ${word}_${at};\nint same_${at};\n`).join('');
  const files = changedFiles([
    { path: 'a.c', oldText: text('old'), newText: text('new'), oldMode: undefined },
  ]);
  const changes = files.flatMap((file) => file.changes);
  const at = (...ids: readonly number[]) => changes.filter(({ id }) => ids.includes(id));
  let asked: (readonly number[])[] = [];
  // Change 0 needs change 30, and change 1 needs change 35.
  const needs: Readonly<Record<number, number>> = { 0: 30, 1: 35 };
  const trials = {
    of: (reverted: Iterable<number>) => {
      const ids = [...reverted];
      asked.push(ids);
      const compiles = ids.every((id) => needs[id] === undefined || ids.includes(needs[id]));
      return Promise.resolve({
        verdict: compiles ? ('fails' as const) : 'does not build',
        output: '',
      } as const);
    },
  };
  const auxiliary = new AuxiliaryChanges(files, trials, 'by diagnostics, then among all');
  expect(await auxiliary.for(at(0, 1))).toEqual(at(30, 35));
  asked = [];
  expect(await auxiliary.for(at(0))).toEqual(at(30));
  expect([...new Set(asked.flat())].toSorted((a, b) => a - b)).toEqual([0, 1, 30, 35]);
  // No tested set contains change 7, so nothing is known about it.
  asked = [];
  expect(await auxiliary.for(at(0, 7))).toEqual(at(30));
  expect(new Set(asked.flat()).size).toBe(40);
});
