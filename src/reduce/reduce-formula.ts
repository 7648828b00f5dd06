/** A formula made as small as it can be while a property holds. */

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
import type { KnownVerdicts } from './known.js';
import { minimize } from './minimize.js';
import type { Property } from './property.js';

export interface Progress {
  /** Characters of the smallest formula so far. */
  readonly size: number;
  readonly tried: number;
  readonly taken: number;
  /** Tried in vain since the last step that was taken: it ends when nothing else is left to try. */
  readonly inVain: number;
  /** Which of the three steps below it is at. */
  readonly step: 1 | 2 | 3;
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
  /** No single rule makes it smaller any more, as far as that is sure; not so where it was ended early. */
  readonly isMinimal: boolean;
  /** The property held when the result was looked at with all care. */
  readonly isSure: boolean;
}

/** The order in which steps are tried, and by which rule they are held. */
interface Manner {
  readonly isStrict: boolean;
  readonly isOtherOrder: boolean;
}

const usual: Manner = { isStrict: false, isOtherOrder: false };

/** A result of more characters than this may have a smaller neighbour that other steps lead to. */
const muchLeft = 100;

/** Steps back from a result that does not stand up to the strict rule, by halves of the way. */
const retreats = 6;
/** The same from one that does not stand up to the closest look, which takes longer. */
const sureRetreats = 5;

/**
 * Steps:
 * 1. By the property's quicker rule, everything that can go goes. Where much is left, once more from where only whole
 *    commands had gone, in another order: which steps come first decides where they end.
 * 2. By its strict rule: where the result does not stand up to it, half of the way is taken back until it does; from
 *    there on again, so that the end is minimal by the strict rule.
 * 3. The result is looked at with all care. Where it does not stand up to that, as when it is slow by a hair, half of
 *    the way is taken back until it does.
 *
 * @returns a fault if the property does not hold of the formula in the first place
 */
export async function reduceFormula(
  start: Script,
  property: Property,
  options: ReduceOptions,
): Promise<Reduced | Fault> {
  const { signal, known } = options;
  const reduction = new Reduction(property, options);
  if (!(await property.holds(start, true, signal)))
    return new Fault('text', await property.whyNot(start, signal));
  const first = [start, ...(await reduction.minimized(start, usual))];
  const path = (await unlessEnded(signal, () => reduction.smallerWay(first))) ?? first;
  reduction.begin(2);
  const way = (await unlessEnded(signal, () => reduction.strictly(path))) ?? path;
  await known.write();
  reduction.begin(3);
  const sure = await unlessEnded(signal, () => reduction.surest(way));
  return {
    formula: sure?.formula ?? way.at(-1) ?? start,
    tried: reduction.tried,
    taken: reduction.taken,
    remembered: known.hits,
    isMinimal: sure !== undefined,
    isSure: sure?.isSure ?? false,
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

function sizeOf(formula: Script | undefined): number {
  return formula === undefined ? Number.POSITIVE_INFINITY : printScript(formula).length;
}

class Reduction {
  tried = 0;
  taken = 0;
  #inVain = 0;
  #step: Progress['step'] = 1;
  #lastRule: string | undefined;
  readonly #rules: readonly SimplificationRule[];
  /** The rule behind each step that was taken. */
  readonly #ruleOf = new Map<Script, string>();
  /** What was told of last. */
  #smallest: { readonly formula: Script; readonly size: number } | undefined;

  constructor(
    private readonly property: Property,
    private readonly options: ReduceOptions,
  ) {
    this.#rules = options.rules ?? simplificationRuleNames;
  }

  /** One of the steps above. */
  begin(step: Progress['step']): void {
    this.#step = step;
    this.#inVain = 0;
    this.#tell();
  }

  #tell(): void {
    if (this.#smallest === undefined) return;
    const { formula, size } = this.#smallest;
    const { tried, taken } = this;
    const [inVain, step, rule] = [this.#inVain, this.#step, this.#lastRule];
    this.options.onProgress?.({ size, tried, taken, inVain, step, rule }, formula);
  }

  /** The shorter of two ways, where the first leaves much. */
  async smallerWay(first: readonly Script[]): Promise<readonly Script[]> {
    const isDeleted = (formula: Script): boolean => deletingRules.has(this.#ruleOf.get(formula) ?? '');
    const fork = first.findIndex((formula, at) => at > 0 && !isDeleted(formula)) - 1;
    const start = first[fork];
    const firstSize = sizeOf(first.at(-1));
    if (start === undefined || this.options.rules !== undefined || firstSize <= muchLeft) return first;
    const other = await this.minimized(start, { isStrict: false, isOtherOrder: true });
    return sizeOf(other.at(-1)) < firstSize ? [...first.slice(0, fork + 1), ...other] : first;
  }

  /** Every formula on the way down, the smallest last. */
  async minimized(start: Script, { isStrict, isOtherOrder }: Manner): Promise<readonly Script[]> {
    const { jobs, signal } = this.options;
    const path: Script[] = [];
    // A second way is told of only where it is the shorter one.
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
          this.#inVain++;
          this.#tell();
        },
        onStep: (formula, rule) => {
          this.taken++;
          this.#inVain = 0;
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

  /** A way that stands up to the strict rule from somewhere on. */
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

  /** The furthest point of a way that stands up to the closest look, as far as halving finds it; its end if none does. */
  async surest(
    way: readonly Script[],
  ): Promise<{ readonly formula: Script | undefined; readonly isSure: boolean }> {
    let [low, high] = [-1, way.length];
    for (let at = high - 1, tries = 0; low < at && at < high && tries < sureRetreats; tries++) {
      const formula = way[at];
      if (formula === undefined) break;
      const isSure = await this.property.isSure?.(formula, this.options.signal);
      if (isSure ?? true) low = at;
      else high = at;
      at = Math.floor((low + high) / 2);
    }
    const surest = way[low];
    return surest === undefined ? { formula: way.at(-1), isSure: false } : { formula: surest, isSure: true };
  }

  /** The furthest point of a way that stands up to the strict rule, as far as halving finds it. */
  async #lastThatHolds(path: readonly Script[]): Promise<number> {
    let [low, high] = [0, path.length];
    for (let at = high - 1, tries = 0; low < at && at < high && tries < retreats; tries++) {
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
    // What is not slow by the quicker rule is not slow by the strict one.
    if (isStrict && known.get(formula, false) === false) return false;
    const verdict = await this.property.holds(formula, isStrict, signal);
    await known.add(formula, isStrict, verdict);
    return verdict;
  }
}
