import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimize, type NamedStep } from '../../src/reduce/minimize.js';
import { chunks } from '../../src/smtlib/simplifications/chunks.js';

type Numbers = readonly number[];

/** Sets of numbers, as a model of code changes; steps remove subsets. */
function smaller(set: Numbers): NamedStep<Numbers>[] {
  return [...chunks(set)].map((gone) => ({
    rule: gone.length > 1 ? 'part' : 'one',
    make: () => set.filter((item) => !gone.includes(item)),
  }));
}

const sets = fc.uniqueArray(fc.nat(40), { maxLength: 25 });

/** Resolves after a number of microtasks, so that verdicts arrive out of order. */
function slowly(holds: (set: Numbers) => boolean, delays: () => number) {
  return async (set: Numbers): Promise<boolean> => {
    for (let turns = delays(); turns > 0; turns--) await Promise.resolve();
    return holds(set);
  };
}

describe('minimize', () => {
  it('ends at an item without a smaller step, independent of the number of jobs', async () => {
    await fc.assert(
      fc.asyncProperty(
        sets,
        sets,
        fc.integer({ min: 2, max: 5 }),
        fc.infiniteStream(fc.nat(9)),
        async (all, needed, jobs, stream) => {
          const isNeeded = (set: Numbers): boolean =>
            needed.every((item) => !all.includes(item) || set.includes(item));
          const delays = (): number => stream.next().value ?? 0;
          const alone = await minimize(
            all,
            smaller,
            slowly(isNeeded, () => 0),
            { jobs: 1 },
          );
          const together = await minimize(all, smaller, slowly(isNeeded, delays), { jobs });
          expect(together).toEqual(alone);
          expect(new Set(alone)).toEqual(new Set(all.filter((item) => needed.includes(item))));
        },
      ),
    );
  });

  it('runs as many tests in parallel as there are jobs', async () => {
    let [running, most] = [0, 0];
    await minimize(
      [1, 2, 3, 4, 5, 6, 7, 8],
      smaller,
      async (set) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return set.includes(3);
      },
      { jobs: 3 },
    );
    expect([most, running]).toEqual([3, 0]);
  });

  it('aborts candidates that were tested ahead of a success', async () => {
    const reasons: string[] = [];
    await minimize(
      [1, 2],
      smaller,
      (set, signal) =>
        set.length === 1 && set[0] === 2
          ? Promise.resolve(true)
          : new Promise((resolve) => {
              if (set.length === 0) resolve(false);
              signal.addEventListener('abort', () => {
                reasons.push(String(signal.reason));
                resolve(false);
              });
            }),
      { jobs: 2 },
    );
    expect(reasons).toContain('Error: another candidate was taken');
  });

  it('returns the best item so far when the signal is aborted', async () => {
    const stop = new AbortController();
    let tries = 0;
    const best = await minimize(
      [1, 2, 3, 4, 5, 6, 7, 8],
      smaller,
      async (set) => {
        if (++tries === 2) stop.abort();
        return set.includes(8);
      },
      { jobs: 1, signal: stop.signal },
    );
    expect(best).toContain(8);
    expect(best.length).toBeGreaterThan(1);
    expect(best.length).toBeLessThan(8);
    expect(tries).toBe(2);
  });

  it('rejects with the error of a failing test', async () => {
    const broken = minimize([1, 2], smaller, () => Promise.reject(new Error('no solver')), { jobs: 2 });
    await expect(broken).rejects.toThrow('no solver');
  });

  it('tries rules without success last', async () => {
    const tried: string[] = [];
    const steps = (left: number): NamedStep<number>[] =>
      left === 0
        ? []
        : [
            ...Array.from({ length: 12 }, () => ({ rule: 'vain', make: () => left })),
            { rule: 'paying', make: () => left - 1 },
          ];
    let seen = 5;
    const lowered = async (item: number): Promise<boolean> => {
      const isLower = item < seen;
      if (isLower) seen = item;
      return isLower;
    };
    await minimize(5, steps, lowered, { jobs: 1, onTried: (_, rule) => tried.push(rule ?? '') });
    // Twelve failures, then one success; the rounds after that start at the success.
    expect(tried.slice(0, 13)).toEqual([...Array.from({ length: 12 }, () => 'vain'), 'paying']);
    expect(tried.slice(-3)).toEqual(['paying', 'paying', 'paying']);
  });
});
