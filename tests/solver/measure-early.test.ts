import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MeasureHints,
  measureEarly,
  measureFully,
  type RunOn,
} from '../../src/solver/measure/measure-early.js';
import { type Slowness, slowdownIn, thresholdOver } from '../../src/solver/measure/slowness.js';
import type { Run } from '../../src/solver/run/run.js';
import { type Ending, ended, shown, slowness, type Truth, timedOut } from '../simulated/solver.js';

/** Runs versions with known results and records the requests. */
function scripted(truths: readonly Truth[]) {
  const asked: [version: number, limitMs: number][] = [];
  const hows: unknown[] = [];
  const run: RunOn<number> = async (version, limitMs, how) => {
    asked.push([version, limitMs]);
    hows.push(how);
    return shown(truths[version] as Truth, limitMs);
  };
  return { run, asked, hows };
}

const quick: Truth = { ending: 'sat', ms: 10 };
const slow: Truth = { ending: 'sat', ms: 900 };
const hard: Truth = { ending: 'sat', ms: 1e9 };

describe('measureFully', () => {
  it('runs every version once, in order, with the whole time', async () => {
    const { run, asked } = scripted([quick, slow, hard]);
    expect(await measureFully([0, 1, 2], run, 2000)).toEqual([
      ended('sat', 10),
      ended('sat', 900),
      timedOut(2000),
    ]);
    expect(asked).toEqual([
      [0, 2000],
      [1, 2000],
      [2, 2000],
    ]);
  });
});

describe('measureEarly', () => {
  it('runs only the newest version if that is quick', async () => {
    const { run, asked } = scripted([hard, quick]);
    expect(await measureEarly([0, 1], run, slowness)).toEqual([undefined, ended('sat', 10)]);
    expect(asked).toEqual([[1, 120]]);
  });

  it('runs only the newest version if that gives up', async () => {
    const { run, asked } = scripted([quick, { ending: 'unknown', ms: 50 }]);
    await measureEarly([0, 1], run, slowness);
    expect(asked).toEqual([[1, 120]]);
  });

  it('drops a formula that is hard for all versions after the probe', async () => {
    const { run, asked } = scripted([hard, hard, hard]);
    expect(await measureEarly([0, 1, 2], run, slowness)).toEqual([
      timedOut(120),
      timedOut(120),
      timedOut(120),
    ]);
    expect(asked).toEqual([
      [2, 120],
      [0, 120],
      [1, 120],
    ]);
  });

  it('runs the others first if all will probably fail, and the newest only if one of them answers', async () => {
    const useless = scripted([hard, hard, quick]);
    const hint = { isLikelyHard: true };
    expect(await measureEarly([0, 1, 2], useless.run, slowness, hint)).toEqual([
      timedOut(120),
      timedOut(120),
      undefined,
    ]);
    expect(useless.asked).toEqual([
      [0, 120],
      [1, 120],
    ]);
    const easy = scripted([hard, quick, quick]);
    expect(await measureEarly([0, 1, 2], easy.run, slowness, hint)).toEqual([
      timedOut(120),
      ended('sat', 10),
      ended('sat', 10),
    ]);
    expect(easy.asked).toHaveLength(3);
    const slower = scripted([quick, hard]);
    const runs = await measureEarly([0, 1], slower.run, slowness, hint);
    expect(slowdownIn(runs, slowness)).toMatchObject({ reference: 0, referenceMs: 10 });
    expect(slower.asked.map(([version]) => version)).toEqual([0, 1, 1]);
  });

  it('decides a slowdown with three runs, the last no longer than necessary', async () => {
    const { run, asked } = scripted([quick, hard]);
    const runs = await measureEarly([0, 1], run, slowness);
    expect(slowdownIn(runs, slowness)).toMatchObject({ reference: 0, referenceMs: 10, hasEnded: false });
    const [probe, reference, last] = asked;
    expect([probe, reference]).toEqual([
      [1, 120],
      [0, 120],
    ]);
    expect(last?.[0]).toBe(1);
    expect(last?.[1]).toBeGreaterThan(260);
    expect(last?.[1]).toBeLessThan(270);
    expect(asked).toHaveLength(3);
  });

  it('decides a slowdown with two runs if the probe is longer than the threshold', async () => {
    const { run, asked } = scripted([quick, hard]);
    const keen: Slowness = { ...slowness, thresholdMs: 50 };
    const measured: RunOn<number> = async (version, limitMs) => {
      const seen = await run(version, limitMs);
      return { ...seen, cpuMs: seen.wallMs };
    };
    expect(slowdownIn(await measureEarly([0, 1], measured, keen), keen)).toMatchObject({ referenceMs: 10 });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['did not end', hard],
    ['took longer', { ending: 'sat', ms: 100 } as const],
  ])('measures again if a glance shows that the newest %s', async (_, newest) => {
    const { run, hows } = scripted([quick, newest]);
    const keen: Slowness = { ...slowness, thresholdMs: 50 };
    expect(slowdownIn(await measureEarly([0, 1], run, keen), keen)).toMatchObject({ referenceMs: 10 });
    expect(hows).toEqual(['glance', undefined, 'work']);
  });

  it('does not use a glance to compare answers', async () => {
    const { run, hows } = scripted([quick, quick]);
    await measureEarly([0, 1], run, slowness, { isThorough: true });
    expect(hows).toEqual([undefined, undefined]);
  });

  it('probes for a share of a large threshold, but never beyond the timeout', async () => {
    for (const [thresholdMs, timeoutMs, probeMs] of [
      [10_000, 20_000, 1250],
      [10_000, 1000, 1000],
      [10, 100, 100],
    ] as const) {
      const { run, asked } = scripted([quick, quick]);
      await measureEarly([0, 1], run, { ...slowness, thresholdMs, timeoutMs });
      expect(asked).toEqual([[1, probeMs]]);
    }
  });

  it('probes the others in thorough mode even if the newest is quick', async () => {
    const { run, asked } = scripted([quick, hard, { ending: 'unsat', ms: 20 }]);
    const runs = await measureEarly([0, 1, 2], run, slowness, { isThorough: true });
    expect(runs).toEqual([ended('sat', 10), timedOut(120), ended('unsat', 20)]);
    expect(asked).toHaveLength(3);
  });

  describe('with a formula that is probably slow', () => {
    const likely = { likelyReferenceMs: 20 };
    const measuredBy = (truths: readonly Truth[]) => {
      const { run, asked, hows } = scripted(truths);
      const measured: RunOn<number> = async (version, limitMs, how) => {
        const seen = await run(version, limitMs, how);
        return { ...seen, cpuMs: seen.wallMs };
      };
      return { run: measured, asked, hows };
    };

    it('skips the probe', async () => {
      const { run, asked, hows } = measuredBy([quick, hard]);
      expect(slowdownIn(await measureEarly([0, 1], run, slowness, likely), slowness)).toBeDefined();
      expect(asked.map(([version]) => version)).toEqual([1, 0]);
      expect(asked[0]?.[1]).toBeGreaterThan(270);
      expect(asked[0]?.[1]).toBeLessThan(300);
      expect(hows).toEqual(['work', undefined]);
    });

    it('runs no other version if the newest turns out quick', async () => {
      const { run, asked } = measuredBy([hard, quick]);
      expect(slowdownIn(await measureEarly([0, 1], run, slowness, likely), slowness)).toBeUndefined();
      expect(asked).toHaveLength(1);
    });

    it('runs the newest again if the others take longer than predicted', async () => {
      const { run, asked } = measuredBy([{ ending: 'sat', ms: 110 }, hard]);
      expect(slowdownIn(await measureEarly([0, 1], run, slowness, likely), slowness)).toMatchObject({
        referenceMs: 110,
      });
      expect(asked.map(([version]) => version)).toEqual([1, 0, 1]);
    });

    it('gives the others as long as they probably need', async () => {
      const { run } = measuredBy([{ ending: 'sat', ms: 320 }, hard]);
      const runs = await measureEarly([0, 1], run, slowness, { likelyReferenceMs: 300 });
      expect(slowdownIn(runs, slowness)).toMatchObject({ referenceMs: 320 });
    });
  });

  it('gives the others the whole time in patient mode', async () => {
    const { run, asked } = scripted([{ ending: 'sat', ms: 700 }, hard]);
    expect(
      slowdownIn(await measureEarly([0, 1], run, slowness, { isPatient: true }), slowness),
    ).toMatchObject({
      referenceMs: 700,
    });
    expect(asked[1]).toEqual([0, slowness.timeoutMs]);
  });

  it('runs the others on a formula that crashes the newest', async () => {
    const { run } = scripted([quick, { ending: 'crash', ms: 5 }]);
    expect(await measureEarly([0, 1], run, slowness)).toEqual([ended('sat', 10), ended('crash', 5)]);
  });

  const endings = fc.constantFrom<Ending>('sat', 'unsat', 'unknown', 'memout', 'crash', 'error');
  const truth = fc.record({
    ending: fc.oneof({ weight: 3, arbitrary: fc.constantFrom<Ending>('sat', 'unsat') }, endings),
    ms: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 4000 })),
  });
  const rule: fc.Arbitrary<Slowness> = fc
    .record({
      floorMs: fc.integer({ min: 0, max: 60 }),
      relative: fc.double({ min: 0, max: 0.3, noNaN: true }),
      thresholdMs: fc.option(fc.integer({ min: 10, max: 2500 }), { nil: undefined }),
      timeoutMs: fc.integer({ min: 50, max: 3000 }),
    })
    .map(({ floorMs, relative, thresholdMs, timeoutMs }) => ({
      noise: { floorMs, relative },
      timeoutMs,
      thresholdMs,
    }));

  const look: fc.Arbitrary<MeasureHints> = fc.oneof(
    fc.record({ isThorough: fc.boolean() }),
    fc.record({ likelyReferenceMs: fc.integer({ min: 0, max: 1000 }) }),
  );

  it('never reports a slowdown that the full times do not show', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(truth, { minLength: 2, maxLength: 4 }),
        rule,
        look,
        async (truths, own, how) => {
          const { run } = scripted(truths);
          const early = slowdownIn(await measureEarly([...truths.keys()], run, own, how), own);
          if (early === undefined) return;
          const full = await measureFully([...truths.keys()], run, own.timeoutMs);
          const newest = full.at(-1) as Run;
          // A version that gives up or fails after the threshold looks like a slow one.
          if (!['sat', 'unsat', 'timeout'].includes(newest.outcome)) {
            expect(newest.wallMs - early.referenceMs).toBeGreaterThan(thresholdOver(own, early.referenceMs));
          } else {
            expect(slowdownIn(full, own)).toMatchObject({
              reference: early.reference,
              referenceMs: early.referenceMs,
            });
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds every slowdown in the full times if an older version answers within the probe', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(truth, { minLength: 2, maxLength: 4 }),
        rule,
        look,
        async (truths, own, how) => {
          const { run, asked } = scripted(truths);
          const full = slowdownIn(await measureFully([...truths.keys()], run, own.timeoutMs), own);
          asked.length = 0;
          const early = slowdownIn(await measureEarly([...truths.keys()], run, own, how), own);
          const probeMs = how.likelyReferenceMs ?? asked[0]?.[1] ?? 0;
          if (full === undefined || full.referenceMs > probeMs) return;
          found++;
          expect(early).toMatchObject({ reference: full.reference, referenceMs: full.referenceMs });
        },
      ),
      {
        numRuns: 2000,
        examples: [[[quick, hard], { ...slowness, thresholdMs: 985, timeoutMs: 1000 }, {}]],
      },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('never runs longer than the timeout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(truth, { minLength: 2, maxLength: 4 }),
        rule,
        look,
        async (truths, own, how) => {
          const { run, asked } = scripted(truths);
          await measureEarly([...truths.keys()], run, own, how);
          for (const [, limitMs] of asked) expect(limitMs).toBeLessThanOrEqual(own.timeoutMs);
        },
      ),
    );
  });
});
