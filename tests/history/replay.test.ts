import { describe, expect, it } from 'vitest';
import { type BisectStrategy, type LevelTimeline, replay } from '../../src/history/bisection/replay.js';
import { classifyTimeline, slowdownsIn } from '../../src/history/triage/timeline-class.js';

/** Fast, with a new level from each of these commits on. */
function steppedLevels(length: number, changes: Readonly<Record<number, number>>, start = 20): LevelTimeline {
  let level = start;
  return Array.from({ length }, (_, commit) => {
    level = changes[commit] ?? level;
    return level;
  });
}

const sensitivity = { least: 50, noise: 0, share: 1 / 5 };
const replayed = (
  strategy: BisectStrategy,
  courses: readonly LevelTimeline[],
  broken: readonly number[] = [],
) =>
  replay(
    { commits: courses[0]?.length ?? 0, broken: new Set(broken), timelines: courses },
    strategy,
    { buildMs: 10_000, runFactor: 2 },
    sensitivity,
  );

describe('replaying a history', () => {
  it('costs one build per tested commit and one run per case', async () => {
    const courses = [steppedLevels(3, { 1: 1000 })];
    // Both ends and the middle.
    const batch = await replayed('batch', courses);
    expect(batch).toMatchObject({ builds: 3, runs: 3, endMs: 3 * 10_000 + 2 * (20 + 1000 + 1000) });
    expect(batch.locatedMs).toEqual([batch.endMs]);
    const published = await replayed('sprfinder', courses);
    expect(published).toMatchObject({ builds: 3, runs: 3, endMs: batch.endMs, steps: batch.steps });
    // git bisect is given the ends.
    const plain = await replayed('git-bisect', courses);
    expect(plain).toMatchObject({ builds: 1, runs: 1, endMs: 10_000 + 2 * 1000, steps: batch.steps });
  });

  it('needs fewer runs as published if cases separate, since each runs in its own range', async () => {
    const courses = [steppedLevels(65, { 10: 900 }), steppedLevels(65, { 50: 900 })];
    const batch = await replayed('batch', courses);
    const published = await replayed('sprfinder', courses);
    expect(published.steps).toEqual(batch.steps);
    expect(published.builds).toBe(batch.builds);
    expect(batch.runs).toBe(2 * batch.builds);
    expect(published.runs).toBeLessThan(0.7 * batch.runs);
  });

  it('reports the time per case and counts each located case once', async () => {
    const courses = [steppedLevels(65, { 10: 900 }), steppedLevels(65, { 50: 900 }), steppedLevels(65, {})];
    for (const strategy of ['batch', 'sprfinder', 'git-bisect'] as const) {
      const { locatedMs, endMs } = await replayed(strategy, courses, [31, 32]);
      expect(locatedMs).toHaveLength(2);
      expect(locatedMs[0]).toBeLessThan(locatedMs[1] as number);
      expect(locatedMs[1]).toBe(endMs);
    }
  });

  it('names no commit for a case that is not slower by the threshold', async () => {
    const courses = [steppedLevels(65, { 10: 900 }), steppedLevels(65, { 50: 25 })];
    for (const strategy of ['batch', 'sprfinder', 'git-bisect'] as const) {
      const { locatedMs, steps } = await replayed(strategy, courses);
      expect({ strategy, steps }).toMatchObject({ strategy, steps: [{ case: 0, at: 10 }] });
      expect(locatedMs).toHaveLength(1);
    }
  });

  it('shows the missed commits of a case that rises and falls', async () => {
    const courses = [steppedLevels(64, { 5: 900, 20: 20, 50: 1000 })];
    const slower = async (strategy: BisectStrategy) =>
      (await replayed(strategy, courses)).steps.filter(({ direction }) => direction === 'slower').length;
    expect(await slower('git-bisect')).toBe(1);
    expect(await slower('sprfinder')).toBe(1);
  });
});

describe('classifyTimeline', () => {
  it.each([
    [{ 5: 1000 }, 'monotonic, single-dominant', 1],
    [{ 5: 100, 9: 1000 }, 'monotonic, single-dominant', 1],
    [{ 5: 400, 9: 1000 }, 'monotonic, multi-dominant', 2],
    [{ 3: 200, 5: 20, 9: 1000 }, 'non-monotonic, single-dominant', 1],
    [{ 3: 900, 5: 20, 9: 1000 }, 'non-monotonic, multi-dominant', 2],
    // Gradual: no step is a third of the difference.
    [{ 2: 300, 4: 600, 6: 900, 8: 1200, 10: 1500 }, 'no dominating commit', 0],
    [{ 2: 300, 4: 600, 5: 400, 6: 700, 8: 900, 10: 1200 }, 'no dominating commit', 0],
    // A fluctuation of a few percent is ignored.
    [{ 3: 1000, 5: 980 }, 'monotonic, single-dominant', 1],
  ])('classifies %j as %s', (changes, name, dominating) => {
    const found = classifyTimeline(steppedLevels(12, changes), 50);
    expect(found?.class).toBe(name);
    expect(found?.dominating).toHaveLength(dominating);
  });

  it('returns undefined if the end is not slower', () => {
    expect(classifyTimeline(steppedLevels(12, { 3: 900, 8: 20 }), 50)).toBeUndefined();
    expect(classifyTimeline([undefined, undefined], 50)).toBeUndefined();
  });

  it('ignores commits that cannot be measured', () => {
    const found = classifyTimeline([20, undefined, 900, undefined, 900], 50);
    expect(found?.dominating).toEqual([{ before: 0, at: 2, from: 20, to: 900 }]);
  });

  it('exposes every commit that made a case slow, even if it became fast again', () => {
    expect(slowdownsIn(steppedLevels(12, { 3: 900, 8: 20 }), 50).map(({ at }) => at)).toEqual([3]);
    expect(slowdownsIn(steppedLevels(20, { 3: 900, 8: 20, 12: 800 }), 50).map(({ at }) => at)).toEqual([
      3, 12,
    ]);
  });
});
