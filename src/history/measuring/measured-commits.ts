/** The commits of a bisection, built and measured, and everything that was measured on them, in order. */

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
  /** Only as much of each commit is built as the cases need. */
  readonly partial?: Pick<PartialBuilds, 'build' | 'buildMore' | 'isPartial'> | undefined;
  readonly measurer: Measurer;
  readonly sensitivity: Sensitivity;
  /** Compilers at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** What was measured before, from a journal. */
  readonly known: readonly BisectEvent[];
  /** Told of everything that is measured, before anything follows from it. */
  readonly onEvent: (event: BisectEvent) => void;
  /** Told when a build begins and when it has ended. */
  readonly onNews?: ((news: CommitNews) => void) | undefined;
}

export class MeasuredCommits {
  readonly #looked = new Map<string, LookedEvent>();
  readonly #events: BisectEvent[] = [];
  readonly #programs = new Map<string, Build>();
  /** Builds of more than a part of a commit, by the program that lacked it. */
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

  /** Commits on which every case was run, and those that could not be built. */
  get looked(): readonly LookedEvent[] {
    return [...this.#looked.values()];
  }

  /** How many were built for it. */
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

  /** Why a commit could not be built; undefined if it was, or was not looked at yet. */
  failureOf(commit: string): string | undefined {
    return this.#looked.get(commit)?.failed;
  }

  /** What was seen of a case when a commit was looked at, or later in turns if that was something else. */
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

  /** Where a case seemed to have a step and has none. */
  refuting(id: CaseId): readonly VerifiedEvent[] {
    return this.#events.filter(
      (event): event is VerifiedEvent =>
        event.event === 'verified' && event.case === id && this.isRefuting(event),
    );
  }

  isRefuting(event: VerifiedEvent): boolean {
    return isRefuted(event, event.size ?? 0, this.plan.sensitivity);
  }

  /** Builds commits side by side, then measures on them one after the other: a build beside it would disturb. */
  async look(commits: readonly string[]): Promise<readonly LookedEvent[] | Fault> {
    const share = Math.max(1, Math.floor(this.plan.jobs / commits.length));
    const settled = await Promise.allSettled(
      commits.map(async (commit) => ({ commit, build: await this.#build(commit, share) })),
    );
    // All of them have ended, whatever became of one.
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
      // What was cut off is tried again when the bisection is resumed.
      if (this.#isLasting(commit, build)) this.plan.onEvent(event);
      this.#remember(event);
      events.push(event);
    }
    return events;
  }

  /** Whether what was seen of a commit would be seen again. */
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

  /** Builds a commit and runs some of the cases on it, unless that was done before. */
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

  /** What was measured first of a case at a commit. */
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

  /** Measures a case at a commit once more. */
  async repeat(commit: string, id: CaseId): Promise<Observation | Fault> {
    const seen = await this.measure(commit, id);
    if (seen instanceof Fault) return seen;
    const observation = asWritten(seen);
    this.#tellAndRemember({ event: 'repeated', commit, case: id, observation });
    // As it is written: a bisection that is resumed must not decide otherwise.
    return fromWritten(observation);
  }

  /** A commit, built now unless it was before. */
  async buildOf(commit: string): Promise<Build | Fault> {
    const build = this.#programs.get(commit) ?? (await this.#build(commit, this.plan.jobs));
    if (!(build instanceof Fault)) this.#programs.set(commit, build);
    return build;
  }

  /** Measures a case at a commit, built now unless it was before; nothing is written down. */
  async measure(commit: string, id: CaseId): Promise<Observation | Fault> {
    const build = await this.buildOf(commit);
    if (build instanceof Fault) return build;
    return build.kind === 'failed'
      ? { kind: 'unmeasured', fault: usageFault(build.why) }
      : this.#measured(commit, build, id);
  }

  /** A program that is only a part of a commit, and on which a case breaks, is built with more of it. */
  async #measured(commit: string, build: Build, id: CaseId): Promise<Observation | Fault> {
    const { measurer, partial, signal } = this.plan;
    for (let current = build; ; ) {
      if (current.kind === 'failed') return { kind: 'unmeasured', fault: usageFault(current.why) };
      const { program } = current;
      const seen = await measurer.measure(program, id, signal);
      if (seen.kind === 'measured' || seen.isSearched || partial?.isPartial(program) !== true) return seen;
      // Another case may have found the same.
      const next = this.#fuller.get(program) ?? this.#builtFuller(commit, program, seen.missing, partial);
      this.#fuller.set(program, next);
      const fuller = await next;
      if (fuller instanceof Fault) return fuller;
      // Where no more of it can be built, the part serves those cases that lack nothing.
      if (fuller.kind === 'built') this.#programs.set(commit, fuller);
      else if (!fuller.isLasting) this.#cutOff.add(commit);
      current = fuller;
    }
  }

  /** One after the other: what is built for one case serves the others, too. */
  #builtFuller(
    commit: string,
    program: string,
    missing: number | undefined,
    partial: Pick<PartialBuilds, 'buildMore'>,
  ): Promise<Build | Fault> {
    return this.#told(commit, () => partial.buildMore(commit, program, missing, this.plan.jobs));
  }

  /** Both sides of a step in turns until it is sure, or surely nothing, unless that was done before. */
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
      // A side that says nothing says no more when it is asked again.
      const isSilent = Math.min(beforeSamples.length, afterSamples.length) < asked;
      if (isSilent || isSettled(step, verified, sensitivity)) break;
    }
    this.#tellAndRemember(verified);
    return verified;
  }

  /** What was measured of both sides of a step, and so many rounds more. */
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
