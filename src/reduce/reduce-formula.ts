/** A formula made as small as it can be while a property holds. */

import { printScript } from '../smtlib/print.js';
import { type SimplificationRule, simplificationRuleNames, simplifications } from '../smtlib/simplify.js';
import type { Script } from '../smtlib/tree.js';
import type { KnownVerdicts } from './known.js';
import { minimize } from './minimize.js';
import type { Property } from './property.js';

export interface Progress {
  /** Characters of the smallest formula so far. */
  readonly size: number;
  readonly tried: number;
  readonly taken: number;
  /** The rule of the last step that was taken. */
  readonly rule: string | undefined;
}

export interface ReduceOptions {
  readonly jobs: number;
  readonly known: KnownVerdicts;
  readonly rules?: readonly SimplificationRule[];
  /** Ends it early with the smallest formula so far. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress, formula: Script) => void;
}

export interface Reduced {
  readonly formula: Script;
  readonly tried: number;
  readonly taken: number;
  /** Verdicts that were known from before. */
  readonly remembered: number;
  /** No single rule makes it smaller any more; not so where it was ended early. */
  readonly isMinimal: boolean;
  /** The property held when the result was looked at with all care. */
  readonly isSure: boolean;
}

/** Steps back from a result that does not stand up to the strict rule, by halves of the way. */
const retreats = 6;

/**
 * Steps:
 * 1. By the property's quicker rule, everything that can go goes.
 * 2. By its strict rule: where the result does not stand up to it, half of the way is taken back until it does; from
 *    there on again, so that the end is minimal by the strict rule.
 * 3. The result is looked at with all care.
 *
 * @returns a sentence if the property does not hold of the formula in the first place
 */
export async function reduceFormula(
  start: Script,
  property: Property,
  options: ReduceOptions,
): Promise<Reduced | string> {
  const { signal, known } = options;
  const reduction = new Reduction(property, options);
  if (!(await property.holds(start, true, signal))) return property.whyNot(start, signal);
  const path = [start, ...(await reduction.minimized(start, false))];
  const smallest = path.at(-1) ?? start;
  const formula = (await unlessEnded(signal, () => reduction.strictly(path))) ?? smallest;
  await known.write();
  const isSure = await unlessEnded(signal, async () => (await property.isSure?.(formula, signal)) ?? true);
  const isEnded = isSure === undefined;
  return {
    formula,
    tried: reduction.tried,
    taken: reduction.taken,
    remembered: known.hits,
    isMinimal: !isEnded,
    isSure: isSure ?? false,
  };
}

/** Undefined if it was ended from outside: then what came before it counts. */
async function unlessEnded<Value>(
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

class Reduction {
  tried = 0;
  taken = 0;
  readonly #rules: readonly SimplificationRule[];

  constructor(
    private readonly property: Property,
    private readonly options: ReduceOptions,
  ) {
    this.#rules = options.rules ?? simplificationRuleNames;
  }

  /** Every formula on the way down, the smallest last. */
  async minimized(start: Script, isStrict: boolean): Promise<readonly Script[]> {
    const { jobs, signal, onProgress } = this.options;
    const path: Script[] = [];
    let size = printScript(start).length;
    let last: string | undefined;
    const tell = (formula: Script): void =>
      onProgress?.({ size, tried: this.tried, taken: this.taken, rule: last }, formula);
    await minimize(
      start,
      (formula) => simplifications(formula, this.#rules),
      (formula, stop) => this.#holds(formula, isStrict, stop),
      {
        jobs,
        signal,
        onTried: () => {
          this.tried++;
          tell(path.at(-1) ?? start);
        },
        onStep: (formula, rule) => {
          this.taken++;
          path.push(formula);
          size = printScript(formula).length;
          last = rule;
          tell(formula);
        },
      },
    );
    return path;
  }

  /** The end of a way by the strict rule. */
  async strictly(path: readonly Script[]): Promise<Script> {
    const base = await this.#lastThatHolds(path);
    return (await this.minimized(base, true)).at(-1) ?? base;
  }

  /** The furthest point of a way that stands up to the strict rule, as far as halving finds it. */
  async #lastThatHolds(path: readonly Script[]): Promise<Script> {
    let [low, high] = [0, path.length];
    for (let at = high - 1, tries = 0; low < at && at < high && tries < retreats; tries++) {
      if (this.options.signal.aborted) break;
      if (await this.#holds(path[at] as Script, true, this.options.signal)) low = at;
      else high = at;
      at = Math.floor((low + high) / 2);
    }
    return path[low] as Script;
  }

  async #holds(formula: Script, isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { known } = this.options;
    const before = known.get(formula, isStrict);
    if (before !== undefined) return before;
    const verdict = await this.property.holds(formula, isStrict, signal);
    await known.add(formula, isStrict, verdict);
    return verdict;
  }
}
