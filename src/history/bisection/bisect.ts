/** Finds the commits to blame for a batch of slow cases on a line of commits. */

import { type CaseId, caseIds } from '../../campaign/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import { type Commit, shortId } from '../../repository/index.js';
import { levelOf, type Observation } from '../measuring/levels.js';
import { MeasuredCommits, type MeasuringPlan } from '../measuring/measured-commits.js';
import { type CaseStep, Localization } from '../search/localize.js';
import { type PublishedSearch, searchByAlgorithm2, searchByGitBisect } from '../search/published-searches.js';
import type { BisectProgress, CommitNews } from './bisect-progress.js';
import type { Bisection, Culprit, Level } from './bisection.js';
import { feeder } from './feeder.js';
import type { BisectSettings } from './settings.js';
import { isRefuted, judged, sizeOf } from './verification.js';

export interface BisectPlan extends Omit<MeasuringPlan, 'onNews'> {
  /** From the good commit to the bad one, both included. */
  readonly line: readonly string[];
  /** If a merge is to blame, search the commits that it brought in. */
  readonly intoMerges: boolean;
  readonly confidence: number;
  /**
   * `batch`: each build serves all cases. `sprfinder`: as published, each build serves the cases of one range.
   * `git-bisect`: the baseline, one case after the other.
   */
  readonly strategy: BisectSettings['strategy'];
  /** The number of builds at once. */
  readonly slots: number;
  readonly onProgress?: ((progress: BisectProgress) => void) | undefined;
}

/** The maximum number of measurements of one case at one commit. */
const mostSamples = 15;

export async function bisect(plan: BisectPlan): Promise<Bisection | Fault> {
  const [good, bad] = [plan.line[0], plan.line.at(-1)];
  if (good === undefined || bad === undefined) return usageFault('there is no commit to test');
  const search = new CulpritSearch(plan, good, bad);
  const culprits = await (plan.strategy === 'batch' ? search.batch() : search.asPublished(plan.strategy));
  return culprits instanceof Fault ? culprits : { culprits, ...search.summary(culprits) };
}

class CulpritSearch {
  readonly #commits: MeasuredCommits;
  readonly #cases: readonly CaseId[];
  #plainBuilds = 0;
  /** The remaining work and the steps found, according to the current search. */
  #state: () => { readonly remaining: number; readonly found: number } = () => ({ remaining: 0, found: 0 });

  constructor(
    private readonly plan: BisectPlan,
    private readonly good: string,
    private readonly bad: string,
  ) {
    this.#commits = new MeasuredCommits({ ...plan, onNews: (news) => this.#tell(news) });
    this.#cases = caseIds(plan.measurer.cases);
  }

  /** Searches all cases at once, until every step found is confirmed by a second measurement. */
  batch(): Promise<readonly Culprit[] | Fault> {
    return this.#culpritsOn(this.plan.line);
  }

  /**
   * Runs a published search. Its result is returned even if the second measurement does not confirm it, and is marked
   * so.
   */
  async asPublished(strategy: 'sprfinder' | 'git-bisect'): Promise<readonly Culprit[] | Fault> {
    const { line, sensitivity, signal } = this.plan;
    const search: PublishedSearch = {
      commits: this.#commits,
      line,
      cases: this.#cases,
      least: sensitivity.least,
      signal,
      onState: (remaining, found) => {
        this.#state = () => ({ remaining, found });
      },
      onLooked: (commit) => this.#tell({ kind: 'looked at', commit }),
      brokenEnd: () => this.#brokenEnd(),
    };
    const steps = await (strategy === 'sprfinder' ? searchByAlgorithm2(search) : this.#locatePlainly(search));
    if (steps instanceof Fault) return steps;
    const culprits: Culprit[] = [];
    for (const step of steps) {
      const found = await this.#blame(step, line);
      if (found instanceof Fault) return found;
      if (found !== 'refuted') culprits.push(...found);
    }
    return culprits;
  }

  /** git needs a good and a bad commit; both are built for it. */
  async #locatePlainly(search: PublishedSearch): Promise<readonly CaseStep[] | Fault> {
    for (const commit of [this.good, this.bad]) {
      const build = await this.#commits.buildOf(commit);
      if (build instanceof Fault) return build;
      if (build.kind === 'failed') return usageFault(`${shortId(commit)} does not build: ${build.why}`);
    }
    const found = await searchByGitBisect(search);
    if (found instanceof Fault) return found;
    this.#plainBuilds = found.builds;
    return found.steps;
  }

  /**
   * The culprits on a line. A busy moment of the machine can last through all measurements at a commit, but not
   * through interleaved measurements before and after it. If those show no difference, they replace the earlier
   * measurements, and the search runs again.
   */
  async #culpritsOn(
    line: readonly string[],
    within?: { readonly case: CaseId; readonly merge: string },
  ): Promise<readonly Culprit[] | Fault> {
    for (;;) {
      const steps = await this.#locate(line, within?.case);
      if (steps instanceof Fault) return steps;
      const culprits: Culprit[] = [];
      const measuredBefore = this.#commits.events.length;
      let isRefuted = false;
      for (const step of steps) {
        if (within !== undefined && line[step.at] === within.merge) continue;
        const found = await this.#blame(step, line, within?.merge);
        if (found instanceof Fault) return found;
        if (found === 'refuted') isRefuted = true;
        else culprits.push(...found);
      }
      // A step that was refuted and found again without new measurements would be found forever.
      if (!isRefuted || this.#commits.events.length === measuredBefore) return culprits;
    }
  }

  summary(culprits: readonly Culprit[]): Omit<Bisection, 'culprits'> {
    const { looked, built } = this.#commits;
    return {
      looked: looked.length + this.#plainBuilds,
      built,
      failed: looked.flatMap(({ commit, failed }) => (failed === undefined ? [] : [{ commit, why: failed }])),
      ends: this.#cases.map((id) => ({
        good: asLevel(this.#commits.seenAt(this.good, id)),
        bad: asLevel(this.#commits.seenAt(this.bad, id)),
      })),
      without: this.#casesWithout(culprits),
    };
  }

  /** The steps of every case on a line of commits. */
  async #locate(line: readonly string[], only?: CaseId): Promise<readonly CaseStep[] | Fault> {
    const { sensitivity, confidence } = this.plan;
    const search = new Localization({
      commits: line.length,
      cases: this.#cases.length,
      sensitivity,
      confidence,
      mostSamples,
    });
    const isAsked = (id: CaseId): boolean => only === undefined || id === only;
    const feed = feeder(search, line, isAsked, (event) => this.#commits.isRefuting(event));
    for (const event of this.#commits.events) feed(event);
    const isWhole = line === this.plan.line;
    this.#state = () => ({ remaining: search.remaining, found: search.steps().length });
    for (let request = search.next(); request !== undefined; request = search.next()) {
      const broken = isWhole ? this.#brokenEnd() : undefined;
      if (broken !== undefined) return broken;
      this.plan.signal.throwIfAborted();
      const commit = commitAt(line, request.commit);
      if (request.kind === 'repeat') {
        this.#progress(`measuring again on ${shortId(commit)}`);
        const seen = await this.#commits.repeat(commit, request.case);
        if (seen instanceof Fault) return seen;
        search.observe(request.case, request.commit, seen);
        continue;
      }
      const events = await this.#commits.look(this.#nextLooks(search, line) ?? [commit]);
      if (events instanceof Fault) return events;
      for (const event of events) {
        feed(event);
        this.#tell({ kind: 'looked at', commit: event.commit });
      }
    }
    if (isWhole) {
      const broken = this.#brokenEnd();
      if (broken !== undefined) return broken;
    }
    return search.steps().filter((step) => isAsked(step.case));
  }

  /** Several commits to build at once. Undefined if only one slot exists or if the ends are not measured yet. */
  #nextLooks(search: Localization, line: readonly string[]): readonly string[] | undefined {
    const { slots } = this.plan;
    if (slots <= 1 || !search.isTested(0) || !search.isTested(line.length - 1)) return undefined;
    const looks = search.nextCommits(slots);
    return looks.length === 0 ? undefined : looks.map((at) => commitAt(line, at));
  }

  /** The search needs both ends to build. */
  #brokenEnd(): Fault | undefined {
    for (const [role, commit] of [
      ['good', this.good],
      ['bad', this.bad],
    ] as const) {
      const failed = this.#commits.failureOf(commit);
      if (failed !== undefined)
        return usageFault(
          `the ${role} commit ${shortId(commit)} does not build, so there is nothing to compare with: ${failed}`,
        );
    }
    return undefined;
  }

  /** Cases without a culprit, with their measurements at both ends. */
  #casesWithout(culprits: readonly Culprit[]): Bisection['without'] {
    const withStep = new Set(culprits.map((culprit) => culprit.case));
    return this.#cases
      .filter((id) => !withStep.has(id))
      .map((id) => ({
        case: id,
        why: whyWithout(
          this.#commits.seenAt(this.good, id),
          this.#commits.seenAt(this.bad, id),
          this.#commits.refuting(id).at(-1)?.at,
        ),
      }));
  }

  #tell(news: CommitNews): void {
    this.#progress(doingOf(news), news);
  }

  #progress(doing: string, news?: CommitNews): void {
    this.plan.onProgress?.({
      commits: this.plan.line.length,
      looked: this.#commits.looked.length,
      ...this.#state(),
      doing,
      news,
    });
  }

  /** The commits behind a step: the commit itself, or the commits that a merge brought in. */
  async #blame(
    step: CaseStep,
    line: readonly string[],
    merge?: string,
  ): Promise<readonly Culprit[] | 'refuted' | Fault> {
    const { repository, intoMerges, sensitivity, signal } = this.plan;
    const [before, commit] = [commitAt(line, step.before), commitAt(line, step.at)];
    const infos = await repository.commits([commit], signal);
    if (infos instanceof Fault) return infos;
    const [info] = infos;
    if (intoMerges && info !== undefined && info.parents.length > 1 && step.at - step.before === 1) {
      const inside = await this.#inside(info, step.case);
      if (inside instanceof Fault) return inside;
      if (inside.length > 0) return inside;
    }
    this.#tell({ kind: 'verifying', commit });
    const verified = await this.#commits.verify(step, before, commit);
    if (verified instanceof Fault) return verified;
    // The baselines return what they found.
    if (this.plan.strategy === 'batch' && isRefuted(verified, sizeOf(step), sensitivity)) return 'refuted';
    return [
      {
        case: step.case,
        commit,
        before,
        others: line.slice(step.before + 1, step.at),
        direction: step.direction,
        ...judged(step, verified, sensitivity),
        merge,
      },
    ];
  }

  /** The culprits among the commits that a merge brought in. Empty if the merge itself is to blame. */
  async #inside(merge: Commit, id: CaseId): Promise<readonly Culprit[] | Fault> {
    const { repository, signal } = this.plan;
    const culprits: Culprit[] = [];
    const sides = await repository.sidesOf(merge, signal);
    if (sides instanceof Fault) return sides;
    for (const side of sides) {
      if (side.length < 2) continue;
      const found = await this.#culpritsOn([...side, merge.id], { case: id, merge: merge.id });
      if (found instanceof Fault) return found;
      culprits.push(...found);
    }
    return culprits;
  }
}

function commitAt(line: readonly string[], at: number): string {
  const commit = line[at];
  if (commit === undefined) throw new RangeError(`the line has no commit ${at}`);
  return commit;
}

function doingOf({ kind, commit }: CommitNews): string {
  switch (kind) {
    case 'build begins':
      return `building ${shortId(commit)}`;
    case 'build ended':
      return `running the cases on ${shortId(commit)}`;
    case 'looked at':
      return `looked at ${shortId(commit)}`;
    case 'verifying':
      return `measuring both sides of ${shortId(commit)} in turns`;
  }
}

function asLevel(seen: Observation | undefined): Level | undefined {
  return seen?.kind === 'measured' ? { level: levelOf(seen.samples), effort: seen.effort } : undefined;
}

function whyWithout(
  good: Observation | undefined,
  bad: Observation | undefined,
  refuted: string | undefined,
): string {
  if (good === undefined || bad === undefined) return 'it was not run at both ends';
  if (good.kind === 'unmeasured') return `it says nothing at the good commit: ${good.fault.message}`;
  if (bad.kind === 'unmeasured') return `it says nothing at the bad commit: ${bad.fault.message}`;
  if (refuted !== undefined)
    return `it seemed to change at ${shortId(refuted)}, and did not when both sides were measured in turns`;
  return 'it is as quick at the bad commit as at the good one, as far as can be told from the noise';
}
