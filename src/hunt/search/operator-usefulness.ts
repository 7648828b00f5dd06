import { measure, type Script } from '../../smtlib/index.js';

/** Pseudo-count: each operator starts with this many useful formulas. */
const prior = 20;

/** The minimum, so that no operator is excluded. */
const least = 0.1;

/** How often any version answers formulas with an operator, relative to all formulas. */
export class OperatorUsefulness {
  readonly #seen = new Map<string, { useful: number; all: number }>();
  #useful = prior;
  #all = prior;

  observe(formula: Script, isUseful: boolean): void {
    const gain = isUseful ? 1 : 0;
    this.#useful += gain;
    this.#all++;
    for (const operator of measure(formula).operators.keys()) {
      const seen = this.#seen.get(operator) ?? { useful: prior, all: prior };
      seen.useful += gain;
      seen.all++;
      this.#seen.set(operator, seen);
    }
  }

  /** From `least` to 1; 1 if answered at least as often as the average. */
  of(operator: string): number {
    const seen = this.#seen.get(operator);
    if (seen === undefined) return 1;
    const average = this.#useful / this.#all;
    // The fourth power: an operator with half the average rate is nearly excluded.
    return Math.max(least, Math.min(1, (seen.useful / seen.all / average) ** 4));
  }
}
