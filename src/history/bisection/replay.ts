/**
 * Simulates each bisection strategy on a known history: its builds, runs and results, and their times. SPRFinder's
 * Fig. 6 with one cost model for all. Every build costs the same, including a failing one. A run costs its level.
 */

import { type CaseId, caseIds } from '../../campaign/index.js';
import { usageFault } from '../../machine/index.js';
import type { Sensitivity } from '../measuring/levels.js';
import { plainBisect } from '../search/git-bisect.js';
import { type CaseStep, Localization } from '../search/localize.js';
import { RangeStack } from '../search/sprfinder.js';
import type { BisectSettings } from './settings.js';

/** The level of a case at each commit, in milliseconds. Undefined if it cannot be measured there. */
export type LevelTimeline = readonly (number | undefined)[];

export interface CommitHistory {
  readonly commits: number;
  /** Commits that do not build. */
  readonly broken: ReadonlySet<number>;
  readonly timelines: readonly LevelTimeline[];
}

export interface CostModel {
  readonly buildMs: number;
  /** The time of a run divided by its level. */
  readonly runFactor: number;
}

export type BisectStrategy = BisectSettings['strategy'];

export interface Replay {
  readonly strategy: BisectStrategy;
  readonly builds: number;
  readonly runs: number;
  /** The time of the end. */
  readonly endMs: number;
  /** For each case with a culprit, the time when its result was final. */
  readonly locatedMs: readonly number[];
  readonly steps: readonly CaseStep[];
}

export async function replay(
  history: CommitHistory,
  strategy: BisectStrategy,
  cost: CostModel,
  sensitivity: Sensitivity,
): Promise<Replay> {
  const clock = new ReplayClock(history, cost);
  const located = new Map<CaseId, number>();
  const steps = await searches[strategy]({ history, clock, located, sensitivity });
  const withStep = new Set(steps.map((step) => step.case));
  return {
    strategy,
    builds: clock.builds,
    runs: clock.runs,
    endMs: clock.ms,
    locatedMs: [...located]
      .filter(([id]) => withStep.has(id))
      .map(([, at]) => at)
      .toSorted((a, b) => a - b),
    steps,
  };
}

interface Search {
  readonly history: CommitHistory;
  readonly clock: ReplayClock;
  readonly located: Map<CaseId, number>;
  readonly sensitivity: Sensitivity;
}

const searches: Readonly<Record<BisectStrategy, (search: Search) => Promise<readonly CaseStep[]>>> = {
  batch: async ({ history, clock, located, sensitivity }) => {
    const { commits, timelines: courses } = history;
    const cases = caseIds(courses.length);
    const search = new Localization({
      commits,
      cases: courses.length,
      sensitivity,
      confidence: 0,
      mostSamples: 1,
    });
    const silent = usageFault('it says nothing');
    for (let request = search.next(); request !== undefined; request = search.next()) {
      const { commit } = request;
      if (!clock.build(commit)) search.passOver(commit, usageFault('it does not build'));
      else
        for (const id of cases) {
          const level = clock.run(id, commit);
          search.observe(
            id,
            commit,
            level === undefined
              ? { kind: 'unmeasured', fault: silent }
              : { kind: 'measured', samples: [level] },
          );
        }
      for (const id of cases) if (!located.has(id) && search.isLocated(id)) located.set(id, clock.ms);
    }
    return search.steps();
  },

  sprfinder: async ({ history, clock, located, sensitivity }) => {
    const { commits, timelines: courses } = history;
    const search = new RangeStack({ commits, cases: courses.length, least: sensitivity.least });
    for (let look = search.next(); look !== undefined; look = search.next()) {
      if (!clock.build(look.commit)) search.passOver(look.commit);
      else for (const id of look.cases) search.observe(id, look.commit, clock.run(id, look.commit));
      for (const id of caseIds(courses.length))
        if (!located.has(id) && search.isLocated(id)) located.set(id, clock.ms);
    }
    // Ranges of one commit on the stack need no further build.
    for (const id of caseIds(courses.length)) if (!located.has(id)) located.set(id, clock.ms);
    return search.steps();
  },

  'git-bisect': async ({ history, clock, located, sensitivity }) => {
    const { commits, timelines: courses } = history;
    const steps: CaseStep[] = [];
    for (const id of caseIds(courses.length)) {
      const levels = new Map<number, number>();
      const { at } = await plainBisect(commits, sensitivity.least, async (commit) => {
        // The levels at both ends are given.
        const isEnd = commit === 0 || commit === commits - 1;
        const level = isEnd ? courses[id]?.[commit] : clock.build(commit) ? clock.run(id, commit) : undefined;
        if (level !== undefined) levels.set(commit, level);
        return level;
      });
      if (at === undefined) continue;
      located.set(id, clock.ms);
      const before = Math.max(...[...levels.keys()].filter((commit) => commit < at));
      const [from, to] = [levels.get(before) ?? Number.NaN, levels.get(at) ?? Number.NaN];
      steps.push({ case: id, before, at, direction: 'slower', from, to });
    }
    return steps;
  },
};

/** Counts builds and runs, and adds up their costs. */
class ReplayClock {
  builds = 0;
  runs = 0;
  ms = 0;

  constructor(
    private readonly history: CommitHistory,
    private readonly cost: CostModel,
  ) {}

  /** Returns whether the commit builds. */
  build(commit: number): boolean {
    this.builds++;
    this.ms += this.cost.buildMs;
    return !this.history.broken.has(commit);
  }

  run(id: CaseId, commit: number): number | undefined {
    const level = this.history.timelines[id]?.[commit];
    this.runs++;
    this.ms += (level ?? 0) * this.cost.runFactor;
    return level;
  }
}
