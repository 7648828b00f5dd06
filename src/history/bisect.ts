/** A batch of slow cases and a line of commits in, the commits to blame out. */

import type { Build, Builds, Recipe } from '../builds/index.js';
import { Fault, usageFault } from '../machine/index.js';
import { type Commit, type Repository, short } from '../repository/index.js';
import type { BisectEvent, LookedEvent, VerifiedEvent } from './bisect-events.js';
import { feeder } from './feeder.js';
import { plainBisect } from './git-bisect.js';
import { levelOf, type Observation, type Sensitivity } from './levels.js';
import { Localization, type Step } from './localize.js';
import type { Measurer } from './measurer.js';
import { isRefuted, judged, sizeOf, type Verification, verifyingSamples } from './verification.js';

export interface BisectPlan {
  readonly repository: Repository;
  /** From the good commit to the bad one, both included. */
  readonly line: readonly string[];
  /** Look into what a merge brought in, where a merge is to blame. */
  readonly intoMerges: boolean;
  readonly recipe: Recipe;
  readonly builds: Builds;
  readonly measurer: Measurer;
  readonly sensitivity: Sensitivity;
  readonly confidence: number;
  /** `batch`: each build serves all cases. `git-bisect`: one case after the other, as the baseline. */
  readonly strategy: 'batch' | 'git-bisect';
  /** Builds at once, and compilers in each. */
  readonly slots: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** What was measured before, from a journal. */
  readonly known: readonly BisectEvent[];
  /** Told of everything that is measured, before anything follows from it. */
  readonly onEvent: (event: BisectEvent) => void;
  readonly onProgress?: (progress: BisectProgress) => void;
}

export interface BisectProgress {
  readonly looked: number;
  readonly remaining: number;
  readonly found: number;
  readonly doing: string;
}

/** A commit at which a case became slower or quicker. */
export interface Culprit extends Verification {
  readonly case: number;
  readonly commit: string;
  /** The commit before it that was looked at. */
  readonly before: string;
  /** Commits that may be to blame as well: they say nothing about the case. */
  readonly others: readonly string[];
  readonly direction: 'slower' | 'quicker';
  /** The merge that brought it in, if it is not on the line itself. */
  readonly merge?: string;
}

export interface Level {
  readonly level: number;
  readonly effort?: number | undefined;
}

export interface Bisection {
  readonly culprits: readonly Culprit[];
  /** Commits that were looked at, and those of them that were built for it. */
  readonly looked: number;
  readonly built: number;
  readonly failed: readonly { readonly commit: string; readonly why: string }[];
  /** How slow each case is at the good commit and at the bad one, as far as it says. */
  readonly ends: readonly { readonly good?: Level | undefined; readonly bad?: Level | undefined }[];
  /** Cases no commit was found for, and why. */
  readonly without: readonly { readonly case: number; readonly why: string }[];
}

/** The most measurements of one case at one commit. */
const mostSamples = 15;

export async function bisect(plan: BisectPlan): Promise<Bisection | Fault> {
  const work = new Work(plan);
  const culprits = await (plan.strategy === 'batch' ? work.batch() : work.oneAfterTheOther());
  return culprits instanceof Fault ? culprits : { culprits, ...work.summary(culprits) };
}

class Work {
  readonly #looked = new Map<string, LookedEvent>();
  /** Everything that was measured, in order. */
  readonly #events: BisectEvent[] = [];
  readonly #programs = new Map<string, Build>();
  #built = 0;
  #plainBuilds = 0;

  constructor(private readonly plan: BisectPlan) {
    for (const event of plan.known) this.#remember(event);
  }

  #remember(event: BisectEvent): void {
    this.#events.push(event);
    if (event.event !== 'looked') return;
    this.#looked.set(event.commit, event);
    if (event.isNew) this.#built++;
  }

  #tellAndRemember(event: BisectEvent): void {
    this.plan.onEvent(event);
    this.#remember(event);
  }

  /** All cases at once, until every step that is found is there when it is measured again. */
  batch(): Promise<readonly Culprit[] | Fault> {
    return this.#culpritsOn(this.plan.line);
  }

  /** Each case by itself, as the baseline does. */
  async oneAfterTheOther(): Promise<readonly Culprit[] | Fault> {
    const { line } = this.plan;
    const steps = await this.#locatePlainly(line);
    if (steps instanceof Fault) return steps;
    const culprits: Culprit[] = [];
    for (const step of steps) {
      const found = await this.#blame(step, line);
      if (found instanceof Fault) return found;
      if (found !== 'refuted') culprits.push(...found);
    }
    return culprits;
  }

  /**
   * What is found on a line. A busy moment of the machine can last through all measurements at a commit, but not
   * through those that are made before and after it in turns. Where these show no difference, they take the place of
   * what was measured before, and the steps are looked for again.
   */
  async #culpritsOn(
    line: readonly string[],
    within?: { readonly case: number; readonly merge: string },
  ): Promise<readonly Culprit[] | Fault> {
    for (;;) {
      const steps = await this.#locate(line, within?.case);
      if (steps instanceof Fault) return steps;
      const culprits: Culprit[] = [];
      const measuredBefore = this.#events.length;
      let isRefuted = false;
      for (const step of steps) {
        if (within !== undefined && line[step.at] === within.merge) continue;
        const found = await this.#blame(step, line, within?.merge);
        if (found instanceof Fault) return found;
        if (found === 'refuted') isRefuted = true;
        else culprits.push(...found);
      }
      // What was refuted before and is found once more would be found for ever.
      if (!isRefuted || this.#events.length === measuredBefore) return culprits;
    }
  }

  summary(culprits: readonly Culprit[]): Omit<Bisection, 'culprits'> {
    const looked = [...this.#looked.values()];
    return {
      looked: looked.length + this.#plainBuilds,
      built: this.#built,
      failed: looked.flatMap(({ commit, failed }) => (failed === undefined ? [] : [{ commit, why: failed }])),
      ends: this.#ends(),
      without: this.plan.strategy === 'batch' ? this.#casesWithout(culprits) : [],
    };
  }

  /** The steps of every case on a line of commits. */
  async #locate(line: readonly string[], only?: number): Promise<readonly Step[] | Fault> {
    const { measurer, sensitivity, confidence, slots } = this.plan;
    const search = new Localization({
      commits: line.length,
      cases: measurer.cases,
      sensitivity,
      confidence,
      mostSamples,
    });
    const isAsked = (one: number): boolean => only === undefined || one === only;
    const add = feeder(search, line, isAsked, (event) => this.#isRefuting(event));
    for (const event of this.#events) add(event);
    const isWhole = line === this.plan.line;
    for (let request = search.next(); request !== undefined; request = search.next()) {
      const broken = isWhole ? this.#brokenEnd() : undefined;
      if (broken !== undefined) return broken;
      this.plan.signal.throwIfAborted();
      this.#tell(
        search,
        request.kind === 'look' ? `building ${line[request.commit]?.slice(0, 10)}` : 'measuring again',
      );
      if (request.kind === 'repeat') {
        const seen = await this.#repeat(line[request.commit] as string, request.case);
        if (seen instanceof Fault) return seen;
        search.observe(request.case, request.commit, seen);
        continue;
      }
      const looks = slots > 1 ? search.looks(slots) : [];
      const commits =
        looks.length > 0 && search.hasLookedAt(0) && search.hasLookedAt(line.length - 1)
          ? looks
          : [request.commit];
      const events = await this.#look(commits.map((at) => line[at] as string));
      if (events instanceof Fault) return events;
      for (const event of events) add(event);
    }
    if (isWhole) {
      const broken = this.#brokenEnd();
      if (broken !== undefined) return broken;
    }
    return search.steps().filter((step) => isAsked(step.case));
  }

  #isRefuting(event: VerifiedEvent): boolean {
    return isRefuted(event, event.size ?? 0, this.plan.sensitivity);
  }

  /** Nothing can be found between ends of which one does not build. */
  #brokenEnd(): Fault | undefined {
    const { line } = this.plan;
    for (const [role, commit] of [
      ['good', line[0]],
      ['bad', line.at(-1)],
    ] as const) {
      const failed = this.#looked.get(commit ?? '')?.failed;
      if (failed !== undefined)
        return usageFault(
          `the ${role} commit ${short(commit ?? '')} does not build, so there is nothing to compare with: ${failed}`,
        );
    }
    return undefined;
  }

  #ends(): Bisection['ends'] {
    const { line, measurer } = this.plan;
    return Array.from({ length: measurer.cases }, (_, one) => ({
      good: asLevel(this.#seenAt(line[0], one)),
      bad: asLevel(this.#seenAt(line.at(-1), one)),
    }));
  }

  /** What was seen of a case when a commit was looked at, or later in turns if that was something else. */
  #seenAt(commit: string | undefined, one: number): Observation | undefined {
    const refuting = this.#refuting(one).findLast((event) => event.before === commit || event.at === commit);
    if (refuting === undefined) return this.#looked.get(commit ?? '')?.observations[one];
    const isBefore = refuting.before === commit;
    return {
      kind: 'measured',
      samples: isBefore ? refuting.beforeSamples : refuting.afterSamples,
      effort: isBefore ? refuting.beforeEffort : refuting.afterEffort,
    };
  }

  /** Where a case seemed to have a step and has none. */
  #refuting(one: number): readonly VerifiedEvent[] {
    return this.#events.filter(
      (event): event is VerifiedEvent =>
        event.event === 'verified' &&
        event.case === one &&
        isRefuted(event, event.size ?? 0, this.plan.sensitivity),
    );
  }

  /** Cases without a culprit, and what is seen of them at both ends. */
  #casesWithout(culprits: readonly Culprit[]): Bisection['without'] {
    const { line, measurer } = this.plan;
    const withStep = new Set(culprits.map((culprit) => culprit.case));
    return Array.from({ length: measurer.cases }, (_, one) => one)
      .filter((one) => !withStep.has(one))
      .map((one) => ({
        case: one,
        why: whyWithout(
          this.#seenAt(line[0], one),
          this.#seenAt(line.at(-1), one),
          this.#refuting(one).at(-1)?.at,
        ),
      }));
  }

  /** One case after the other; every look counts as a build, as it would be one. */
  async #locatePlainly(line: readonly string[]): Promise<readonly Step[] | Fault> {
    const { repository, recipe, builds, jobs, signal } = this.plan;
    for (const commit of [line[0], line.at(-1)] as string[]) {
      const build = await builds.build(repository, commit, recipe, { jobs, signal });
      if (build instanceof Fault) return build;
      if (build.kind === 'failed') return usageFault(`${short(commit)} does not build: ${build.why}`);
    }
    const steps: Step[] = [];
    for (let one = 0; one < this.plan.measurer.cases; one++) {
      const levels = new Map<number, number>();
      let fault: Fault | undefined;
      const { at, builds } = await plainBisect(line.length, async (commit) => {
        const seen = await this.#measure(line[commit] as string, one);
        if (seen instanceof Fault) fault = seen;
        if (seen instanceof Fault || seen.kind === 'silent') return undefined;
        levels.set(commit, levelOf(seen.samples));
        return levels.get(commit);
      });
      if (fault !== undefined) return fault;
      this.#plainBuilds += builds;
      if (at === undefined) continue;
      const before = Math.max(...[...levels.keys()].filter((commit) => commit < at));
      const [from, to] = [levels.get(before) ?? 0, levels.get(at) ?? 0];
      steps.push({ case: one, before, at, direction: 'slower', from, to });
    }
    return steps;
  }

  #tell(search: Localization, doing: string): void {
    this.plan.onProgress?.({
      looked: this.#looked.size,
      remaining: search.remaining,
      found: search.steps().length,
      doing,
    });
  }

  /** Builds commits side by side, then measures on them one after the other: a build beside it would disturb. */
  async #look(commits: readonly string[]): Promise<readonly LookedEvent[] | Fault> {
    const { repository, recipe, builds, jobs, signal, measurer } = this.plan;
    const share = Math.max(1, Math.floor(jobs / commits.length));
    const settled = await Promise.allSettled(
      commits.map((commit) => builds.build(repository, commit, recipe, { jobs: share, signal })),
    );
    // All of them have ended, whatever became of one.
    const made = settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    const events: LookedEvent[] = [];
    for (const [i, build] of made.entries()) {
      if (build instanceof Fault) return build;
      const commit = commits[i] as string;
      this.#programs.set(commit, build);
      const observations: Observation[] = [];
      if (build.kind === 'built')
        for (let one = 0; one < measurer.cases; one++)
          observations.push(await measurer.measure(build.program, one, signal));
      const event: LookedEvent = {
        event: 'looked',
        commit,
        buildMs: build.kind === 'built' ? build.ms : 0,
        isNew: build.kind === 'built' && build.isNew,
        observations: observations.map(written),
        ...(build.kind === 'failed' ? { failed: build.why } : {}),
      };
      // What was cut off is tried again when the bisection is gone on with.
      if (build.kind === 'built' || build.isLasting) this.plan.onEvent(event);
      this.#remember(event);
      events.push(event);
    }
    return events;
  }

  async #repeat(commit: string, one: number): Promise<Observation | Fault> {
    const seen = await this.#measure(commit, one);
    if (seen instanceof Fault) return seen;
    const observation = written(seen);
    const event: BisectEvent = { event: 'repeated', commit, case: one, observation };
    this.#tellAndRemember(event);
    // As it is written: a bisection that is gone on with must not decide otherwise.
    return observation;
  }

  async #measure(commit: string, one: number): Promise<Observation | Fault> {
    const { repository, recipe, builds, jobs, signal, measurer } = this.plan;
    const build =
      this.#programs.get(commit) ?? (await builds.build(repository, commit, recipe, { jobs, signal }));
    if (build instanceof Fault) return build;
    this.#programs.set(commit, build);
    return build.kind === 'failed'
      ? { kind: 'silent', why: build.why }
      : measurer.measure(build.program, one, signal);
  }

  /** The commits behind a step: itself, or what a merge brought in. */
  async #blame(
    step: Step,
    line: readonly string[],
    merge?: string,
  ): Promise<readonly Culprit[] | 'refuted' | Fault> {
    const { repository, intoMerges, signal } = this.plan;
    const [before, commit] = [line[step.before] as string, line[step.at] as string];
    const infos = await repository.commits([commit], signal);
    if (infos instanceof Fault) return infos;
    const [info] = infos;
    if (intoMerges && info !== undefined && info.parents.length > 1 && step.at - step.before === 1) {
      const inside = await this.#inside(info, step.case);
      if (inside instanceof Fault) return inside;
      if (inside.length > 0) return inside;
    }
    const verified = await this.#verify(step, before, commit);
    if (verified instanceof Fault) return verified;
    // The baseline takes what it has come to.
    if (this.plan.strategy === 'batch' && isRefuted(verified, sizeOf(step), this.plan.sensitivity))
      return 'refuted';
    return [
      {
        case: step.case,
        commit,
        before,
        others: line.slice(step.before + 1, step.at),
        direction: step.direction,
        ...judged(step, verified, this.plan.sensitivity),
        ...(merge === undefined ? {} : { merge }),
      },
    ];
  }

  /** Among the commits a merge brought in; none where the merge itself is to blame. */
  async #inside(merge: Commit, one: number): Promise<readonly Culprit[] | Fault> {
    const { repository, signal } = this.plan;
    const culprits: Culprit[] = [];
    const sides = await repository.sidesOf(merge, signal);
    if (sides instanceof Fault) return sides;
    for (const side of sides) {
      if (side.length < 2) continue;
      const found = await this.#culpritsOn([...side, merge.id], { case: one, merge: merge.id });
      if (found instanceof Fault) return found;
      culprits.push(...found);
    }
    return culprits;
  }

  /** Both sides of a step in turns, unless that was done before. */
  async #verify({ case: one, ...step }: Step, before: string, at: string): Promise<VerifiedEvent | Fault> {
    const known = this.#events.find(
      (event): event is VerifiedEvent =>
        event.event === 'verified' && event.case === one && event.before === before && event.at === at,
    );
    if (known !== undefined) return known;
    const samples: Record<'before' | 'after', number[]> = { before: [], after: [] };
    const efforts: Partial<Record<'before' | 'after', number>> = {};
    for (let round = 0; round < verifyingSamples; round++) {
      const order = round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
      for (const side of order) {
        const seen = await this.#measure(side === 'before' ? before : at, one);
        if (seen instanceof Fault) return seen;
        if (seen.kind === 'silent') continue;
        samples[side].push(...seen.samples);
        if (seen.effort !== undefined) efforts[side] = seen.effort;
      }
    }
    const event: VerifiedEvent = {
      event: 'verified',
      case: one,
      before,
      at,
      size: sizeOf(step),
      beforeSamples: samples.before,
      afterSamples: samples.after,
      beforeEffort: efforts.before,
      afterEffort: efforts.after,
    };
    this.#tellAndRemember(event);
    return event;
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
  if (good.kind === 'silent') return `it says nothing at the good commit: ${good.why}`;
  if (bad.kind === 'silent') return `it says nothing at the bad commit: ${bad.why}`;
  if (refuted !== undefined)
    return `it seemed to change at ${short(refuted)}, and did not when both sides were measured in turns`;
  return 'it is as quick at the bad commit as at the good one, as far as can be told from the noise';
}

function written(seen: Observation): LookedEvent['observations'][number] {
  return seen.kind === 'silent'
    ? seen
    : { ...seen, samples: seen.samples.map((one) => Number(one.toPrecision(6))) };
}
