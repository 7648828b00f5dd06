import { describe, expect, it } from 'vitest';
import { type Change, changedFiles } from '../../src/explain/changes/change.js';
import { BlameSearch } from '../../src/explain/search/blame-search.js';

const names = ['zero', 'one', 'two', 'three', 'four'];

/**
 * Five changes, and a test that passes if one of the sets is reverted.
 *
 * @param builds whether the version builds with these changes reverted; compiler errors name the remaining changes
 * @param silent another text of a version, with a word for each change; compiler errors then are empty
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
  return { search: new BlameSearch(files, trials, 'by diagnostics'), at, asked };
}

const nothing = { origins: [], unjudged: [], enablersOf: () => [], callsOf: () => [] };
const sameLevel = () => 0;

describe('a suspected change', () => {
  it('is blamed without suspects that are not needed', async () => {
    const { search, at } = searchAmong([[1]]);
    const suspects = { ...nothing, origins: at(0, 1, 2) };
    expect(await search.suspected(() => Promise.resolve(suspects), sameLevel)).toEqual({
      blamed: at(1),
      auxiliary: [],
    });
  });

  it('is not excluded again after the other suspects were too few', async () => {
    const { search, at, asked } = searchAmong([[0, 1]]);
    const rounds = [at(0), at(1)].map((origins) => ({ ...nothing, origins }));
    const blame = await search.suspected(({ size }) => Promise.resolve(rounds[size]), sameLevel);
    expect(blame?.blamed).toEqual(at(0, 1));
    expect(asked.filter((ids) => ids.length === 1 && ids[0] === 0).length).toBeLessThanOrEqual(2);
    expect(asked).toContainEqual([1]);
  });

  it('is reverted with the rest of its function, or else its file, if it does not build otherwise', async () => {
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
    const suspects = { ...nothing, origins: written.at(0, 3), unjudged: written.at(1) };
    expect(await written.search.suspected(() => Promise.resolve(suspects), sameLevel)).toEqual({
      blamed: written.at(3),
      auxiliary: written.at(2),
    });
    expect(written.asked).not.toContainEqual([0, 1, 2, 3]);
    const spread = searchAmong([[3]], whole(0, 2, 3), text);
    const unsure = { ...nothing, origins: spread.at(3), unjudged: spread.at(2) };
    expect(await spread.search.suspected(() => Promise.resolve(unsure), sameLevel)).toEqual({
      blamed: spread.at(2, 3),
      auxiliary: spread.at(0),
    });
    const never = searchAmong([[3]], whole(9), text);
    const alone = { ...nothing, origins: never.at(3) };
    expect(await never.search.suspected(() => Promise.resolve(alone), sameLevel)).toBeUndefined();
  });

  /**
   * Either reverting the flag (0) or the changed value that depends on it (3), and maybe on other changes, repairs
   * the test.
   */
  const withFlag = (others: readonly number[]) => {
    const { search, at, asked } = searchAmong([
      [0, 1],
      [1, 3],
    ]);
    const enablersOf = ({ id }: Change) => (id === 3 ? at(0, ...others) : at(0, 1));
    const suspects = { origins: at(0, 1, 4), unjudged: at(2, 3), enablersOf, callsOf: () => [] };
    return { search, at, asked, suspects: () => Promise.resolve(suspects) };
  };

  it('is replaced by a change that takes effect only through it, at any distance from the failure', async () => {
    const { search, at, asked, suspects } = withFlag([4]);
    const blame = await search.suspected(suspects, () => 2);
    expect(blame?.blamed).toEqual(at(1, 3));
    expect(asked).not.toContainEqual([1, 2, 3]);
  });

  it('is replaced by a change that takes effect through several changes only if that is closer to the failure', async () => {
    const near = withFlag([1]);
    const blame = await near.search.suspected(near.suspects, ({ id }) => (id === 0 ? 2 : 1));
    expect(blame?.blamed).toEqual(near.at(1, 3));
    const far = withFlag([1]);
    expect((await far.search.suspected(far.suspects, () => 2))?.blamed).toEqual(far.at(0, 1));
  });

  it('is replaced together with others through which the same change takes effect', async () => {
    const lets = (repairs: readonly (readonly number[])[]) => {
      const { search, at, asked } = searchAmong(repairs);
      const suspects = {
        origins: at(0, 1),
        unjudged: at(2, 3),
        enablersOf: () => at(0, 1),
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

  it('is blamed if its own effect reaches the failure', async () => {
    const { search, at } = searchAmong([[0], [3]]);
    const suspects = { ...nothing, origins: at(0), unjudged: at(3), enablersOf: () => at(0) };
    expect((await search.suspected(() => Promise.resolve(suspects), sameLevel))?.blamed).toEqual(at(0));
  });

  it('blames the call of a new function with it, but does not revert the call', async () => {
    const { search, at } = searchAmong([[0]]);
    const suspects = { ...nothing, origins: at(0), callsOf: () => at(3) };
    const blame = await search.suspected(() => Promise.resolve(suspects), sameLevel);
    expect(blame).toMatchObject({ blamed: at(0, 3), staying: at(3) });
  });

  it('is not blamed if only its dependent change repairs the test', async () => {
    // The function (0) cannot be reverted without its call (1), whose reversion already repairs the test.
    const { search, at } = searchAmong([[1]], (ids) => !ids.includes(0) || ids.includes(1));
    const suspects = { ...nothing, origins: at(0, 1) };
    expect((await search.suspected(() => Promise.resolve(suspects), sameLevel))?.blamed).toEqual(at(1));
  });

  it('is blamed with a dependent change on the failing path, while other dependent changes are auxiliary', async () => {
    const isClump = (ids: readonly number[]) => ids.length === 0 || [0, 1, 2].every((id) => ids.includes(id));
    const { search, at } = searchAmong([[0, 1, 2]], isClump);
    const suspects = { ...nothing, origins: at(0), unjudged: at(2) };
    const blame = await search.suspected(() => Promise.resolve(suspects), sameLevel);
    expect(blame).toEqual({ blamed: at(0, 2), auxiliary: at(1) });
  });
});
