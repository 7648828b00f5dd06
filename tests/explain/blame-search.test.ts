import { describe, expect, it } from 'vitest';
import { changedFiles } from '../../src/explain/changes/change.js';
import { BlameSearch } from '../../src/explain/search/blame-search.js';

/** Four changes in a file of their own, and a test that passes where one of the sets is taken back. */
function searchAmong(...repairs: readonly (readonly number[])[]) {
  const text = (word: string) => [0, 1, 2, 3].map((at) => `int ${word}${at};\nint x${at};\n`).join('');
  const files = changedFiles([
    { path: 'a.c', oldText: text('old'), newText: text('new'), oldMode: undefined },
  ]);
  const changes = files.flatMap((file) => file.changes);
  const trials = {
    of: (reverted: Iterable<number>) => {
      const ids = [...reverted];
      const passes = repairs.some((repair) => repair.every((id) => ids.includes(id)));
      return Promise.resolve({ verdict: passes ? ('passes' as const) : ('fails' as const), said: '' });
    },
  };
  const at = (...ids: readonly number[]) => changes.filter(({ id }) => ids.includes(id));
  return { search: new BlameSearch(files, trials, 'by complaints'), at };
}

describe('what is suspected on sight', () => {
  it('is blamed without those that are not needed', async () => {
    const { search, at } = searchAmong([1]);
    const suspects = { sources: at(0, 1, 2), unjudged: [], letBy: () => [] };
    const blame = await search.suspected(
      () => Promise.resolve(suspects),
      () => 0,
    );
    expect(blame).toEqual({ blamed: at(1), auxiliary: [] });
  });

  it('gives way to what it only lets take effect, as far from the failure as it may be', async () => {
    for (const [far, near] of [
      [2, 1],
      [2, 2],
    ]) {
      // Either will do: the flag (0), or what is only come to by it (3).
      const { search, at } = searchAmong([0, 1], [3, 1]);
      const [flag] = at(0);
      const suspects = {
        sources: at(0, 1),
        unjudged: at(2, 3),
        letBy: (source: unknown) => (source === flag ? at(3) : []),
      };
      const blame = await search.suspected(
        () => Promise.resolve(suspects),
        ({ id }) => (id === 0 ? (far ?? 0) : (near ?? 0)),
      );
      expect(blame?.blamed).toEqual(at(3, 1).toSorted((a, b) => a.id - b.id));
    }
  });

  it('stays where what flows from it comes to the failure itself', async () => {
    const { search, at } = searchAmong([0], [3]);
    const suspects = { sources: at(0), unjudged: at(3), letBy: () => at(3) };
    const blame = await search.suspected(
      () => Promise.resolve(suspects),
      () => 0,
    );
    expect(blame?.blamed).toEqual(at(0));
  });
});
