import { describe, expect, it } from 'vitest';
import { timeoutOf } from '../../src/machine/index.js';
import { confirmUnderSeeds, robustnessOf, settledRobustness } from '../../src/solver/measure/seeds.js';
import type { Runner } from '../../src/solver/run/run.js';
import type { Version } from '../../src/solver/version/version.js';
import { formulaOf, shown, slowness } from '../simulated/solver.js';

const versions = [{ name: 'old' }, { name: 'new' }] as unknown as readonly Version[];

/** The newest version is slow under the given seeds; undefined is the default seed. */
function verdictWith(isSlow: (seed: number | undefined) => boolean, oldMs = 10) {
  const runner: Runner = {
    run: async ({ version, seed, limits }) =>
      shown({ ending: 'sat', ms: version.name === 'new' && isSlow(seed) ? 1500 : oldMs }, timeoutOf(limits)),
    close: async () => {},
  };
  return confirmUnderSeeds(runner, formulaOf('(assert (= x "a"))'), versions, {
    slowness,
    seeds: [1, 2, 3, 4, 5, 6],
    memoryBytes: 2 ** 30,
    signal: new AbortController().signal,
  });
}

describe('confirmUnderSeeds', () => {
  it('finds a slowdown on every seed, on some, or on the default seed only', async () => {
    expect(await verdictWith(() => true)).toMatchObject({ robustness: 'every seed' });
    expect(await verdictWith((seed) => seed === 2)).toMatchObject({ slower: [2], robustness: 'few seeds' });
    expect(await verdictWith((seed) => seed === undefined)).toMatchObject({
      slower: [],
      robustness: 'only the default seed',
    });
  });

  it('finds a slowdown even if the older version is not quick itself', async () => {
    expect(await verdictWith(() => true, 700)).toMatchObject({ robustness: 'every seed' });
  });

  it('finds no slowdown if the formula is slow under no seed, including the default one', async () => {
    expect(await verdictWith(() => false)).toMatchObject({ slower: [], robustness: 'no seed' });
  });

  it('settles the class as soon as the remaining seeds cannot change it', () => {
    for (let slower = 0; slower <= 30; slower++)
      for (let tried = slower; tried <= 30; tried++) {
        const settled = settledRobustness(slower, tried, 30);
        const possible = new Set(
          Array.from({ length: 30 - tried + 1 }, (_, more) => robustnessOf(slower + more, 30)),
        );
        expect(settled === undefined).toBe(possible.size > 1);
      }
  });
});
