/** Partially built commits, and cases that need more parts. */

import { describe, expect, it } from 'vitest';
import type { Build } from '../../src/builds/index.js';
import { Builds, recipeSchema } from '../../src/builds/index.js';
import type { CaseId } from '../../src/campaign/index.js';
import type { BisectEvent } from '../../src/history/bisection/bisect-events.js';
import type { Observation } from '../../src/history/measuring/levels.js';
import { MeasuredCommits, type MeasuringPlan } from '../../src/history/measuring/measured-commits.js';
import { usageFault } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();
const built = (program: string): Build => ({ kind: 'built', program, ms: 1, isNew: true });
const silent = (why: string, missing?: number): Observation => ({
  kind: 'unmeasured',
  fault: usageFault(why),
  missing,
});

/** The results of each case per program, and the program that replaces one with missing parts. */
async function planFor(
  seen: Readonly<Record<string, readonly Observation[]>>,
  fuller: Readonly<Record<string, string | Build>>,
): Promise<{ plan: MeasuringPlan; asked: (string | number | undefined)[][]; events: BisectEvent[] }> {
  const source = temporaryFolder('measured-commits');
  initRepository(source);
  commitFiles(source, { file: 'one' });
  const asked: (string | number | undefined)[][] = [];
  const events: BisectEvent[] = [];
  const plan: MeasuringPlan = {
    repository: withoutFault(await Repository.open(source)),
    recipe: recipeSchema.parse({ build: ['true'], binary: 'file' }),
    builds: new Builds(source),
    partial: {
      build: async () => built('part'),
      buildMore: async (_, program, missing) => {
        asked.push([program, missing]);
        const next = fuller[program] ?? 'whole';
        return typeof next === 'string' ? built(next) : next;
      },
      isPartial: (program) => program !== 'whole',
    },
    measurer: {
      cases: seen.part?.length ?? 0,
      isExact: true,
      measure: async (program: string, id: CaseId) => seen[program]?.[id] ?? silent('no such program'),
    },
    sensitivity: { least: 1, noise: 0, share: 0.2 },
    jobs: 1,
    signal,
    known: [],
    onEvent: (event) => events.push(event),
  };
  return { plan, asked, events };
}

const level = (effort: number): Observation => ({ kind: 'measured', samples: [effort] });

describe('a partially built commit', () => {
  it('is extended once for all cases that lack the same part', async () => {
    const lacking = silent('not compiled', 3);
    const { plan, asked, events } = await planFor(
      { part: [level(1), lacking, lacking], more: [level(1), level(2), level(3)] },
      { part: 'more' },
    );
    const commits = new MeasuredCommits(plan);
    await commits.look(['a']);
    expect(asked).toEqual([['part', 3]]);
    expect(events).toMatchObject([
      { event: 'looked', observations: [{ samples: [1] }, { samples: [2] }, { samples: [3] }] },
    ]);
    expect(commits.built).toBe(1);
  });

  it('is extended until no part is missing', async () => {
    const { plan, asked } = await planFor(
      { part: [silent('not compiled', 1)], more: [silent('not compiled', 2)], most: [level(9)] },
      { part: 'more', more: 'most' },
    );
    const commits = new MeasuredCommits(plan);
    expect(withoutFault(await commits.measure('a', 0 as CaseId))).toEqual(level(9));
    expect(asked).toEqual([
      ['part', 1],
      ['more', 2],
    ]);
    // Later measurements use the last build.
    expect(withoutFault(await commits.measure('a', 0 as CaseId))).toEqual(level(9));
    expect(asked).toHaveLength(2);
  });

  it('is measured partially if the whole does not build, for cases without missing parts', async () => {
    const failed: Build = { kind: 'failed', why: 'no', log: 'log', isLasting: true };
    const { plan, events } = await planFor({ part: [level(1), silent('not compiled', 1)] }, { part: failed });
    const commits = new MeasuredCommits(plan);
    await commits.look(['a']);
    expect(events).toMatchObject([
      { event: 'looked', observations: [{ samples: [1] }, { why: expect.stringContaining('no') }] },
    ]);
    expect(withoutFault(await commits.measure('a', 0 as CaseId))).toEqual(level(1));
    expect(withoutFault(await commits.measure('a', 1 as CaseId))).toMatchObject({ kind: 'unmeasured' });
  });

  it('is not stored if the machine failed to build a required part', async () => {
    const cutOff: Build = { kind: 'failed', why: 'too late', log: 'log', isLasting: false };
    const { plan, events } = await planFor({ part: [level(1), silent('not compiled', 1)] }, { part: cutOff });
    const commits = new MeasuredCommits(plan);
    expect(await commits.look(['a'])).toMatchObject([{ observations: [{ samples: [1] }, {}] }]);
    expect(events).toEqual([]);
  });

  it('counts as measured if the solver gives up without reporting a missing part', async () => {
    const givesUp: Observation = { kind: 'unmeasured', fault: usageFault('it gives up'), isSearched: true };
    const { plan, asked } = await planFor({ part: [givesUp] }, {});
    const seen = withoutFault(await new MeasuredCommits(plan).measure('a', 0 as CaseId));
    expect(seen).toMatchObject({ kind: 'unmeasured' });
    expect(asked).toEqual([]);
  });

  it('is unmeasurable for a case only if the whole build is too', async () => {
    const { plan, asked } = await planFor(
      { part: [silent('it crashes')], whole: [silent('it crashes')] },
      {},
    );
    const seen = withoutFault(await new MeasuredCommits(plan).measure('a', 0 as CaseId));
    expect(seen).toMatchObject({ kind: 'unmeasured' });
    expect(asked).toEqual([['part', undefined]]);
  });
});
