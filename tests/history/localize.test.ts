import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CaseId, caseIds } from '../../src/campaign/index.js';
import { sensitivityFor } from '../../src/history/measuring/levels.js';
import { type CaseStep, Localization, type LocalizationPlan } from '../../src/history/search/localize.js';
import { Random, usageFault } from '../../src/machine/index.js';

/** A case's level at each commit. */
type Levels = readonly number[];

const plan = (commits: number, cases: number, more: Partial<LocalizationPlan> = {}): LocalizationPlan => ({
  commits,
  cases,
  sensitivity: { least: 50, noise: 0, share: 1 / 5 },
  confidence: 0,
  mostSamples: 9,
  ...more,
});

interface Outcome {
  readonly steps: readonly CaseStep[];
  readonly builds: number;
  readonly repeats: number;
}

function located(
  courses: readonly Levels[],
  more: Partial<LocalizationPlan> = {},
  isSilent: (commit: number) => boolean = () => false,
  measure: (ms: number) => number = (ms) => ms,
): Outcome {
  const search = new Localization(plan(courses[0]?.length ?? 0, courses.length, more));
  let [builds, repeats] = [0, 0];
  const look = (id: CaseId, commit: number): void =>
    search.observe(id, commit, { kind: 'measured', samples: [measure(courses[id]?.[commit] as number)] });
  for (let request = search.next(); request !== undefined; request = search.next()) {
    if (request.kind === 'repeat') {
      repeats++;
      look(request.case, request.commit);
      continue;
    }
    builds++;
    expect(search.isTested(request.commit)).toBe(false);
    if (isSilent(request.commit)) search.passOver(request.commit, usageFault('it does not build'));
    else for (const id of caseIds(courses.length)) look(id, request.commit);
  }
  return { steps: search.steps(), builds, repeats };
}

/** Fast, with a new level from each of these commits on. */
function steppedLevels(length: number, changes: Readonly<Record<number, number>>, start = 20): Levels {
  let level = start;
  return Array.from({ length }, (_, commit) => {
    level = changes[commit] ?? level;
    return level;
  });
}

const places = ({ steps }: Outcome): readonly (readonly number[])[] =>
  steps.map(({ case: id, at }) => [id, at]);

describe('Localization', () => {
  it('finds a commit although noise makes its step look small', () => {
    const random = Random.fromSeed(51);
    const noisy = (ms: number): number => ms * (0.8 + (0.4 * random.below(1000)) / 1000);
    const more = {
      sensitivity: { least: 100, noise: 0.12, share: 1 / 5 },
      confidence: 0.95,
      mostSamples: 15,
    };
    const courses = [steppedLevels(512, { 88: 500, 240: 1000, 440: 1600 })];
    for (let round = 0; round < 40; round++)
      expect(places(located(courses, more, () => false, noisy))).toEqual([
        [0, 88],
        [0, 240],
        [0, 440],
      ]);
  });

  it('crosses a long stretch of broken builds with few builds', () => {
    const isBroken = (commit: number): boolean => commit >= 850 && commit <= 1150;
    const found = located([steppedLevels(2000, { 300: 900 })], {}, isBroken);
    expect(places(found)).toEqual([[0, 300]]);
    expect(found.builds).toBeLessThan(30);
  });

  it('finds a commit anywhere with the builds of a binary search and one for certainty', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), fc.nat(), (length, place) => {
        const at = 1 + (place % (length - 1));
        const found = located([steppedLevels(length, { [at]: 1000 })]);
        expect(found.steps).toEqual([
          { case: 0, before: at - 1, at, direction: 'slower', from: 20, to: 1000 },
        ]);
        expect(found.builds).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(length)) + 1);
      }),
    );
  });

  it('finds the commits of many cases with few builds', () => {
    const culprits = [31, 77, 140, 222, 301, 390, 470];
    const courses = Array.from({ length: 50 }, (_, i) =>
      steppedLevels(512, { [culprits[i % 7] as number]: 900 + i }),
    );
    const found = located(courses);
    expect(places(found)).toEqual(courses.map((_, i) => [i, culprits[i % 7]]));
    // A separate bisection takes nine builds per case.
    expect(found.builds).toBeLessThanOrEqual((50 * 9) / 7);
  });

  it('narrows a step around commits that do not build', () => {
    const isBroken = (commit: number): boolean => commit % 10 === 5;
    for (const at of [4, 5, 6, 47, 95, 96]) {
      const found = located([steppedLevels(100, { [at]: 1000 })], {}, isBroken);
      const before = isBroken(at - 1) ? at - 2 : at - 1;
      const seen = isBroken(at) ? at + 1 : at;
      expect(found.steps).toMatchObject([{ before, at: seen }]);
    }
  });

  it('finds all commits of a slowdown in several steps', () => {
    expect(places(located([steppedLevels(300, { 40: 400, 150: 700, 151: 1100, 260: 1500 })]))).toEqual([
      [0, 40],
      [0, 150],
      [0, 151],
      [0, 260],
    ]);
  });

  it('finds an early multiplication that a later step dwarfs', () => {
    const courses = [steppedLevels(2000, { 900: 4000, 1500: 60_000 }, 400)];
    expect(places(located(courses))).toEqual([[0, 1500]]);
    const sensitivity = sensitivityFor('effort', { threshold: undefined, relativeNoise: 0 });
    const found = located(courses, { sensitivity });
    expect(places(found)).toEqual([
      [0, 900],
      [0, 1500],
    ]);
    // A second search of eleven builds, plus one build each for certainty.
    expect(found.builds).toBeLessThanOrEqual(2 + 2 * 11 + 2);
    // Neither a doubling nor a large multiple of almost nothing leads anywhere.
    for (const small of [{ 900: 900 }, { 900: 2500 }])
      expect(
        places(located([steppedLevels(2000, { ...small, 1500: 60_000 }, 400)], { sensitivity })),
      ).toEqual([[0, 1500]]);
    // Falls are judged by their share only.
    expect(places(located([steppedLevels(2000, { 900: 400, 1500: 60_000 }, 4000)], { sensitivity }))).toEqual(
      [[0, 1500]],
    );
  });

  it('ignores a small fluctuation next to a large step', () => {
    expect(
      places(located([steppedLevels(300, { 40: 120, 80: 20, 200: 2000 })], { confidence: 0.97 })),
    ).toEqual([[0, 200]]);
  });

  it('finds nothing if nothing changed', () => {
    const found = located([steppedLevels(300, {})]);
    expect(found).toMatchObject({ steps: [], builds: 2 });
  });
});

describe('a case that is fast at a single commit', () => {
  it('is not blamed on the next commit only', () => {
    // The first commit in the middle is the fast one.
    const found = located([steppedLevels(513, { 100: 1000, 256: 20, 257: 1000 })]);
    expect(found.steps.map(({ at, direction }) => [at, direction])).toEqual([
      [100, 'slower'],
      [256, 'quicker'],
      [257, 'slower'],
    ]);
  });

  it('costs one build per step for this certainty', () => {
    for (const at of [1, 2, 100, 257, 511]) {
      const found = located([steppedLevels(513, { [at]: 1000 })]);
      expect(places(found)).toEqual([[0, at]]);
      expect(found.builds).toBeLessThanOrEqual(2 + 9 + 1);
    }
  });
});

describe('a case that rises, falls and rises again', () => {
  const wave = steppedLevels(512, { 60: 1000, 130: 20, 400: 1200 });

  it('shows at least its last rise', () => {
    const { steps } = located([wave]);
    expect(steps.length).toBeGreaterThanOrEqual(1);
    for (const { at } of steps) expect([60, 130, 400]).toContain(at);
  });

  it('shows rises before falls', () => {
    const one = steppedLevels(513, { 100: 1000, 300: 20, 450: 1200 });
    const search = new Localization(plan(one.length, 1));
    const [id] = caseIds(1);
    const look = (commit: number): void =>
      search.observe(id as CaseId, commit, { kind: 'measured', samples: [one[commit] as number] });
    // All three steps can be found.
    for (const commit of [0, 200, 400, 512]) look(commit);
    const order: string[] = [];
    for (let request = search.next(); request !== undefined; request = search.next()) {
      look(request.commit);
      order.push(...search.steps().map(({ at, direction }) => `${at} ${direction}`));
    }
    const found = [...new Set(order)];
    expect(found.slice(0, 2).toSorted()).toEqual(['100 slower', '450 slower']);
    expect(found.slice(2)).toEqual(['300 quicker']);
  });

  it('shows every step if enough commits are measured', () => {
    const found = located([wave], { confidence: 0.95 });
    expect(found.steps.map(({ at, direction }) => [at, direction])).toEqual([
      [60, 'slower'],
      [130, 'quicker'],
      [400, 'slower'],
    ]);
    expect(found.builds).toBeLessThan(60);
  });
});

describe('noise', () => {
  it('neither hides a commit nor invents one', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 199 }), (seed, at) => {
        const random = Random.fromSeed(seed);
        const noisy = (ms: number): number => ms * (0.8 + (0.4 * random.below(1000)) / 1000);
        const found = located(
          [
            steppedLevels(200, { [at]: 1000 }),
            steppedLevels(200, { [at]: 300 }, 100),
            steppedLevels(200, {}, 500),
          ],
          { sensitivity: { least: 50, noise: 0.12, share: 1 / 5 } },
          undefined,
          noisy,
        );
        expect(places(found)).toEqual([
          [0, at],
          [1, at],
        ]);
      }),
      { numRuns: 300 },
    );
  });
});
