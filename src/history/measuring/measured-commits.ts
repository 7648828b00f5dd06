/** Builds and measures the commits of a bisection, and records all measurements in order. */

import type { Build, Builds, PartialBuilds, Recipe } from '../../builds/index.js';
import { type CaseId, caseIds } from '../../campaign/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import {
  asWritten,
  type BisectEvent,
  fromWritten,
  type LookedEvent,
  type VerifiedEvent,
} from '../bisection/bisect-events.js';
import type { CommitNews } from '../bisection/bisect-progress.js';
import { isRefuted, isSettled, sizeOf, verifyingRounds } from '../bisection/verification.js';
import type { CaseStep } from '../search/localize.js';
import type { Observation, Sensitivity } from './levels.js';
import type { Measurer } from './measurer.js';

export interface MeasuringPlan {
  readonly repository: Repository;
  readonly recipe: Recipe;
  readonly builds: Builds;
  /** Builds only the part of each commit that the cases need. */
  readonly partial?: Pick<PartialBuilds, 'build' | 'buildMore' | 'isPartial'> | undefined;
  readonly measurer: Measurer;
  readonly sensitivity: Sensitivity;
  /** The number of parallel compilers. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Earlier measurements, from a journal. */
  readonly known: readonly BisectEvent[];
  /** Called with each measurement before it is used. */
  readonly onEvent: (event: BisectEvent) => void;
  /** Called at the start and the end of each build. */
  readonly onNews?: ((news: CommitNews) => void) | undefined;
}

export class MeasuredCommits {
  readonly #looked = new Map<string, LookedEvent>();
  readonly #events: BisectEvent[] = [];
  readonly #programs = new Map<string, Build>();
  /** Larger builds of a commit, by the partial program that was not enough. */
  readonly #fuller = new Map<string, Promise<Build | Fault>>();
  /** Commits of which a case needs more than could be built this time. */
  readonly #cutOff = new Set<string>();
  #built = 0;

  constructor(private readonly plan: MeasuringPlan) {
    for (const event of plan.known) this.#remember(event);
  }

  get events(): readonly BisectEvent[] {
    return this.#events;
  }

  /** Commits on which every case was run, or which could not be built. */
  get looked(): readonly LookedEvent[] {
    return [...this.#looked.values()];
  }

  /** The number of commits that were not cached. */
  get built(): number {
    return this.#built;
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

  /** The reason why a commit does not build. Undefined if it builds or has not been tested. */
  failureOf(commit: string): string | undefined {
    return this.#looked.get(commit)?.failed;
  }

  /** The measurement of a case at a commit, or the later interleaved measurement if that refuted it. */
  seenAt(commit: string, id: CaseId): Observation | undefined {
    const refuting = this.refuting(id).findLast((event) => event.before === commit || event.at === commit);
    if (refuting === undefined) return this.#firstSeen(commit, id);
    const isBefore = refuting.before === commit;
    return {
      kind: 'measured',
      samples: isBefore ? refuting.beforeSamples : refuting.afterSamples,
      effort: isBefore ? refuting.beforeEffort : refuting.afterEffort,
    };
  }

  /** The measurements that refuted a step of a case. */
  refuting(id: CaseId): readonly VerifiedEvent[] {
    return this.#events.filter(
      (event): event is VerifiedEvent =>
        event.event === 'verified' && event.case === id && this.isRefuting(event),
    );
  }

  isRefuting(event: VerifiedEvent): boolean {
    return isRefuted(event, event.size ?? 0, this.plan.sensitivity);
  }

  /**
   * Builds commits in parallel, then measures on them one after the other: a parallel build would disturb the times.
   */
  async look(commits: readonly string[]): Promise<readonly LookedEvent[] | Fault> {
    const share = Math.max(1, Math.floor(this.plan.jobs / commits.length));
    const settled = await Promise.allSettled(
      commits.map(async (commit) => ({ commit, build: await this.#build(commit, share) })),
    );
    // All builds have ended, even if one failed.
    const made = settled.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
    const events: LookedEvent[] = [];
    for (const { commit, build } of made) {
      if (build instanceof Fault) return build;
      this.#programs.set(commit, build);
      const event = await this.#lookedEvent(commit, build);
      if (event instanceof Fault) return event;
      // A build that was cut off is repeated when the bisection is resumed.
      if (this.#isLasting(commit, build)) this.plan.onEvent(event);
      this.#remember(event);
      events.push(event);
    }
    return events;
  }

  /** Whether a repeated test of the commit would have the same result. */
  #isLasting(commit: string, build: Build): boolean {
    return build.kind === 'built' ? !this.#cutOff.has(commit) : build.isLasting;
  }

  async #lookedEvent(commit: string, build: Build): Promise<LookedEvent | Fault> {
    const { measurer } = this.plan;
    if (build.kind === 'failed')
      return { event: 'looked', commit, buildMs: 0, isNew: false, observations: [], failed: build.why };
    const observations: LookedEvent['observations'] = [];
    const ids = caseIds(measurer.cases);
    const measure = (id: CaseId) => this.#measured(commit, build, id);
    const seen: (Observation | Fault)[] = [];
    if (measurer.isExact === true) seen.push(...(await Promise.all(ids.map(measure))));
    else for (const id of ids) seen.push(await measure(id));
    for (const one of seen) {
      if (one instanceof Fault) return one;
      observations.push(asWritten(one));
    }
    return { event: 'looked', commit, buildMs: build.ms, isNew: build.isNew, observations };
  }

  /** Builds a commit and runs some of the cases on it, unless they are measured already. */
  async lookFor(
    commit: string,
    ids: readonly CaseId[],
  ): Promise<readonly (readonly [CaseId, Observation])[] | 'failed' | Fault> {
    if (!this.#looked.has(commit)) {
      if (ids.length === this.plan.measurer.cases) {
        const events = await this.look([commit]);
        if (events instanceof Fault) return events;
      } else {
        const build = await this.buildOf(commit);
        if (build instanceof Fault) return build;
        const event: LookedEvent | Fault =
          build.kind === 'failed'
            ? await this.#lookedEvent(commit, build)
            : { event: 'looked', commit, buildMs: build.ms, isNew: build.isNew, observations: [] };
        if (event instanceof Fault) return event;
        if (this.#isLasting(commit, build)) this.plan.onEvent(event);
        this.#remember(event);
      }
    }
    if (this.failureOf(commit) !== undefined) return 'failed';
    const seen: (readonly [CaseId, Observation])[] = [];
    for (const id of ids) {
      const observation = this.#firstSeen(commit, id) ?? (await this.repeat(commit, id));
      if (observation instanceof Fault) return observation;
      seen.push([id, observation]);
    }
    return seen;
  }

  /** The first measurement of a case at a commit. */
  #firstSeen(commit: string, id: CaseId): Observation | undefined {
    const looked = this.#looked.get(commit)?.observations[id];
    if (looked !== undefined) return fromWritten(looked);
    const repeated = this.#events.find(
      (event) => event.event === 'repeated' && event.commit === commit && event.case === id,
    );
    return repeated?.event === 'repeated' ? fromWritten(repeated.observation) : undefined;
  }

  #build(commit: string, jobs: number): Promise<Build | Fault> {
    const { repository, recipe, builds, partial, signal } = this.plan;
    return this.#told(
      commit,
      () => partial?.build(commit, jobs) ?? builds.build(repository, commit, recipe, { jobs, signal }),
    );
  }

  async #told(commit: string, make: () => Promise<Build | Fault>): Promise<Build | Fault> {
    const { onNews } = this.plan;
    onNews?.({ kind: 'build begins', commit });
    const startedAt = performance.now();
    const build = await make();
    if (build instanceof Fault) return build;
    const ms = performance.now() - startedAt;
    const isNew = build.kind === 'built' && build.isNew;
    const failed = build.kind === 'failed' ? build.why : undefined;
    onNews?.({ kind: 'build ended', commit, ms, isNew, failed });
    return build;
  }

  /** Measures a case at a commit again. */
  async repeat(commit: string, id: CaseId): Promise<Observation | Fault> {
    const seen = await this.measure(commit, id);
    if (seen instanceof Fault) return seen;
    const observation = asWritten(seen);
    this.#tellAndRemember({ event: 'repeated', commit, case: id, observation });
    // Rounded as in the journal, so that a resumed bisection decides the same.
    return fromWritten(observation);
  }

  /** The build of a commit, cached or new. */
  async buildOf(commit: string): Promise<Build | Fault> {
    const build = this.#programs.get(commit) ?? (await this.#build(commit, this.plan.jobs));
    if (!(build instanceof Fault)) this.#programs.set(commit, build);
    return build;
  }

  /** Measures a case at a commit without recording it. */
  async measure(commit: string, id: CaseId): Promise<Observation | Fault> {
    const build = await this.buildOf(commit);
    if (build instanceof Fault) return build;
    return build.kind === 'failed'
      ? { kind: 'unmeasured', fault: usageFault(build.why) }
      : this.#measured(commit, build, id);
  }

  /** If a case breaks on a partial build, more of the commit is built. */
  async #measured(commit: string, build: Build, id: CaseId): Promise<Observation | Fault> {
    const { measurer, partial, signal } = this.plan;
    for (let current = build; ; ) {
      if (current.kind === 'failed') return { kind: 'unmeasured', fault: usageFault(current.why) };
      const { program } = current;
      const seen = await measurer.measure(program, id, signal);
      if (seen.kind === 'measured' || seen.isSearched || partial?.isPartial(program) !== true) return seen;
      // Another case may have needed the same.
      const next = this.#fuller.get(program) ?? this.#builtFuller(commit, program, seen.missing, partial);
      this.#fuller.set(program, next);
      const fuller = await next;
      if (fuller instanceof Fault) return fuller;
      // If no more can be built, the partial program still serves the cases that need no more.
      if (fuller.kind === 'built') this.#programs.set(commit, fuller);
      else if (!fuller.isLasting) this.#cutOff.add(commit);
      current = fuller;
    }
  }

  /** Builds one at a time: a build for one case serves the others too. */
  #builtFuller(
    commit: string,
    program: string,
    missing: number | undefined,
    partial: Pick<PartialBuilds, 'buildMore'>,
  ): Promise<Build | Fault> {
    return this.#told(commit, () => partial.buildMore(commit, program, missing, this.plan.jobs));
  }

  /** Measures both sides of a step interleaved until the result is certain, unless that is recorded already. */
  async verify(step: CaseStep, before: string, at: string): Promise<VerifiedEvent | Fault> {
    const { case: id } = step;
    const known = this.#events.find(
      (event): event is VerifiedEvent =>
        event.event === 'verified' && event.case === id && event.before === before && event.at === at,
    );
    if (known !== undefined) return known;
    const { sensitivity } = this.plan;
    const rounds = verifyingRounds(sensitivity);
    let verified: VerifiedEvent = {
      event: 'verified',
      case: id,
      before,
      at,
      size: sizeOf(step),
      beforeSamples: [],
      afterSamples: [],
    };
    for (let asked = rounds; ; asked += rounds) {
      const measured = await this.#inTurns(verified, rounds);
      if (measured instanceof Fault) return measured;
      verified = measured;
      const { beforeSamples, afterSamples } = verified;
      // A side that cannot be measured will not be measurable next time.
      const isSilent = Math.min(beforeSamples.length, afterSamples.length) < asked;
      if (isSilent || isSettled(step, verified, sensitivity)) break;
    }
    this.#tellAndRemember(verified);
    return verified;
  }

  /** Adds this number of interleaved rounds to the measurements of a step. */
  async #inTurns(verified: VerifiedEvent, rounds: number): Promise<VerifiedEvent | Fault> {
    const samples = { before: [...verified.beforeSamples], after: [...verified.afterSamples] };
    const efforts = { before: verified.beforeEffort, after: verified.afterEffort };
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
      for (const side of order) {
        const seen = await this.measure(side === 'before' ? verified.before : verified.at, verified.case);
        if (seen instanceof Fault) return seen;
        if (seen.kind === 'unmeasured') continue;
        samples[side].push(...seen.samples);
        if (seen.effort !== undefined) efforts[side] = seen.effort;
      }
    }
    return {
      ...verified,
      beforeSamples: samples.before,
      afterSamples: samples.after,
      beforeEffort: efforts.before,
      afterEffort: efforts.after,
    };
  }
}
