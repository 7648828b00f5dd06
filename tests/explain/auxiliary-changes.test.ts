import { expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { AuxiliaryChanges } from '../../src/explain/search/auxiliary-changes.js';

it('what makes a set compile is looked for in it, and not in everything, for each part of the set', async () => {
  const text = (word: string) =>
    Array.from({ length: 40 }, (_, at) => `int ${word}_${at};\nint same_${at};\n`).join('');
  const files = changedFiles([
    { path: 'a.c', oldText: text('old'), newText: text('new'), oldMode: undefined },
  ]);
  const changes = files.flatMap((file) => file.changes);
  const at = (...ids: readonly number[]) => changes.filter(({ id }) => ids.includes(id));
  let asked: (readonly number[])[] = [];
  // The first needs 30, the second 35.
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
  const auxiliary = new AuxiliaryChanges(files, trials, 'by complaints, then by all');
  expect(await auxiliary.for(at(0, 1))).toEqual(at(30, 35));
  asked = [];
  expect(await auxiliary.for(at(0))).toEqual(at(30));
  expect([...new Set(asked.flat())].toSorted((a, b) => a - b)).toEqual([0, 1, 30, 35]);
  // Of what is in no set that was looked at, nothing is known.
  asked = [];
  expect(await auxiliary.for(at(0, 7))).toEqual(at(30));
  expect(new Set(asked.flat()).size).toBe(40);
});
