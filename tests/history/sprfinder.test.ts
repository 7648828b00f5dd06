import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaseStep } from '../../src/history/search/localize.js';
import { type RangeLook, RangeStack } from '../../src/history/search/sprfinder.js';

/** A case's level at each commit; undefined if not measurable. */
type Levels = readonly (number | undefined)[];

interface Outcome {
  readonly steps: readonly CaseStep[];
  readonly looks: readonly RangeLook[];
}

function located(courses: readonly Levels[], isBroken: (commit: number) => boolean = () => false): Outcome {
  const search = new RangeStack({ commits: courses[0]?.length ?? 0, cases: courses.length, least: 50 });
  const looks: RangeLook[] = [];
  for (let look = search.next(); look !== undefined; look = search.next()) {
    looks.push(look);
    if (isBroken(look.commit)) search.passOver(look.commit);
    else for (const id of look.cases) search.observe(id, look.commit, courses[id]?.[look.commit]);
  }
  return { steps: search.steps(), looks };
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

describe('Algorithm 2', () => {
  it('finds a single commit anywhere with the builds of a binary search', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), fc.nat(), (length, place) => {
        const at = 1 + (place % (length - 1));
        const { steps, looks } = located([steppedLevels(length, { [at]: 1000 })]);
        expect(steps).toEqual([{ case: 0, before: at - 1, at, direction: 'slower', from: 20, to: 1000 }]);
        expect(looks.length).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(length)));
      }),
    );
  });

  it('runs only the cases of a range in which they differ', () => {
    const { looks } = located([steppedLevels(17, { 3: 900 }), steppedLevels(17, { 14: 900 })]);
    expect(looks.slice(0, 3)).toEqual([
      { commit: 0, cases: [0, 1] },
      { commit: 16, cases: [0, 1] },
      { commit: 8, cases: [0, 1] },
    ]);
    // The right half was pushed last, so it comes first.
    expect(looks[3]).toEqual({ commit: 12, cases: [1] });
    expect(looks.slice(3).every(({ cases }) => cases.length === 1)).toBe(true);
  });

  it('continues on both sides if the middle differs from both ends by at least a third', () => {
    expect(places(located([steppedLevels(64, { 10: 350, 50: 1000 })]))).toEqual([
      [0, 10],
      [0, 50],
    ]);
    // Exactly a third is not less than a third; slightly less counts as equal to the start.
    expect(places(located([steppedLevels(64, { 10: 120, 50: 320 })]))).toEqual([
      [0, 10],
      [0, 50],
    ]);
    expect(places(located([steppedLevels(64, { 10: 119, 50: 320 })]))).toEqual([[0, 50]]);
  });

  it('misses a commit if a case is fast again in the middle, as in the paper', () => {
    expect(places(located([steppedLevels(64, { 5: 900, 20: 20, 50: 1000 })]))).toEqual([[0, 50]]);
  });

  it('names a commit that made a case faster if it is on the search path', () => {
    const { steps } = located([steppedLevels(64, { 20: 3000, 40: 1000 })]);
    expect(steps).toMatchObject([
      { at: 20, direction: 'slower' },
      { at: 40, direction: 'quicker' },
    ]);
  });

  it('uses the nearest commit if the middle does not build, and names the range between', () => {
    const isBroken = (commit: number): boolean => commit % 4 !== 0 && commit !== 31;
    const { steps } = located([steppedLevels(32, { 13: 900 })], isBroken);
    expect(steps).toMatchObject([{ before: 12, at: 16 }]);
  });

  it('uses another commit only for the cases that cannot be measured', () => {
    const mute = steppedLevels(16, { 12: 900 }).map((level, at) =>
      at === 7 || at === 8 ? undefined : level,
    );
    const { steps, looks } = located([steppedLevels(16, { 12: 900 }), mute]);
    expect(steps.map(({ case: id, before, at }) => [id, before, at])).toEqual([
      [0, 11, 12],
      [1, 11, 12],
    ]);
    expect(looks.filter(({ commit }) => commit === 8)).toEqual([{ commit: 8, cases: [1] }]);
  });

  it('ignores cases that are not slower at the end', () => {
    const { steps, looks } = located([
      steppedLevels(32, {}),
      steppedLevels(32, { 9: 5 }),
      steppedLevels(32, { 9: 900, 20: 20 }),
    ]);
    expect(steps).toEqual([]);
    expect(looks).toHaveLength(2);
  });

  it('ends for all levels and unmeasurable commits, and names real steps only', () => {
    const level = fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 10_000 }));
    fc.assert(
      fc.property(
        fc.array(fc.array(level, { minLength: 24, maxLength: 24 }), { maxLength: 4 }),
        (courses) => {
          const { steps, looks } = located(courses);
          expect(looks.length).toBeLessThanOrEqual(2 + 24 * courses.length);
          for (const { case: id, before, at, from, to } of steps) {
            expect([courses[id]?.[before], courses[id]?.[at]]).toEqual([from, to]);
            expect(from).not.toBe(to);
            expect(courses[id]?.slice(before + 1, at).every((between) => between === undefined)).toBe(true);
          }
        },
      ),
    );
  });

  it('gives the minimum number of builds from the start', () => {
    const search = new RangeStack({ commits: 512, cases: 1, least: 50 });
    expect(search.remaining).toBe(2 + 9);
    expect(search.isLocated(0 as never)).toBe(false);
  });
});
