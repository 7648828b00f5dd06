/**
 * SPRFinder's Algorithm 2 as it is written (section 4.2), as a machine without clock, builds and files: a stack of
 * ranges of commits, each with the cases that differ between its ends. The commit in the middle of the topmost range is
 * built and the cases of that range alone are run on it, once; the one-third rule carries each into the half where it
 * differs, or into both.
 *
 * What the paper leaves open: where a case says nothing in the middle (the commit does not build, the solver gives up
 * or crashes), the nearest commit of the range is asked for it that was not asked yet, as `git bisect skip` goes on; a
 * case that is not slower at the end by the least difference that counts is none of the algorithm's, whose input are
 * slowdowns.
 */

import { type CaseId, caseIds } from '../../campaign/index.js';
import type { CaseStep } from './localize.js';

export interface RangeStackPlan {
  /** Commits on the line from the last good one, number 0, to the bad one. */
  readonly commits: number;
  readonly cases: number;
  /** A case that is slower by less at the bad commit is no slowdown (the paper's α). */
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
  /** Commits in between that say nothing about these cases. */
  readonly silent: readonly number[];
}

export class RangeStack {
  readonly #cases: readonly CaseId[];
  /** By case, then by commit; undefined where a case says nothing. */
  readonly #levels: readonly Map<number, number | undefined>[];
  readonly #stack: CasesInRange[] = [];
  readonly #found: CaseStep[] = [];
  /** What was asked for last, and for which range. */
  #asked: { readonly range: CasesInRange; readonly middle: number } | undefined;
  #hasBegun = false;

  constructor(private readonly plan: RangeStackPlan) {
    this.#cases = caseIds(plan.cases);
    this.#levels = this.#cases.map(() => new Map());
  }

  /** How slow a case is at a commit; undefined if it says nothing there. */
  observe(id: CaseId, commit: number, level: number | undefined): void {
    this.#levels[id]?.set(commit, level);
    this.#divide();
  }

  /** A commit that says nothing about any case, such as one that does not build. */
  passOver(commit: number): void {
    for (const levels of this.#levels) levels.set(commit, undefined);
    this.#divide();
  }

  /** What to do next; undefined when the stack is empty. */
  next(): RangeLook | undefined {
    for (const end of [0, this.plan.commits - 1]) {
      const cases = this.#cases.filter((id) => !this.#levels[id]?.has(end));
      if (cases.length > 0) return { commit: end, cases };
    }
    this.#begin();
    for (let range = this.#stack.pop(); range !== undefined; range = this.#stack.pop()) {
      const middle = middleOf(range);
      if (middle !== undefined) {
        this.#asked = { range, middle };
        return { commit: middle, cases: range.cases };
      }
      for (const id of range.cases) this.#found.push(this.#step(id, range));
    }
    return undefined;
  }

  /** The commits found so far, case by case and in their order. */
  steps(): readonly CaseStep[] {
    return this.#found.toSorted((a, b) => a.case - b.case || a.at - b.at);
  }

  /** Whether nothing is left to be found out about a case. */
  isLocated(id: CaseId): boolean {
    const open = this.#asked === undefined ? this.#stack : [...this.#stack, this.#asked.range];
    return this.#hasBegun && !open.some(({ cases }) => cases.includes(id));
  }

  /** Builds that are needed at least: every range is halved until it is one commit. */
  get remaining(): number {
    const { commits } = this.plan;
    if (!this.#hasBegun) {
      const ends = [0, commits - 1].filter((end) => !this.#levels.every((levels) => levels.has(end)));
      return ends.length + halvings(commits - 2);
    }
    const open = this.#asked === undefined ? this.#stack : [...this.#stack, this.#asked.range];
    return open.reduce((sum, { low, high, silent }) => sum + halvings(high - low - 1 - silent.length), 0);
  }

  /** All slowdowns, over all commits. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const high = this.plan.commits - 1;
    const cases = this.#cases.filter(
      (id) => (this.#level(id, high) ?? Number.NaN) - (this.#level(id, 0) ?? Number.NaN) >= this.plan.least,
    );
    if (cases.length > 0 && high > 0) this.#stack.push({ low: 0, high, cases, silent: [] });
  }

  /** Carries the cases of the range that was asked about into its halves, once all were run: lines 13 to 25. */
  #divide(): void {
    if (this.#asked === undefined) return;
    const { range, middle } = this.#asked;
    const { low, high, cases, silent } = range;
    if (!cases.every((id) => this.#levels[id]?.has(middle))) return;
    this.#asked = undefined;
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

/** The middle, or what is nearest to it of what may still say something; undefined if nothing is left between. */
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
