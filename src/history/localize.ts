/**
 * The commits at which cases became slower or quicker, found with as few builds as possible: SPRFinder's Algorithm 2
 * as a machine without clock, builds and files. Fed with what was measured, it says which commit to look at next.
 *
 * Every case runs on every commit that is built, since a build costs far more than a run. So each case is known at some
 * commits, and wherever two neighbours among those differ, the step between them is looked for. A step that is divided
 * by a commit in between goes left, right, or both ways, as in the paper's one-third rule.
 */

import { chance, hidden, levelOf, type Observation, type Sensitivity } from './levels.js';

export interface LocalizationPlan {
  /** Commits on the line from the last good one, number 0, to the bad one. */
  readonly commits: number;
  readonly cases: number;
  readonly sensitivity: Sensitivity;
  /**
   * How sure it must be that nothing is hidden between commits where a case is the same: the chance that a time of
   * being slow, as likely short as long, would have been seen. 0 looks only where a case differs.
   */
  readonly confidence: number;
  /** The most measurements of one case at one commit. */
  readonly mostSamples: number;
}

/** A case became slower or quicker at one of the commits after `before`, up to `at`. */
export interface Step {
  readonly case: number;
  readonly before: number;
  /** Where it is seen; the culprit itself, unless commits in between say nothing. */
  readonly at: number;
  readonly direction: 'slower' | 'quicker';
  readonly from: number;
  readonly to: number;
}

export type Request =
  /** Build this commit and run every case on it. */
  | { readonly kind: 'look'; readonly commit: number }
  /** Run a case again at a commit: what is known so far may be chance. */
  | { readonly kind: 'repeat'; readonly commit: number; readonly case: number };

/** Measurements on either side of a commit before it is called a culprit, where measurements are noisy. */
const culpritSamples = 5;

export class Localization {
  readonly #seen: Map<number, Observation>[];
  /** The commits at which each case was measured, in order, and how slow it is there; made when asked for. */
  readonly #courses: (
    | { readonly commits: readonly number[]; readonly levels: ReadonlyMap<number, number> }
    | undefined
  )[];
  readonly #looked = new Set<number>();

  constructor(private readonly plan: LocalizationPlan) {
    this.#seen = Array.from({ length: plan.cases }, () => new Map());
    this.#courses = new Array(plan.cases).fill(undefined);
  }

  /** A case at a commit; more samples add to those that are known. */
  observe(one: number, commit: number, observation: Observation): void {
    this.#looked.add(commit);
    const known = this.#seen[one]?.get(commit);
    const merged: Observation =
      known?.kind === 'measured' && observation.kind === 'measured'
        ? { kind: 'measured', samples: [...known.samples, ...observation.samples] }
        : observation;
    this.#seen[one]?.set(commit, merged);
    this.#courses[one] = undefined;
  }

  /** Forgets what was measured of a case at a commit for something surer. */
  replace(one: number, commit: number, observation: Observation): void {
    this.#seen[one]?.delete(commit);
    this.observe(one, commit, observation);
  }

  /** A commit that says nothing about any case, such as one that does not build. */
  passOver(commit: number, why: string): void {
    this.#looked.add(commit);
    for (const seen of this.#seen) if (!seen.has(commit)) seen.set(commit, { kind: 'silent', why });
  }

  hasLookedAt(commit: number): boolean {
    return this.#looked.has(commit);
  }

  /** What to do next; undefined when every step has been found. */
  next(): Request | undefined {
    const { commits } = this.plan;
    for (const end of [0, commits - 1]) if (!this.#looked.has(end)) return { kind: 'look', commit: end };
    return this.#doubtful() ?? this.#mostTelling();
  }

  /** Builds still needed if every remaining step halves its range: what a progress line can promise. */
  get remaining(): number {
    const ranges = new Set(this.#openRanges().map(({ low, high }) => `${low} ${high}`));
    return [...ranges].reduce((sum, range) => {
      const [low = 0, high = 0] = range.split(' ').map(Number);
      return sum + Math.ceil(Math.log2(Math.max(2, this.#unseenWithin(low, high).length + 1)));
    }, 0);
  }

  /** The steps that are known so far, in order; those that are still being narrowed are left out. */
  steps(): readonly Step[] {
    return this.#seen.flatMap((_, one) =>
      this.#jumps(one)
        .filter(({ low, high }) => this.#unseenWithin(low, high).length === 0)
        .map(({ low, high }) => this.#step(one, low, high)),
    );
  }

  #step(one: number, before: number, at: number): Step {
    const [from, to] = [this.#level(one, before), this.#level(one, at)];
    return { case: one, before, at, direction: to > from ? 'slower' : 'quicker', from, to };
  }

  #course(one: number) {
    const known = this.#courses[one];
    if (known !== undefined) return known;
    const measured = [...(this.#seen[one] ?? [])].flatMap(([commit, seen]) =>
      seen.kind === 'measured' ? [[commit, levelOf(seen.samples)] as const] : [],
    );
    const course = {
      commits: measured.map(([commit]) => commit).toSorted((a, b) => a - b),
      levels: new Map(measured),
    };
    this.#courses[one] = course;
    return course;
  }

  #measured(one: number): readonly number[] {
    return this.#course(one).commits;
  }

  #samples(one: number, commit: number): readonly number[] {
    const seen = this.#seen[one]?.get(commit);
    return seen?.kind === 'measured' ? seen.samples : [];
  }

  #level(one: number, commit: number): number {
    return this.#course(one).levels.get(commit) ?? Number.NaN;
  }

  /** What a difference must be to matter: a share of the largest there is, and more than the least. */
  #significance(one: number): number {
    const levels = [...this.#course(one).levels.values()];
    const span = levels.length === 0 ? 0 : Math.max(...levels) - Math.min(...levels);
    const { least, share } = this.plan.sensitivity;
    return Math.max(least, share * span);
  }

  /** Neighbours among the measured commits between which a case differs. */
  #jumps(one: number): readonly { low: number; high: number }[] {
    const measured = this.#measured(one);
    const significance = this.#significance(one);
    return measured.slice(1).flatMap((high, i) => {
      const low = measured[i] as number;
      const difference = Math.abs(this.#level(one, high) - this.#level(one, low));
      return difference >= significance && difference > this.#chance(one, low, high) ? [{ low, high }] : [];
    });
  }

  #chance(one: number, low: number, high: number): number {
    return chance(this.#samples(one, low), this.#samples(one, high), this.plan.sensitivity.noise);
  }

  #hidden(one: number, low: number, high: number): number {
    return hidden(this.#samples(one, low), this.#samples(one, high), this.plan.sensitivity.noise);
  }

  /** Where a step is still to be narrowed, or something may be hidden. */
  #openRanges(): readonly { low: number; high: number }[] {
    const ranges = this.#seen.flatMap((_, one) => this.#jumps(one));
    const open = ranges.filter(({ low, high }) => this.#unseenWithin(low, high).length > 0);
    return [...open, ...this.#gaps()];
  }

  /**
   * Ranges in which a case is the same at both ends and might be something else in between. Seen every g of R commits,
   * a time of being slow of a length as likely short as long is missed with a chance of g / 2R.
   */
  #gaps(): readonly { low: number; high: number }[] {
    const { confidence, commits } = this.plan;
    if (confidence <= 0) return [];
    const widest = Math.max(1, 2 * commits * (1 - confidence));
    return this.#seen.flatMap((_, one) => {
      const measured = this.#measured(one);
      return measured.slice(1).flatMap((high, i) => {
        const low = measured[i] as number;
        return high - low > widest && this.#unseenWithin(low, high).length > 0 ? [{ low, high }] : [];
      });
    });
  }

  #unseenWithin(low: number, high: number): readonly number[] {
    const found: number[] = [];
    for (let commit = low + 1; commit < high; commit++) if (!this.#looked.has(commit)) found.push(commit);
    return found;
  }

  #silentWithin(low: number, high: number): readonly number[] {
    return [...this.#looked].filter((commit) => low < commit && commit < high).toSorted((a, b) => a - b);
  }

  /** A difference that would matter and could be chance, or that is about to be called a culprit. */
  #doubtful(): Request | undefined {
    const { mostSamples, sensitivity, cases } = this.plan;
    if (sensitivity.noise === 0) return undefined;
    for (let one = 0; one < cases; one++) {
      const significance = this.#significance(one);
      const measured = this.#measured(one);
      for (const [i, high] of measured.entries()) {
        const low = measured[i - 1];
        if (low === undefined) continue;
        const difference = Math.abs(this.#level(one, high) - this.#level(one, low));
        const byChance = this.#chance(one, low, high);
        // Noise may hide a difference as well as make one up.
        if (difference + this.#hidden(one, low, high) < significance) continue;
        // What is called a culprit must be surer than what only shows the way.
        const isEnd = this.#unseenWithin(low, high).length === 0;
        const isSure = difference >= significance && difference > byChance;
        const enough = !isSure ? mostSamples : isEnd ? Math.min(mostSamples, culpritSamples) : 0;
        const [lows, highs] = [this.#samples(one, low).length, this.#samples(one, high).length];
        if (Math.min(lows, highs) < enough)
          return { kind: 'repeat', commit: lows <= highs ? low : high, case: one };
      }
    }
    return undefined;
  }

  /** The commit that is expected to tell the most about the most cases. */
  #mostTelling(): Request | undefined {
    const [commit] = this.looks(1);
    return commit === undefined ? undefined : { kind: 'look', commit };
  }

  /** The commits to look at next where several can be built at once, each chosen as if the others were known. */
  looks(most: number): readonly number[] {
    const weights = new Map<string, number>();
    for (const { low, high } of this.#openRanges()) {
      const key = `${low} ${high}`;
      weights.set(key, (weights.get(key) ?? 0) + 1);
    }
    let ranges = [...weights].map(([key, cases]): Weighed => {
      const [low = 0, high = 0] = key.split(' ').map(Number);
      return { unseen: this.#unseenWithin(low, high), silent: this.#silentWithin(low, high), cases };
    });
    const chosen: number[] = [];
    while (chosen.length < most) {
      const best = mostWorth(ranges);
      if (best === undefined) break;
      chosen.push(best);
      // Whichever side of it turns out to matter, the other range is left with half the cases.
      ranges = ranges.flatMap(({ unseen, silent, cases }) => {
        if (!unseen.includes(best)) return [{ unseen, silent, cases }];
        return [unseen.filter((one) => one < best), unseen.filter((one) => one > best)].map((part) => ({
          unseen: part,
          silent,
          cases: cases / 2,
        }));
      });
    }
    return chosen;
  }
}

interface Weighed {
  readonly unseen: readonly number[];
  /** Commits among them that say nothing, in order: what was looked at between two that do. */
  readonly silent: readonly number[];
  /** How many cases have a step there. */
  readonly cases: number;
}

/**
 * How likely a commit is to say something. What breaks a build stays broken for a while: the more commits around have
 * said nothing, the farther away the next one is looked for, so that a long broken stretch is crossed in few strides.
 */
function outspokenness(commit: number, silent: readonly number[]): number {
  if (silent.length === 0) return 1;
  const distance = Math.min(...silent.map((one) => Math.abs(one - commit)));
  return distance / (distance + silent.length);
}

/** The commit whose answer tells the most bits, over all ranges and cases; the first of equals. */
function mostWorth(ranges: readonly Weighed[]): number | undefined {
  const worth = new Map<number, number>();
  for (const { unseen, silent, cases } of ranges) {
    unseen.forEach((commit, i) => {
      const bits = entropy((i + 1) / (unseen.length + 1)) * outspokenness(commit, silent);
      worth.set(commit, (worth.get(commit) ?? 0) + cases * bits);
    });
  }
  let best: number | undefined;
  for (const [commit, value] of worth) {
    const most = best === undefined ? 0 : (worth.get(best) as number);
    if (value > most || (value === most && best !== undefined && commit < best)) best = commit;
  }
  return best;
}

/** What a question with these odds tells, in bits. */
function entropy(share: number): number {
  const other = 1 - share;
  return share <= 0 || other <= 0 ? 0 : -(share * Math.log2(share) + other * Math.log2(other));
}
