import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CaseId, caseIds } from '../../src/campaign/index.js';
import { sensitivityFor } from '../../src/history/measuring/levels.js';
import { type CaseStep, Localization, type LocalizationPlan } from '../../src/history/search/localize.js';
import { Random, usageFault } from '../../src/machine/index.js';

/** How long a case takes at each commit. */
type Course = readonly number[];

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
  courses: readonly Course[],
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
    expect(search.hasLookedAt(request.commit)).toBe(false);
    if (isSilent(request.commit)) search.passOver(request.commit, usageFault('it does not build'));
    else for (const id of caseIds(courses.length)) look(id, request.commit);
  }
  return { steps: search.steps(), builds, repeats };
}

/** Quick, and from each of these commits on at another level. */
function course(length: number, changes: Readonly<Record<number, number>>, start = 20): Course {
  let level = start;
  return Array.from({ length }, (_, commit) => {
    level = changes[commit] ?? level;
    return level;
  });
}

const places = ({ steps }: Outcome): readonly (readonly number[])[] =>
  steps.map(({ case: id, at }) => [id, at]);

describe('the commit that made a case slow', () => {
  it('is not hidden by noise that makes a step look small', () => {
    const random = Random.fromSeed(51);
    const noisy = (ms: number): number => ms * (0.8 + (0.4 * random.below(1000)) / 1000);
    const more = {
      sensitivity: { least: 100, noise: 0.12, share: 1 / 5 },
      confidence: 0.95,
      mostSamples: 15,
    };
    const courses = [course(512, { 88: 500, 240: 1000, 440: 1600 })];
    for (let round = 0; round < 40; round++)
      expect(places(located(courses, more, () => false, noisy))).toEqual([
        [0, 88],
        [0, 240],
        [0, 440],
      ]);
  });

  it('is found past a long stretch that does not build, in few strides', () => {
    const isBroken = (commit: number): boolean => commit >= 850 && commit <= 1150;
    const found = located([course(2000, { 300: 900 })], {}, isBroken);
    expect(places(found)).toEqual([[0, 300]]);
    expect(found.builds).toBeLessThan(30);
  });

  it('is found wherever it is, in as many builds as halving takes, and one to be sure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), fc.nat(), (length, place) => {
        const at = 1 + (place % (length - 1));
        const found = located([course(length, { [at]: 1000 })]);
        expect(found.steps).toEqual([
          { case: 0, before: at - 1, at, direction: 'slower', from: 20, to: 1000 },
        ]);
        expect(found.builds).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(length)) + 1);
      }),
    );
  });

  it('is found for many cases at once with few builds', () => {
    const culprits = [31, 77, 140, 222, 301, 390, 470];
    const courses = Array.from({ length: 50 }, (_, i) =>
      course(512, { [culprits[i % 7] as number]: 900 + i }),
    );
    const found = located(courses);
    expect(places(found)).toEqual(courses.map((_, i) => [i, culprits[i % 7]]));
    // One bisection a case takes nine builds.
    expect(found.builds).toBeLessThanOrEqual((50 * 9) / 7);
  });

  it('is narrowed around commits that do not build', () => {
    const isBroken = (commit: number): boolean => commit % 10 === 5;
    for (const at of [4, 5, 6, 47, 95, 96]) {
      const found = located([course(100, { [at]: 1000 })], {}, isBroken);
      const before = isBroken(at - 1) ? at - 2 : at - 1;
      const seen = isBroken(at) ? at + 1 : at;
      expect(found.steps).toMatchObject([{ before, at: seen }]);
    }
  });

  it('are all commits that took part, where it took several', () => {
    expect(places(located([course(300, { 40: 400, 150: 700, 151: 1100, 260: 1500 })]))).toEqual([
      [0, 40],
      [0, 150],
      [0, 151],
      [0, 260],
    ]);
  });

  it('is also one that made it many times as slow before a later one made that look small', () => {
    const courses = [course(2000, { 900: 4000, 1500: 60_000 }, 400)];
    expect(places(located(courses))).toEqual([[0, 1500]]);
    const sensitivity = sensitivityFor('effort', { threshold: undefined, relativeNoise: 0 });
    const found = located(courses, { sensitivity });
    expect(places(found)).toEqual([
      [0, 900],
      [0, 1500],
    ]);
    // A second search of eleven builds, and one beside each to be sure.
    expect(found.builds).toBeLessThanOrEqual(2 + 2 * 11 + 2);
    // Neither twice as slow nor many times next to nothing: such steps do not lead anywhere.
    for (const small of [{ 900: 900 }, { 900: 2500 }])
      expect(places(located([course(2000, { ...small, 1500: 60_000 }, 400)], { sensitivity }))).toEqual([
        [0, 1500],
      ]);
    // What makes it quick again is asked about by the share alone.
    expect(places(located([course(2000, { 900: 400, 1500: 60_000 }, 4000)], { sensitivity }))).toEqual([
      [0, 1500],
    ]);
  });

  it('is not a small wave beside a large one', () => {
    expect(places(located([course(300, { 40: 120, 80: 20, 200: 2000 })], { confidence: 0.97 }))).toEqual([
      [0, 200],
    ]);
  });

  it('is none where nothing changed', () => {
    const found = located([course(300, {})]);
    expect(found).toMatchObject({ steps: [], builds: 2 });
  });
});

describe('a case that is quick at a single commit', () => {
  it('is not blamed on the one after it alone', () => {
    // The first commit in the middle is the quick one.
    const found = located([course(513, { 100: 1000, 256: 20, 257: 1000 })]);
    expect(found.steps.map(({ at, direction }) => [at, direction])).toEqual([
      [100, 'slower'],
      [256, 'quicker'],
      [257, 'slower'],
    ]);
  });

  it('costs one look for each step to be sure of that', () => {
    for (const at of [1, 2, 100, 257, 511]) {
      const found = located([course(513, { [at]: 1000 })]);
      expect(places(found)).toEqual([[0, at]]);
      expect(found.builds).toBeLessThanOrEqual(2 + 9 + 1);
    }
  });
});

describe('a case that goes up, down and up again', () => {
  const wave = course(512, { 60: 1000, 130: 20, 400: 1200 });

  it('shows its last rise at least', () => {
    const { steps } = located([wave]);
    expect(steps.length).toBeGreaterThanOrEqual(1);
    for (const { at } of steps) expect([60, 130, 400]).toContain(at);
  });

  it('shows what made it slower before what made it quicker', () => {
    const one = course(513, { 100: 1000, 300: 20, 450: 1200 });
    const search = new Localization(plan(one.length, 1));
    const [id] = caseIds(1);
    const look = (commit: number): void =>
      search.observe(id as CaseId, commit, { kind: 'measured', samples: [one[commit] as number] });
    // All three steps are there to be found.
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

  it('shows all of it where enough commits are looked at', () => {
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
  it('neither hides a commit nor makes one up', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 199 }), (seed, at) => {
        const random = Random.fromSeed(seed);
        const noisy = (ms: number): number => ms * (0.8 + (0.4 * random.below(1000)) / 1000);
        const found = located(
          [course(200, { [at]: 1000 }), course(200, { [at]: 300 }, 100), course(200, {}, 500)],
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
