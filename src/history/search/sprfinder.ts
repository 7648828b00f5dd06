/**
 * SPRFinder's Algorithm 2 as written (section 4.2), as a state machine without clock, builds and files. It keeps a
 * stack of commit ranges, each with the cases that differ between its ends. It builds the middle commit of the
 * topmost range and runs only that range's cases, once. The one-third rule moves each case into the half where it
 * differs, or into both.
 *
 * The paper omits two points. If a case cannot be measured at the middle commit, the nearest unused commit of the
 * range is used for it, as with `git bisect skip`. A case whose end is not slower by the threshold is ignored, since
 * the algorithm's input are slowdowns.
 */

import { type CaseId, caseIds } from '../../campaign/index.js';
import type { CaseStep } from './localize.js';

export interface RangeStackPlan {
  /** The number of commits on the line, from the last good one at 0 to the bad one. */
  readonly commits: number;
  readonly cases: number;
  /** The paper's α: the smallest difference of a slowdown. */
  readonly least: number;
}

/** Build this commit and run these cases on it. */
export interface RangeLook {
  readonly commit: number;
  readonly cases: readonly CaseId[];
}

interface CasesInRange {
  readonly low: number;
  readonly high: number;
  readonly cases: readonly CaseId[];
  /** Commits of the range at which these cases cannot be measured. */
  readonly silent: readonly number[];
}

export class RangeStack {
  readonly #cases: readonly CaseId[];
  /** By case, then by commit; undefined if not measurable. */
  readonly #levels: readonly Map<number, number | undefined>[];
  readonly #stack: CasesInRange[] = [];
  readonly #found: CaseStep[] = [];
  /** The last request and its range. */
  #requested: { readonly range: CasesInRange; readonly middle: number } | undefined;
  #hasBegun = false;

  constructor(private readonly plan: RangeStackPlan) {
    this.#cases = caseIds(plan.cases);
    this.#levels = this.#cases.map(() => new Map());
  }

  /** Records a case's level at a commit; undefined if not measurable. */
  observe(id: CaseId, commit: number, level: number | undefined): void {
    this.#levels[id]?.set(commit, level);
    this.#divide();
  }

  /** Marks a commit as not measurable for every case. */
  passOver(commit: number): void {
    for (const levels of this.#levels) levels.set(commit, undefined);
    this.#divide();
  }

  /** The next request; undefined when the stack is empty. */
  next(): RangeLook | undefined {
    for (const end of [0, this.plan.commits - 1]) {
      const cases = this.#cases.filter((id) => !this.#levels[id]?.has(end));
      if (cases.length > 0) return { commit: end, cases };
    }
    this.#begin();
    for (let range = this.#stack.pop(); range !== undefined; range = this.#stack.pop()) {
      const middle = middleOf(range);
      if (middle !== undefined) {
        this.#requested = { range, middle };
        return { commit: middle, cases: range.cases };
      }
      for (const id of range.cases) this.#found.push(this.#step(id, range));
    }
    return undefined;
  }

  /** The steps found so far, by case and commit. */
  steps(): readonly CaseStep[] {
    return this.#found.toSorted((a, b) => a.case - b.case || a.at - b.at);
  }

  /** Whether the search of a case is complete. */
  isLocated(id: CaseId): boolean {
    const open = this.#requested === undefined ? this.#stack : [...this.#stack, this.#requested.range];
    return this.#hasBegun && !open.some(({ cases }) => cases.includes(id));
  }

  /** The minimum number of builds still needed: the halvings of every range. */
  get remaining(): number {
    const { commits } = this.plan;
    if (!this.#hasBegun) {
      const ends = [0, commits - 1].filter((end) => !this.#levels.every((levels) => levels.has(end)));
      return ends.length + halvings(commits - 2);
    }
    const open = this.#requested === undefined ? this.#stack : [...this.#stack, this.#requested.range];
    return open.reduce((sum, { low, high, silent }) => sum + halvings(high - low - 1 - silent.length), 0);
  }

  /** Starts with all slowdowns over the whole line. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const high = this.plan.commits - 1;
    const cases = this.#cases.filter(
      (id) => (this.#level(id, high) ?? Number.NaN) - (this.#level(id, 0) ?? Number.NaN) >= this.plan.least,
    );
    if (cases.length > 0 && high > 0) this.#stack.push({ low: 0, high, cases, silent: [] });
  }

  /** Lines 13 to 25: moves the cases of the requested range into its halves, once all have run. */
  #divide(): void {
    if (this.#requested === undefined) return;
    const { range, middle } = this.#requested;
    const { low, high, cases, silent } = range;
    if (!cases.every((id) => this.#levels[id]?.has(middle))) return;
    this.#requested = undefined;
    const left: CaseId[] = [];
    const right: CaseId[] = [];
    const mute: CaseId[] = [];
    for (const id of cases) {
      const between = this.#level(id, middle);
      const [start, end] = [this.#level(id, low), this.#level(id, high)];
      if (between === undefined || start === undefined || end === undefined) {
        mute.push(id);
        continue;
      }
      const third = Math.abs(start - end) / 3;
      const isAsStart = Math.abs(between - start) < third;
      const isAsEnd = Math.abs(between - end) < third;
      if (isAsStart) right.push(id);
      else if (isAsEnd) left.push(id);
      else {
        right.push(id);
        left.push(id);
      }
    }
    if (mute.length > 0) this.#stack.push({ low, high, cases: mute, silent: [...silent, middle] });
    const within = (from: number, to: number): readonly number[] =>
      silent.filter((commit) => from < commit && commit < to);
    if (left.length > 0) this.#stack.push({ low, high: middle, cases: left, silent: within(low, middle) });
    if (right.length > 0) this.#stack.push({ low: middle, high, cases: right, silent: within(middle, high) });
  }

  #step(id: CaseId, { low, high }: CasesInRange): CaseStep {
    const [from, to] = [this.#level(id, low) ?? Number.NaN, this.#level(id, high) ?? Number.NaN];
    return { case: id, before: low, at: high, direction: to > from ? 'slower' : 'quicker', from, to };
  }

  #level(id: CaseId, commit: number): number | undefined {
    return this.#levels[id]?.get(commit);
  }
}

/** The middle commit, or the nearest one that may be measurable; undefined if there is none. */
function middleOf({ low, high, silent }: CasesInRange): number | undefined {
  const middle = (low + high) >> 1;
  for (let distance = 0; distance < high - low; distance++)
    for (const commit of [middle + distance, middle - distance])
      if (low < commit && commit < high && !silent.includes(commit)) return commit;
  return undefined;
}

function halvings(commits: number): number {
  return Math.ceil(Math.log2(Math.max(0, commits) + 1));
}
