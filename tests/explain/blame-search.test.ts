import { describe, expect, it } from 'vitest';
import { type Change, changedFiles } from '../../src/explain/changes/change.js';
import { BlameSearch } from '../../src/explain/search/blame-search.js';

const names = ['zero', 'one', 'two', 'three', 'four'];

/**
 * Five changes, and a test that passes where one of the sets is taken back.
 *
 * @param builds does it compile with these taken back? What does not names what the next one declares.
 * @param silent another text of a version, with a word in it for each change, and what does not compile says nothing
 */
function searchAmong(
  repairs: readonly (readonly number[])[],
  builds: (ids: readonly number[]) => boolean = () => true,
  silent?: (word: string) => string,
) {
  const text =
    silent ?? ((word: string) => names.map((name) => `int ${word}_${name};\nint ${name};\n`).join(''));
  const files = changedFiles([
    { path: 'a.c', oldText: text('old'), newText: text('new'), oldMode: undefined },
  ]);
  const changes = files.flatMap((file) => file.changes);
  const asked: (readonly number[])[] = [];
  const trials = {
    of: (reverted: Iterable<number>) => {
      const ids = [...reverted].toSorted((a, b) => a - b);
      asked.push(ids);
      const passes = repairs.some((repair) => repair.every((id) => ids.includes(id)));
      const missing = names.map((name) => `a.c:1:1: error: use of undeclared identifier 'old_${name}'`);
      return Promise.resolve(
        builds(ids)
          ? { verdict: passes ? ('passes' as const) : ('fails' as const), output: '' }
          : {
              verdict: 'does not build' as const,
              output: silent ? '' : missing.filter((_, id) => !ids.includes(id)).join('\n'),
            },
      );
    },
  };
  const at = (...ids: readonly number[]) => changes.filter(({ id }) => ids.includes(id));
  return { search: new BlameSearch(files, trials, 'by complaints'), at, asked };
}

const nothing = { sources: [], unjudged: [], lettersOf: () => [], callsOf: () => [] };
const sameLevel = () => 0;

describe('what is suspected on sight', () => {
  it('is blamed without those that are not needed', async () => {
    const { search, at } = searchAmong([[1]]);
    const suspects = { ...nothing, sources: at(0, 1, 2) };
    expect(await search.suspected(() => Promise.resolve(suspects), sameLevel)).toEqual({
      blamed: at(1),
      auxiliary: [],
    });
  });

  it('is not left out again where the others were too few', async () => {
    const { search, at, asked } = searchAmong([[0, 1]]);
    const rounds = [at(0), at(1)].map((sources) => ({ ...nothing, sources }));
    const blame = await search.suspected(({ size }) => Promise.resolve(rounds[size]), sameLevel);
    expect(blame?.blamed).toEqual(at(0, 1));
    expect(asked.filter((ids) => ids.length === 1 && ids[0] === 0).length).toBeLessThanOrEqual(2);
    expect(asked).toContainEqual([1]);
  });

  it('is taken back with the rest of its function where it cannot be alone, or with the rest of its file', async () => {
    const text = (word: string) =>
      ['f', 'g']
        .map(
          (name) =>
            `int ${name}(int x) {\n  x += ${word}(0);\n  x *= 2;\n  x -= ${word}(1);\n  return x;\n}\n`,
        )
        .join('');
    const whole =
      (...ids: readonly number[]) =>
      (some: readonly number[]) =>
        some.length === 0 || ids.every((id) => some.includes(id));
    const written = searchAmong([[3]], whole(2, 3), text);
    const suspects = { ...nothing, sources: written.at(0, 3), unjudged: written.at(1) };
    expect(await written.search.suspected(() => Promise.resolve(suspects), sameLevel)).toEqual({
      blamed: written.at(3),
      auxiliary: written.at(2),
    });
    expect(written.asked).not.toContainEqual([0, 1, 2, 3]);
    const spread = searchAmong([[3]], whole(0, 2, 3), text);
    const unsure = { ...nothing, sources: spread.at(3), unjudged: spread.at(2) };
    expect(await spread.search.suspected(() => Promise.resolve(unsure), sameLevel)).toEqual({
      blamed: spread.at(2, 3),
      auxiliary: spread.at(0),
    });
    const never = searchAmong([[3]], whole(9), text);
    const alone = { ...nothing, sources: never.at(3) };
    expect(await never.search.suspected(() => Promise.resolve(alone), sameLevel)).toBeUndefined();
  });

  /** Either will do: the flag (0), or what is come to by it (3), and maybe by another as well. */
  const withFlag = (others: readonly number[]) => {
    const { search, at, asked } = searchAmong([
      [0, 1],
      [1, 3],
    ]);
    const lettersOf = ({ id }: Change) => (id === 3 ? at(0, ...others) : at(0, 1));
    const suspects = { sources: at(0, 1, 4), unjudged: at(2, 3), lettersOf, callsOf: () => [] };
    return { search, at, asked, suspects: () => Promise.resolve(suspects) };
  };

  it('gives way to what nothing else lets take effect, as far from the failure as that may be', async () => {
    const { search, at, asked, suspects } = withFlag([4]);
    const blame = await search.suspected(suspects, () => 2);
    expect(blame?.blamed).toEqual(at(1, 3));
    expect(asked).not.toContainEqual([1, 2, 3]);
  });

  it('gives way to what others let take effect as well where that is closer to the failure', async () => {
    const near = withFlag([1]);
    const blame = await near.search.suspected(near.suspects, ({ id }) => (id === 0 ? 2 : 1));
    expect(blame?.blamed).toEqual(near.at(1, 3));
    const far = withFlag([1]);
    expect((await far.search.suspected(far.suspects, () => 2))?.blamed).toEqual(far.at(0, 1));
  });

  it('gives way together with others that let the same take effect', async () => {
    const lets = (repairs: readonly (readonly number[])[]) => {
      const { search, at, asked } = searchAmong(repairs);
      const suspects = {
        sources: at(0, 1),
        unjudged: at(2, 3),
        lettersOf: () => at(0, 1),
        callsOf: () => [],
      };
      const levelOf = ({ id }: Change) => (id < 2 ? 2 : 1);
      return { blame: search.suspected(() => Promise.resolve(suspects), levelOf), at, asked };
    };
    const both = lets([[0, 1], [3]]);
    expect((await both.blame)?.blamed).toEqual(both.at(3));
    const neither = lets([[0, 1]]);
    expect((await neither.blame)?.blamed).toEqual(neither.at(0, 1));
    const withCloser = neither.asked.filter((ids) => ids.includes(3));
    expect(new Set(withCloser.map(String))).toEqual(new Set(['2,3']));
  });

  it('stays where what flows from it comes to the failure itself', async () => {
    const { search, at } = searchAmong([[0], [3]]);
    const suspects = { ...nothing, sources: at(0), unjudged: at(3), lettersOf: () => at(0) };
    expect((await search.suspected(() => Promise.resolve(suspects), sameLevel))?.blamed).toEqual(at(0));
  });

  it('is blamed with the call of a new function, which stays', async () => {
    const { search, at } = searchAmong([[0]]);
    const suspects = { ...nothing, sources: at(0), callsOf: () => at(3) };
    const blame = await search.suspected(() => Promise.resolve(suspects), sameLevel);
    expect(blame).toMatchObject({ blamed: at(0, 3), staying: at(3) });
  });

  it('does not do without what has to go with another', async () => {
    // The function (0) cannot go without its call (1), which repairs by itself.
    const { search, at } = searchAmong([[1]], (ids) => !ids.includes(0) || ids.includes(1));
    const suspects = { ...nothing, sources: at(0, 1) };
    expect((await search.suspected(() => Promise.resolve(suspects), sameLevel))?.blamed).toEqual(at(1));
  });

  it('is blamed with what the failure comes by as well and has to go with it, not with what only has to go', async () => {
    const isClump = (ids: readonly number[]) => ids.length === 0 || [0, 1, 2].every((id) => ids.includes(id));
    const { search, at } = searchAmong([[0, 1, 2]], isClump);
    const suspects = { ...nothing, sources: at(0), unjudged: at(2) };
    const blame = await search.suspected(() => Promise.resolve(suspects), sameLevel);
    expect(blame).toEqual({ blamed: at(0, 2), auxiliary: at(1) });
  });
});
