import { describe, expect, it } from 'vitest';
import { courseClass, slowdownsIn } from '../../src/history/triage/timeline-class.js';
import { type BisectStrategy, type Course, replay } from '../../src/history/bisection/replay.js';

/** Quick, and from each of these commits on at another level. */
function course(length: number, changes: Readonly<Record<number, number>>, start = 20): Course {
  let level = start;
  return Array.from({ length }, (_, commit) => {
    level = changes[commit] ?? level;
    return level;
  });
}

const sensitivity = { least: 50, noise: 0, share: 1 / 5 };
const replayed = (strategy: BisectStrategy, courses: readonly Course[], broken: readonly number[] = []) =>
  replay(
    { commits: courses[0]?.length ?? 0, broken: new Set(broken), courses },
    strategy,
    { buildMs: 10_000, runFactor: 2 },
    sensitivity,
  );

describe('a history that is replayed', () => {
  it('costs a build for each look and a run for each case that is run', async () => {
    const courses = [course(3, { 1: 1000 })];
    // Both ends and the middle.
    const batch = await replayed('batch', courses);
    expect(batch).toMatchObject({ builds: 3, runs: 3, endMs: 3 * 10_000 + 2 * (20 + 1000 + 1000) });
    expect(batch.locatedMs).toEqual([batch.endMs]);
    const published = await replayed('sprfinder', courses);
    expect(published).toMatchObject({ builds: 3, runs: 3, endMs: batch.endMs, steps: batch.steps });
    // git is told of the ends.
    const plain = await replayed('git-bisect', courses);
    expect(plain).toMatchObject({ builds: 1, runs: 1, endMs: 10_000 + 2 * 1000, steps: batch.steps });
  });

  it('costs less as published where cases part, since each is run in its own range only', async () => {
    const courses = [course(65, { 10: 900 }), course(65, { 50: 900 })];
    const batch = await replayed('batch', courses);
    const published = await replayed('sprfinder', courses);
    expect(published.steps).toEqual(batch.steps);
    expect(published.builds).toBe(batch.builds);
    expect(batch.runs).toBe(2 * batch.builds);
    expect(published.runs).toBeLessThan(0.7 * batch.runs);
  });

  it('is known case by case, and every case that gets a commit is counted once', async () => {
    const courses = [course(65, { 10: 900 }), course(65, { 50: 900 }), course(65, {})];
    for (const strategy of ['batch', 'sprfinder', 'git-bisect'] as const) {
      const { locatedMs, endMs } = await replayed(strategy, courses, [31, 32]);
      expect(locatedMs).toHaveLength(2);
      expect(locatedMs[0]).toBeLessThan(locatedMs[1] as number);
      expect(locatedMs[1]).toBe(endMs);
    }
  });

  it('names no commit for a case that is not slower by what counts', async () => {
    const courses = [course(65, { 10: 900 }), course(65, { 50: 25 })];
    for (const strategy of ['batch', 'sprfinder', 'git-bisect'] as const) {
      const { locatedMs, steps } = await replayed(strategy, courses);
      expect({ strategy, steps }).toMatchObject({ strategy, steps: [{ case: 0, at: 10 }] });
      expect(locatedMs).toHaveLength(1);
    }
  });

  it('shows what is missed where a case goes up and down', async () => {
    const courses = [course(64, { 5: 900, 20: 20, 50: 1000 })];
    const slower = async (strategy: BisectStrategy) =>
      (await replayed(strategy, courses)).steps.filter(({ direction }) => direction === 'slower').length;
    expect(await slower('git-bisect')).toBe(1);
    expect(await slower('sprfinder')).toBe(1);
  });
});

describe('the class of a course', () => {
  it.each([
    [{ 5: 1000 }, 'monotonic, single-dominant', 1],
    [{ 5: 100, 9: 1000 }, 'monotonic, single-dominant', 1],
    [{ 5: 400, 9: 1000 }, 'monotonic, multi-dominant', 2],
    [{ 3: 200, 5: 20, 9: 1000 }, 'non-monotonic, single-dominant', 1],
    [{ 3: 900, 5: 20, 9: 1000 }, 'non-monotonic, multi-dominant', 2],
    // By and by: no step is a third of all.
    [{ 2: 300, 4: 600, 6: 900, 8: 1200, 10: 1500 }, 'no dominating commit', 0],
    [{ 2: 300, 4: 600, 5: 400, 6: 700, 8: 900, 10: 1200 }, 'no dominating commit', 0],
    // A wobble of a few per cent is none.
    [{ 3: 1000, 5: 980 }, 'monotonic, single-dominant', 1],
  ])('of %j is %s', (changes, name, dominating) => {
    const found = courseClass(course(12, changes), 50);
    expect(found?.class).toBe(name);
    expect(found?.dominating).toHaveLength(dominating);
  });

  it('is none where it is not slower at the end', () => {
    expect(courseClass(course(12, { 3: 900, 8: 20 }), 50)).toBeUndefined();
    expect(courseClass([undefined, undefined], 50)).toBeUndefined();
  });

  it('is told by the commits that say something', () => {
    const found = courseClass([20, undefined, 900, undefined, 900], 50);
    expect(found?.dominating).toEqual([{ before: 0, at: 2, from: 20, to: 900 }]);
  });

  it('exposes every commit that made it slow, also where it was quick again', () => {
    expect(slowdownsIn(course(12, { 3: 900, 8: 20 }), 50).map(({ at }) => at)).toEqual([3]);
    expect(slowdownsIn(course(20, { 3: 900, 8: 20, 12: 800 }), 50).map(({ at }) => at)).toEqual([3, 12]);
  });
});
