import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Builds } from '../../src/builds/index.js';
import { type BisectPlan, bisect } from '../../src/history/bisection/bisect.js';
import type { BisectEvent } from '../../src/history/bisection/bisect-events.js';
import { type BisectProgress, LeftTime } from '../../src/history/bisection/bisect-progress.js';
import type { Bisection } from '../../src/history/bisection/bisection.js';
import type { Observation } from '../../src/history/measuring/levels.js';
import { CommandMeasurer, type Measurer } from '../../src/history/measuring/measurer.js';
import { Repository } from '../../src/repository/index.js';
import { linkOf } from '../../src/repository/repository.js';
import { gitIn } from '../git-repository.js';
import { needsTools } from '../needs.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { type Made, type MadeCommit, makeRepository, recipe } from './made-repository.js';

needsTools('compilers');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('bisect');
});
afterAll(() => removeFolder(folder));

/** Levels that change at some commits. */
function steppedLevels(length: number, changes: Readonly<Record<number, number>>, start = 20): number[] {
  let level = start;
  return Array.from({ length }, (_, at) => {
    level = changes[at] ?? level;
    return level;
  });
}

function commitsOf(
  courses: readonly (readonly number[])[],
  isBroken: (at: number) => boolean = () => false,
): MadeCommit[] {
  const [first = []] = courses;
  return first.map((_, at) => ({
    levels: courses.map((levels) => levels[at] as number),
    isBroken: isBroken(at),
  }));
}

const remembered = new Map<string, Promise<Observation>>();

/** These programs are deterministic, so results are cached over all bisections. */
function remembering(measurer: Measurer): Measurer {
  return {
    cases: measurer.cases,
    measure: (program, id, signal) => {
      const key = `${program} ${id}`;
      const known = remembered.get(key) ?? measurer.measure(program, id, signal);
      remembered.set(key, known);
      return known;
    },
  };
}

async function planFor(made: Made, cases: number, more: Partial<BisectPlan> = {}): Promise<BisectPlan> {
  const repository = withoutFault(await Repository.open(made.path));
  return {
    repository,
    line: made.line,
    intoMerges: true,
    recipe,
    builds: new Builds(join(folder, 'builds')),
    measurer: remembering(
      new CommandMeasurer({
        commands: Array.from({ length: cases }, (_, number) => ['{program}', String(number)]),
        limitMs: 60_000,
        isPrinted: true,
      }),
    ),
    sensitivity: { least: 50, noise: 0, share: 1 / 5 },
    confidence: 0,
    strategy: 'batch',
    slots: 1,
    jobs: 1,
    signal: new AbortController().signal,
    known: [],
    onEvent: () => {},
    ...more,
  };
}

async function bisected(plan: BisectPlan): Promise<Bisection> {
  return withoutFault(await bisect(plan));
}

describe('a bisection', () => {
  it('names and verifies the commit of each case, and skips commits that do not build', async () => {
    const courses = [
      steppedLevels(40, { 11: 900 }),
      steppedLevels(40, { 30: 400 }),
      steppedLevels(40, { 11: 300, 25: 800 }),
      steppedLevels(40, {}),
    ];
    const made = makeRepository(
      join(folder, 'plain'),
      commitsOf(courses, (at) => at === 20 || at === 29),
    );
    const { culprits, looked, failed, without } = await bisected(await planFor(made, 4));
    expect(
      culprits.map(({ case: id, commit, isVerified }) => [id, made.line.indexOf(commit), isVerified]),
    ).toEqual([
      [0, 11, true],
      [1, 30, true],
      [2, 11, true],
      [2, 25, true],
    ]);
    expect(culprits[1]).toMatchObject({ others: [made.line[29]], before: made.line[28] });
    expect(without).toMatchObject([{ case: 3, why: expect.stringContaining('as quick at the bad commit') }]);
    for (const { commit, why } of failed) {
      expect([made.line[20], made.line[29]]).toContain(commit);
      expect(why).toMatch(/cc ended with 1: .*error/);
    }
    expect(looked).toBeLessThan(25);
  });

  it('searches the commits that a merge brought in, unless disabled', async () => {
    const side = [20, 20, 700, 700].map((level) => ({ levels: [level] }));
    const commits: MadeCommit[] = [
      ...steppedLevels(8, {}).map((level) => ({ levels: [level] })),
      { levels: [700], merges: side, leftBefore: 4 },
      ...steppedLevels(6, {}, 700).map((level) => ({ levels: [level] })),
    ];
    const made = makeRepository(join(folder, 'merged'), commits);
    const inside = await bisected(await planFor(made, 1));
    expect(inside.culprits).toMatchObject([
      { commit: made.sides.get(8)?.[2], merge: made.line[8], isVerified: true },
    ]);
    const outside = await bisected(await planFor(made, 1, { intoMerges: false }));
    expect(outside.culprits).toMatchObject([{ commit: made.line[8] }]);
  });

  it('blames a merge if neither side is slow', async () => {
    const commits: MadeCommit[] = [
      ...steppedLevels(6, {}).map((level) => ({ levels: [level] })),
      { levels: [500], merges: [{ levels: [20] }, { levels: [20] }], leftBefore: 2 },
      { levels: [500] },
    ];
    const made = makeRepository(join(folder, 'clash'), commits);
    expect((await bisected(await planFor(made, 1))).culprits).toMatchObject([{ commit: made.line[6] }]);
  });

  it.each([
    'batch',
    'git-bisect',
  ] as const)('resumes from its journal and builds nothing twice: %s', async (strategy) => {
    const made = makeRepository(
      join(folder, `long-${strategy}`),
      commitsOf([steppedLevels(64, { 40: 900 }), steppedLevels(64, { 9: 500 })]),
    );
    const events: BisectEvent[] = [];
    const builds = new Builds(join(folder, `other-builds-${strategy}`));
    const whole = await bisected(
      await planFor(made, 2, { strategy, builds, onEvent: (event) => events.push(event) }),
    );
    expect(whole.built).toBe(events.filter((event) => event.event === 'looked' && event.isNew).length);
    // One build per distinct tree.
    expect(whole.built).toBe(3);
    for (let kept = 0; kept <= events.length; kept++) {
      const later: BisectEvent[] = [];
      const again = await bisected(
        await planFor(made, 2, {
          strategy,
          builds,
          known: events.slice(0, kept),
          onEvent: (event) => later.push(event),
        }),
      );
      expect(again.culprits).toEqual(whole.culprits);
      expect(later.filter((event) => event.event === 'looked' && event.isNew)).toEqual([]);
      expect(later.length + kept).toBe(events.length);
    }
  });

  it('gives the same result with several parallel builds', async () => {
    const made = makeRepository(join(folder, 'wide'), commitsOf([steppedLevels(50, { 31: 900 })]));
    const { culprits } = await bisected(await planFor(made, 1, { slots: 3, jobs: 2 }));
    expect(culprits).toMatchObject([{ commit: made.line[31] }]);
  });

  describe('as published by SPRFinder', () => {
    const courses = [
      steppedLevels(40, { 11: 900 }),
      steppedLevels(40, { 30: 400 }),
      steppedLevels(40, { 11: 400, 25: 1000 }),
      steppedLevels(40, {}),
      // Fast again in the middle: the algorithm misses one of two commits.
      steppedLevels(40, { 5: 900, 12: 20, 30: 1000 }),
    ];

    it('runs only the cases of a range, verifies, and reports nothing about other cases', async () => {
      const made = makeRepository(
        join(folder, 'published'),
        commitsOf(courses, (at) => at === 19 || at === 29),
      );
      const events: BisectEvent[] = [];
      const plan = await planFor(made, 5, { strategy: 'sprfinder', onEvent: (event) => events.push(event) });
      const { culprits, without, looked } = await bisected(plan);
      expect(
        culprits.map(({ case: id, commit, isVerified }) => [id, made.line.indexOf(commit), isVerified]),
      ).toEqual([
        [0, 11, true],
        [1, 30, true],
        [2, 11, true],
        [2, 25, true],
        [4, 30, true],
      ]);
      expect(culprits[1]).toMatchObject({ before: made.line[28], others: [made.line[29]] });
      expect(without).toMatchObject([
        { case: 3, why: expect.stringContaining('as quick at the bad commit') },
      ]);
      expect(looked).toBeLessThan(20);
      const run = events.filter((event) => event.event === 'repeated');
      const all = events.filter((event) => event.event === 'looked' && event.observations.length > 0);
      expect(all).toHaveLength(2);
      expect(run.every((event) => event.event === 'repeated' && event.case !== 3)).toBe(true);
      // The result is the same for every cut of the journal, and nothing is measured twice.
      for (let kept = 0; kept <= events.length; kept += 9) {
        const later: BisectEvent[] = [];
        const again = await bisected({
          ...plan,
          known: events.slice(0, kept),
          onEvent: (event) => later.push(event),
        });
        expect(again.culprits).toEqual(culprits);
        expect(later.length + kept).toBe(events.length);
      }
    });

    it('stops if an end cannot be measured', async () => {
      const made = makeRepository(
        join(folder, 'published-broken'),
        commitsOf([steppedLevels(8, { 4: 900 })], (at) => at === 7),
      );
      const found = await bisect(await planFor(made, 1, { strategy: 'sprfinder' }));
      expect(found).toMatchObject({ message: expect.stringContaining('the bad commit') });
    });
  });

  it('reports its progress and the remaining builds from the start', async () => {
    const made = makeRepository(join(folder, 'told'), commitsOf([steppedLevels(33, { 20: 900 })]));
    for (const strategy of ['batch', 'sprfinder', 'git-bisect'] as const) {
      const told: BisectProgress[] = [];
      await bisected(
        await planFor(made, 1, {
          strategy,
          builds: new Builds(join(folder, `told-${strategy}`)),
          onProgress: (progress) => told.push(progress),
        }),
      );
      const begun = told.filter(({ news }) => news?.kind === 'build begins');
      expect(told[0]).toMatchObject({
        commits: 33,
        looked: 0,
        news: { kind: 'build begins', commit: made.line[0] },
      });
      expect(told.filter(({ news }) => news?.kind === 'build ended')).toHaveLength(begun.length);
      if (strategy === 'git-bisect') continue;
      // Two ends and five halvings; each build decreases the number by one.
      expect(begun.map(({ remaining }) => remaining)).toEqual(begun.map((_, at) => begun.length - at));
      expect(told.at(-1)).toMatchObject({ remaining: 0, news: { kind: 'verifying' } });
    }
  });

  it('needs far more builds case by case', async () => {
    const courses = Array.from({ length: 8 }, (_, number) =>
      steppedLevels(60, { [number % 2 === 0 ? 21 : 44]: 900 }),
    );
    const made = makeRepository(join(folder, 'many'), commitsOf([...courses, steppedLevels(60, {})]));
    const batch = await bisected(await planFor(made, 9));
    const plain = await bisected(await planFor(made, 9, { strategy: 'git-bisect' }));
    expect(plain.without).toMatchObject([
      { case: 8, why: expect.stringContaining('as quick at the bad commit') },
    ]);
    expect(plain.ends).toEqual(batch.ends);
    expect(plain.culprits.map(({ commit }) => commit)).toEqual(batch.culprits.map(({ commit }) => commit));
    expect(plain.looked).toBeGreaterThan(3 * batch.looked);
  });

  describe('on a machine with load peaks', () => {
    const sensitivity = { least: 50, noise: 0.05, share: 1 / 5 };
    /** Commits with different trees, so that each is built. */
    const different = (levels: readonly number[]): MadeCommit[] =>
      commitsOf([levels, levels.map((_, at) => at)]);
    /** The machine is busy at a program's first measurement, and for some time after it. */
    const busy = (
      measurer: BisectPlan['measurer'],
      nth: number,
      times: number,
      level = 900,
    ): BisectPlan['measurer'] => {
      const measured = new Map<string, number>();
      return {
        cases: measurer.cases,
        measure: async (program, id, signal) => {
          const seen = await measurer.measure(program, id, signal);
          const before = measured.get(program) ?? 0;
          measured.set(program, before + 1);
          const isBusy = [...measured.keys()].indexOf(program) === nth && before < times;
          return isBusy && seen.kind === 'measured' ? { ...seen, samples: [level] } : seen;
        },
      };
    };

    it('blames no commit for a load peak and finds the real difference', async () => {
      const made = makeRepository(join(folder, 'busy'), different(steppedLevels(32, { 21: 900 })));
      const plan = { ...(await planFor(made, 1)), sensitivity };
      const events: BisectEvent[] = [];
      const measurer = busy(plan.measurer, 2, 5);
      const { culprits, without } = await bisected({
        ...plan,
        measurer,
        onEvent: (event) => events.push(event),
      });
      expect(events.filter(({ event }) => event === 'verified')).toHaveLength(2);
      expect(culprits).toMatchObject([{ commit: made.line[21], isVerified: true }]);
      expect(without).toEqual([]);
      for (let kept = 0; kept <= events.length; kept++)
        expect((await bisected({ ...plan, known: events.slice(0, kept) })).culprits).toEqual(culprits);
    });

    it('measures in turns until no relevant difference can be left', async () => {
      // 30 more at the end, and 50 are relevant; a load peak made it seem 105.
      const made = makeRepository(join(folder, 'slight'), different(steppedLevels(6, { 5: 330 }, 300)));
      const plan = { ...(await planFor(made, 1)), sensitivity: { ...sensitivity, noise: 0.06 } };
      const events: BisectEvent[] = [];
      const { culprits, without } = await bisected({
        ...plan,
        measurer: busy(plan.measurer, 1, 5, 405),
        onEvent: (event) => events.push(event),
      });
      expect(events.filter((event) => event.event === 'verified')).toMatchObject([
        { beforeSamples: new Array(10).fill(300), afterSamples: new Array(10).fill(330) },
      ]);
      expect(culprits).toEqual([]);
      expect(without).toMatchObject([{ why: expect.stringContaining('measured in turns') }]);
    });

    it('reports that no difference is left after measuring again', async () => {
      const made = makeRepository(join(folder, 'busy-end'), different(steppedLevels(6, {})));
      const plan = { ...(await planFor(made, 1)), sensitivity };
      const measurer = busy(plan.measurer, 1, 5);
      const { culprits, without, ends } = await bisected({ ...plan, measurer });
      expect(culprits).toEqual([]);
      expect(without).toMatchObject([{ case: 0, why: expect.stringContaining('measured in turns') }]);
      expect(ends).toMatchObject([{ good: { level: 20 }, bad: { level: 20 } }]);
    });

    it('detects that all measurements were slow', async () => {
      const made = makeRepository(
        join(folder, 'busy-slow'),
        different(steppedLevels(32, { 21: 15_000 }, 5000)),
      );
      const plan = { ...(await planFor(made, 1)), sensitivity };
      const { culprits } = await bisected({ ...plan, measurer: busy(plan.measurer, 2, 5, 12_000) });
      expect(culprits).toMatchObject([{ commit: made.line[21], isVerified: true }]);
    });

    it('keeps a step that is smaller than first measured', async () => {
      const made = makeRepository(join(folder, 'busy-both'), different(steppedLevels(3, { 2: 300 })));
      const plan = { ...(await planFor(made, 1)), sensitivity };
      const { culprits } = await bisected({ ...plan, measurer: busy(plan.measurer, 1, 5, 2000) });
      expect(culprits).toMatchObject([{ commit: made.line[2], isVerified: true, afterLevel: 300 }]);
    });

    it('reports the result of plain bisection as uncertain', async () => {
      const made = makeRepository(join(folder, 'busy-plain'), different(steppedLevels(9, {})));
      const plan = { ...(await planFor(made, 1)), sensitivity, strategy: 'git-bisect' as const };
      const { culprits } = await bisected({ ...plan, measurer: busy(plan.measurer, 1, 1) });
      expect(culprits).toMatchObject([{ isVerified: false }]);
    });
  });

  it('leaves the repository unchanged', async () => {
    const made = makeRepository(join(folder, 'dirty'), commitsOf([steppedLevels(10, { 4: 900 })]));
    gitIn(made.path, ['reset', '-q', '--hard']);
    writeFileSync(join(made.path, 'solver.c'), 'my own changes');
    writeFileSync(join(made.path, 'new.txt'), 'mine');
    const state = (): readonly string[] =>
      [['status', '--porcelain', '--branch'], ['worktree', 'list'], ['for-each-ref']].map((args) =>
        gitIn(made.path, args),
      );
    const before = state();
    expect((await bisected(await planFor(made, 1))).culprits).toMatchObject([{ commit: made.line[4] }]);
    expect(state()).toEqual(before);
    expect(readFileSync(join(made.path, 'solver.c'), 'utf8')).toBe('my own changes');
  });

  it('reports a broken line of commits', async () => {
    const made = makeRepository(join(folder, 'short'), commitsOf([steppedLevels(4, { 2: 900 })]));
    const repository = withoutFault(await Repository.open(made.path));
    expect(await Repository.open(folder)).toMatchObject({ kind: 'usage' });
    expect(await repository.resolve('no-such-thing')).toMatchObject({
      message: expect.stringContaining('has no commit no-such-thing'),
    });
    const [first = '', second = ''] = made.line;
    expect(await repository.line(second, first, 'first-parent')).toMatchObject({
      message: expect.stringContaining('does not come before'),
    });
    expect(await repository.line(first, first, 'first-parent')).toMatchObject({
      message: expect.stringContaining('are the same commit'),
    });
    gitIn(folder, ['clone', '-q', '--depth', '1', `file://${made.path}`, 'shallow']);
    const shallow = withoutFault(await Repository.open(join(folder, 'shallow')));
    expect(await shallow.resolve(first)).toMatchObject({ message: expect.stringContaining('shallow clone') });
  });
});

describe('the web address of a commit', () => {
  it.each([
    ['https://example.org/owner/name.git', 'https://example.org/owner/name/commit/'],
    ['https://example.org/owner/name', 'https://example.org/owner/name/commit/'],
    ['git@example.org:owner/name.git', 'https://example.org/owner/name/commit/'],
    ['ssh://git@example.org/owner/name.git', 'https://example.org/owner/name/commit/'],
    ['/home/me/name', undefined],
    ['../name', undefined],
    ['', undefined],
  ])('is derived from %s', (remote, link) => {
    expect(linkOf(remote)).toBe(link);
  });
});

describe('the remaining time', () => {
  it('is unknown before the first build', () => {
    expect(new LeftTime(0).of(10)).toBeUndefined();
  });

  it('is estimated from the last builds, since the first ones take longer', () => {
    const left = new LeftTime(1000);
    const look = (commit: string, isNew: boolean, at: number): void => {
      left.hear({ kind: 'build ended', commit, ms: 1, isNew }, at);
      left.hear({ kind: 'looked at', commit }, at);
    };
    look('first', true, 61_000);
    expect(left.of(4)).toBe(4 * 60_000);
    for (let nth = 1; nth <= 5; nth++) look(`${nth}`, true, 61_000 + 10_000 * nth);
    expect(left.of(4)).toBe(4 * 10_000);
  });

  it('ignores commits that were built before', () => {
    const left = new LeftTime(0);
    left.hear({ kind: 'build ended', commit: 'kept', ms: 1, isNew: false }, 5);
    left.hear({ kind: 'looked at', commit: 'kept' }, 10);
    expect(left.of(3)).toBeUndefined();
    left.hear({ kind: 'build ended', commit: 'new', ms: 900, isNew: true }, 1000);
    left.hear({ kind: 'looked at', commit: 'new' }, 1010);
    expect(left.of(3)).toBe(3000);
  });
});
