/**
 * Finds the commits at which cases became slower or quicker with as few builds as possible: SPRFinder's Algorithm 2
 * as a state machine without clock, builds and files. The caller feeds it with measurements, and it returns the next
 * commit to test.
 *
 * A build costs far more than a run, so every case runs on every built commit. If a case differs between two
 * neighbours among the tested commits, the step between them is narrowed. A commit in between continues the search to
 * the left, to the right or on both sides, as in the paper's one-third rule.
 */

import { type CaseId, caseIds } from '../../campaign/index.js';
import type { Fault } from '../../machine/index.js';
import { chance, hidden, levelOf, type Observation, type Sensitivity } from '../measuring/levels.js';
import { mostInformative } from './next-commit.js';

export interface LocalizationPlan {
  /** The number of commits on the line, from the last good one at 0 to the bad one. */
  readonly commits: number;
  readonly cases: number;
  readonly sensitivity: Sensitivity;
  /**
   * The required probability that a slow period between two equal commits would have been found, if every length is
   * equally likely. 0 searches only between commits that differ.
   */
  readonly confidence: number;
  /** The maximum number of measurements of one case at one commit. */
  readonly mostSamples: number;
}

/** A case became slower or quicker at one of the commits after `before`, up to `at`. */
export interface CaseStep {
  readonly case: CaseId;
  readonly before: number;
  /** The culprit itself, unless commits in between cannot be measured. */
  readonly at: number;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
}

export type Request =
  /** Build this commit and run every case on it. */
  | { readonly kind: 'look'; readonly commit: number }
  /** Run a case at a commit again, because its measurement may be noise. */
  | { readonly kind: 'repeat'; readonly commit: number; readonly case: CaseId };

interface CommitRange {
  readonly low: number;
  readonly high: number;
}

/** The number of noisy measurements on each side of a culprit. */
const culpritSamples = 5;

/** A range to narrow, and the benefit of narrowing it. */
interface OpenStep extends CommitRange {
  readonly weight: number;
}

/** A step, and the number of commits within it that are not tested yet. */
export interface NarrowedStep extends CaseStep {
  readonly unseen: number;
}

/** Speed-ups are not to blame for anything. They are narrowed last, unless a build shows them anyway. */
const quickerWeight = 0.2;

export class Localization {
  readonly #cases: readonly CaseId[];
  /** By case, then by commit. */
  readonly #seen: readonly Map<number, Observation>[];
  /** For each case, its measured commits in order and its levels. Computed on demand. */
  readonly #timelines: (
    | { readonly commits: readonly number[]; readonly levels: ReadonlyMap<number, number> }
    | undefined
  )[];
  readonly #tested = new Set<number>();

  constructor(private readonly plan: LocalizationPlan) {
    this.#cases = caseIds(plan.cases);
    this.#seen = this.#cases.map(() => new Map());
    this.#timelines = new Array(plan.cases).fill(undefined);
  }

  /** Adds samples of a case at a commit. */
  observe(id: CaseId, commit: number, observation: Observation): void {
    this.#tested.add(commit);
    const known = this.#seen[id]?.get(commit);
    const merged: Observation =
      known?.kind === 'measured' && observation.kind === 'measured'
        ? { kind: 'measured', samples: [...known.samples, ...observation.samples] }
        : observation;
    this.#seen[id]?.set(commit, merged);
    this.#timelines[id] = undefined;
  }

  /** Replaces the samples of a case at a commit by more reliable ones. */
  replace(id: CaseId, commit: number, observation: Observation): void {
    this.#seen[id]?.delete(commit);
    this.observe(id, commit, observation);
  }

  /** Marks a commit as not measurable for every case, for example because it does not build. */
  passOver(commit: number, fault: Fault): void {
    this.#tested.add(commit);
    for (const seen of this.#seen) if (!seen.has(commit)) seen.set(commit, { kind: 'unmeasured', fault });
  }

  isTested(commit: number): boolean {
    return this.#tested.has(commit);
  }

  /** The next request. Undefined if every step has been found. */
  next(): Request | undefined {
    const { commits } = this.plan;
    for (const end of [0, commits - 1]) if (!this.#tested.has(end)) return { kind: 'look', commit: end };
    return this.#doubtful() ?? this.#mostInformative();
  }

  /** The minimum number of builds still needed: the ends, and one per halving of each remaining step. */
  get remaining(): number {
    const { commits } = this.plan;
    const ends = new Set([0, commits - 1].filter((end) => !this.#tested.has(end)));
    if (ends.size > 0) return ends.size + Math.ceil(Math.log2(Math.max(1, commits - 1)));
    const ranges = new Map(this.#openRanges().map((range) => [this.#keyOf(range), range]));
    return [...ranges.values()].reduce((sum, { low, high }) => {
      const unseen = this.#unseenWithin(low, high).length;
      return sum + Math.ceil(Math.log2(Math.max(2, unseen + 1)));
    }, 0);
  }

  /** Whether the search of a case is complete. */
  isLocated(id: CaseId): boolean {
    const { commits } = this.plan;
    if (!this.#tested.has(0) || !this.#tested.has(commits - 1)) return false;
    return [...this.#jumps(id), ...this.#gapsOf(id), ...this.#dipsOf(id)].every(
      ({ low, high }) => this.#unseenWithin(low, high).length === 0,
    );
  }

  /** The steps found so far, in order, without those that are still being narrowed. */
  steps(): readonly CaseStep[] {
    return this.narrowed().flatMap(({ unseen, ...step }) => (unseen === 0 ? [step] : []));
  }

  /** Every step as far as it was narrowed down, in order. */
  narrowed(): readonly NarrowedStep[] {
    return this.#cases.flatMap((id) =>
      this.#jumps(id).map(({ low, high }) => ({
        ...this.#step(id, low, high),
        unseen: this.#unseenWithin(low, high).length,
      })),
    );
  }

  #step(id: CaseId, before: number, at: number): CaseStep {
    const [from, to] = [this.#level(id, before), this.#level(id, at)];
    return { case: id, before, at, direction: to > from ? 'slower' : 'quicker', from, to };
  }

  #timeline(id: CaseId) {
    const known = this.#timelines[id];
    if (known !== undefined) return known;
    const measured = [...(this.#seen[id] ?? [])].flatMap(([commit, seen]) =>
      seen.kind === 'measured' ? [[commit, levelOf(seen.samples)] as const] : [],
    );
    const timeline = {
      commits: measured.map(([commit]) => commit).toSorted((a, b) => a - b),
      levels: new Map(measured),
    };
    this.#timelines[id] = timeline;
    return timeline;
  }

  #measured(id: CaseId): readonly number[] {
    return this.#timeline(id).commits;
  }

  #samples(id: CaseId, commit: number): readonly number[] {
    const seen = this.#seen[id]?.get(commit);
    return seen?.kind === 'measured' ? seen.samples : [];
  }

  #level(id: CaseId, commit: number): number {
    return this.#timeline(id).levels.get(commit) ?? Number.NaN;
  }

  /** The largest difference between two levels of a case. */
  #span(id: CaseId): number {
    const levels = [...this.#timeline(id).levels.values()];
    return levels.length === 0 ? 0 : Math.max(...levels) - Math.min(...levels);
  }

  /** The smallest relevant difference between two commits: a share of the largest one, at least the threshold. */
  #significance(id: CaseId, { low, high }: CommitRange, span: number): number {
    const { least, share, multiplying } = this.plan.sensitivity;
    const isMultiple =
      multiplying !== undefined && this.#level(id, high) >= multiplying.times * this.#level(id, low);
    return Math.max(least, (isMultiple ? multiplying.share : share) * span);
  }

  /** Neighbouring measured commits between which a case differs. */
  #jumps(id: CaseId): readonly CommitRange[] {
    const span = this.#span(id);
    return neighbours(this.#measured(id)).filter((range) => {
      const { low, high } = range;
      const difference = Math.abs(this.#level(id, high) - this.#level(id, low));
      return difference >= this.#significance(id, range, span) && difference > this.#chance(id, low, high);
    });
  }

  #chance(id: CaseId, low: number, high: number): number {
    return chance(this.#samples(id, low), this.#samples(id, high), this.plan.sensitivity.noise);
  }

  #hidden(id: CaseId, low: number, high: number): number {
    return hidden(this.#samples(id, low), this.#samples(id, high), this.plan.sensitivity.noise);
  }

  /** Ranges with a step that is not narrowed yet, or that may hide one. */
  #openRanges(): readonly OpenStep[] {
    const ranges = this.#cases.flatMap((id) =>
      this.#jumps(id).map(({ low, high }) => {
        const isSlower = this.#level(id, high) > this.#level(id, low);
        return { low, high, weight: isSlower ? 1 : quickerWeight };
      }),
    );
    const open = ranges.filter(({ low, high }) => this.#unseenWithin(low, high).length > 0);
    return [...open, ...[...this.#gaps(), ...this.#dips()].map((range) => ({ ...range, weight: 1 }))];
  }

  #dips(): readonly CommitRange[] {
    return this.#cases.flatMap((id) => this.#dipsOf(id));
  }

  /**
   * A case may be fast at a single commit by chance or by a bug that the next commit fixes; the next commit would
   * then be blamed. Measuring the commit before the last fast one detects this.
   */
  #dipsOf(id: CaseId): readonly CommitRange[] {
    return this.#jumps(id)
      .filter(({ low, high }) => this.#level(id, high) > this.#level(id, low))
      .filter(({ low, high }) => this.#unseenWithin(low, high).length === 0)
      .map(({ low }) => ({ low: low - 2, high: low }))
      .filter(({ low, high }) => high > 0 && this.#unseenWithin(low, high).length > 0);
  }

  /**
   * Ranges with equal ends that may hide a slow period. If every g-th of R commits is measured, a period of uniformly
   * distributed length is missed with probability g / 2R.
   */
  #gaps(): readonly CommitRange[] {
    return this.#cases.flatMap((id) => this.#gapsOf(id));
  }

  #gapsOf(id: CaseId): readonly CommitRange[] {
    const { confidence, commits } = this.plan;
    if (confidence <= 0) return [];
    const widest = Math.max(1, 2 * commits * (1 - confidence));
    return neighbours(this.#measured(id)).filter(
      ({ low, high }) => high - low > widest && this.#unseenWithin(low, high).length > 0,
    );
  }

  /** A unique number for each range. */
  #keyOf({ low, high }: CommitRange): number {
    return low * this.plan.commits + high;
  }

  #unseenWithin(low: number, high: number): readonly number[] {
    const found: number[] = [];
    for (let commit = low + 1; commit < high; commit++) if (!this.#tested.has(commit)) found.push(commit);
    return found;
  }

  #testedWithin(low: number, high: number): readonly number[] {
    return [...this.#tested].filter((commit) => low < commit && commit < high).toSorted((a, b) => a - b);
  }

  /** Requests a repetition if a relevant difference may be chance, or if it is about to be reported as a culprit. */
  #doubtful(): Request | undefined {
    const { mostSamples, sensitivity } = this.plan;
    if (sensitivity.noise === 0) return undefined;
    for (const id of this.#cases) {
      const span = this.#span(id);
      for (const range of neighbours(this.#measured(id))) {
        const { low, high } = range;
        const significance = this.#significance(id, range, span);
        const difference = Math.abs(this.#level(id, high) - this.#level(id, low));
        const byChance = this.#chance(id, low, high);
        // Noise can hide a difference as well as cause one.
        if (difference + this.#hidden(id, low, high) < significance) continue;
        // A culprit needs more certainty than an intermediate step.
        const isEnd = this.#unseenWithin(low, high).length === 0;
        const isSure = difference >= significance && difference > byChance;
        const enough = !isSure ? mostSamples : isEnd ? Math.min(mostSamples, culpritSamples) : 0;
        const [lows, highs] = [this.#samples(id, low).length, this.#samples(id, high).length];
        if (Math.min(lows, highs) < enough)
          return { kind: 'repeat', commit: lows <= highs ? low : high, case: id };
      }
    }
    return undefined;
  }

  /** The commit with the highest expected information. */
  #mostInformative(): Request | undefined {
    const [commit] = this.nextCommits(1);
    return commit === undefined ? undefined : { kind: 'look', commit };
  }

  /** The next commits to build in parallel, each chosen as if the others were known. */
  nextCommits(most: number): readonly number[] {
    const weights = new Map<number, CommitRange & { readonly cases: number }>();
    for (const range of this.#openRanges()) {
      const key = this.#keyOf(range);
      weights.set(key, { ...range, cases: (weights.get(key)?.cases ?? 0) + range.weight });
    }
    const ranges = [...weights.values()].map(({ low, high, cases }) => ({
      unseen: this.#unseenWithin(low, high),
      silent: this.#testedWithin(low, high),
      cases,
    }));
    return mostInformative(ranges, most);
  }
}

/** Consecutive pairs. */
function neighbours(commits: readonly number[]): readonly CommitRange[] {
  const ranges: CommitRange[] = [];
  let low: number | undefined;
  for (const high of commits) {
    if (low !== undefined) ranges.push({ low, high });
    low = high;
  }
  return ranges;
}
