import { Fault } from '../machine/index.js';
import {
  deletingRules,
  printScript,
  type Script,
  type SimplificationRule,
  simplificationRuleNames,
  simplificationRulesOtherwise,
  simplificationsInTurn,
} from '../smtlib/index.js';
import { minimize } from './minimize.js';
import type { Property } from './property.js';
import type { VerdictCache } from './verdict-cache.js';

export interface Progress {
  readonly size: number;
  readonly tried: number;
  readonly taken: number;
  /** Failed candidates since the last accepted step; the step ends when no candidate is left. */
  readonly failed: number;
  readonly step: 1 | 2 | 3;
  readonly rule: string | undefined;
}

export interface ReduceOptions {
  readonly jobs: number;
  readonly known: VerdictCache;
  readonly rules?: readonly SimplificationRule[];
  /** Aborting returns the smallest formula so far. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress, formula: Script) => void;
}

export interface Reduced {
  readonly formula: Script;
  readonly tried: number;
  readonly taken: number;
  readonly remembered: number;
  /** No single rule makes the formula smaller; false if the reduction was aborted. */
  readonly isMinimal: boolean;
  /** The final confirmation of the property succeeded. */
  readonly isSure: boolean;
}

/** Which rule candidates must pass, and in which order steps are tried. */
interface PassOptions {
  readonly isStrict: boolean;
  readonly isOtherOrder: boolean;
}

const firstPass: PassOptions = { isStrict: false, isOtherOrder: false };

/** A result with more characters may have a smaller neighbour that another order of steps reaches. */
const largeResult = 100;

/** Bisection steps in the search for a formula that passes the strict rule. */
const bisectionSteps = 6;
/** The same for the final confirmation, which takes longer. */
const confirmationSteps = 5;

/**
 * Steps:
 * 1. Reduce with the faster rule. If much is left, reduce again in another order, starting after the deletions of
 *    whole commands, because the order decides which local minimum is reached.
 * 2. Apply the strict rule. If the result fails it, bisect the accepted steps for a formula that passes, and reduce
 *    that with the strict rule, so that the result is minimal.
 * 3. Confirm the result. If that fails, e.g. because it is barely slow, bisect for a formula that is confirmed.
 *
 * @returns a fault if the property does not hold for the original formula
 */
export async function reduceFormula(
  start: Script,
  property: Property,
  options: ReduceOptions,
): Promise<Reduced | Fault> {
  const { signal, known } = options;
  const reduction = new Reduction(property, options);
  if (!(await property.holds(start, true, signal)))
    return new Fault('text', await property.explainFailure(start, signal));
  const first = [start, ...(await reduction.minimized(start, firstPass))];
  const path = (await unlessAborted(signal, () => reduction.smallerPath(first))) ?? first;
  reduction.begin(2);
  const way = (await unlessAborted(signal, () => reduction.strictly(path))) ?? path;
  await known.write();
  reduction.begin(3);
  const sure = await unlessAborted(signal, () => reduction.lastConfirmed(way));
  return {
    formula: sure?.formula ?? way.at(-1) ?? start,
    tried: reduction.tried,
    taken: reduction.taken,
    remembered: known.hits,
    isMinimal: sure !== undefined,
    isSure: sure?.isSure ?? false,
  };
}

/** Undefined if the reduction was aborted; the earlier result then counts. */
async function unlessAborted<Value>(
  signal: AbortSignal,
  job: () => Promise<Value>,
): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  try {
    const value = await job();
    return signal.aborted ? undefined : value;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function sizeOf(formula: Script | undefined): number {
  return formula === undefined ? Number.POSITIVE_INFINITY : printScript(formula).length;
}

class Reduction {
  tried = 0;
  taken = 0;
  #failed = 0;
  #step: Progress['step'] = 1;
  #lastRule: string | undefined;
  readonly #rules: readonly SimplificationRule[];
  readonly #ruleOf = new Map<Script, string>();
  #smallest: { readonly formula: Script; readonly size: number } | undefined;

  constructor(
    private readonly property: Property,
    private readonly options: ReduceOptions,
  ) {
    this.#rules = options.rules ?? simplificationRuleNames;
  }

  begin(step: Progress['step']): void {
    this.#step = step;
    this.#failed = 0;
    this.#tell();
  }

  #tell(): void {
    if (this.#smallest === undefined) return;
    const { formula, size } = this.#smallest;
    const { tried, taken } = this;
    const [failed, step, rule] = [this.#failed, this.#step, this.#lastRule];
    this.options.onProgress?.({ size, tried, taken, failed, step, rule }, formula);
  }

  /** The path to the smaller result, after a second attempt if the first leaves much. */
  async smallerPath(first: readonly Script[]): Promise<readonly Script[]> {
    const isDeleted = (formula: Script): boolean => deletingRules.has(this.#ruleOf.get(formula) ?? '');
    const fork = first.findIndex((formula, at) => at > 0 && !isDeleted(formula)) - 1;
    const start = first[fork];
    const firstSize = sizeOf(first.at(-1));
    if (start === undefined || this.options.rules !== undefined || firstSize <= largeResult) return first;
    const other = await this.minimized(start, { isStrict: false, isOtherOrder: true });
    return sizeOf(other.at(-1)) < firstSize ? [...first.slice(0, fork + 1), ...other] : first;
  }

  /** All formulas on the path, the smallest last. */
  async minimized(start: Script, { isStrict, isOtherOrder }: PassOptions): Promise<readonly Script[]> {
    const { jobs, signal } = this.options;
    const path: Script[] = [];
    // The second attempt is reported only once it is the smaller one.
    if (!isOtherOrder || this.#smallest === undefined)
      this.#smallest = { formula: start, size: sizeOf(start) };
    let smallest = this.#smallest;
    this.#lastRule = undefined;
    await minimize(
      start,
      (formula) =>
        simplificationsInTurn(
          formula,
          isOtherOrder ? simplificationRulesOtherwise : this.#rules,
          isOtherOrder,
        ),
      (formula, stop) => this.#holds(formula, isStrict, stop),
      {
        jobs,
        signal,
        onTried: () => {
          this.tried++;
          this.#failed++;
          this.#tell();
        },
        onStep: (formula, rule) => {
          this.taken++;
          this.#failed = 0;
          path.push(formula);
          if (rule !== undefined) this.#ruleOf.set(formula, rule);
          const size = sizeOf(formula);
          if (!isOtherOrder || size < smallest.size) this.#smallest = smallest = { formula, size };
          this.#lastRule = rule;
          this.#tell();
        },
      },
    );
    return path;
  }

  /** Extends the path so that its end passes the strict rule. */
  async strictly(path: readonly Script[]): Promise<readonly Script[]> {
    const base = await this.#lastThatHolds(path);
    const start = path[base];
    return start === undefined
      ? path
      : [
          ...path.slice(0, base + 1),
          ...(await this.minimized(start, { isStrict: true, isOtherOrder: false })),
        ];
  }

  /** The last formula on the path that is confirmed, as far as bisection finds it; the end of the path if none is. */
  async lastConfirmed(
    way: readonly Script[],
  ): Promise<{ readonly formula: Script | undefined; readonly isSure: boolean }> {
    let [low, high] = [-1, way.length];
    for (let at = high - 1, tries = 0; low < at && at < high && tries < confirmationSteps; tries++) {
      const formula = way[at];
      if (formula === undefined) break;
      const isConfirmed = await this.property.confirm?.(formula, this.options.signal);
      if (isConfirmed ?? true) low = at;
      else high = at;
      at = Math.floor((low + high) / 2);
    }
    const surest = way[low];
    return surest === undefined ? { formula: way.at(-1), isSure: false } : { formula: surest, isSure: true };
  }

  /** The index of the last formula on the path that passes the strict rule, as far as bisection finds it. */
  async #lastThatHolds(path: readonly Script[]): Promise<number> {
    let [low, high] = [0, path.length];
    for (let at = high - 1, tries = 0; low < at && at < high && tries < bisectionSteps; tries++) {
      if (this.options.signal.aborted) break;
      const formula = path[at];
      if (formula === undefined) break;
      if (await this.#holds(formula, true, this.options.signal)) low = at;
      else high = at;
      at = Math.floor((low + high) / 2);
    }
    return low;
  }

  async #holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { known } = this.options;
    const before = known.get(formula, isStrict);
    if (before !== undefined) return before;
    // A formula that fails the faster rule fails the strict one.
    if (isStrict && known.get(formula, false) === false) return false;
    const verdict = await this.property.holds(formula, isStrict, signal);
    await known.add(formula, isStrict, verdict);
    return verdict;
  }
}
