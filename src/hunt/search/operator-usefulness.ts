import { measure, type Script } from '../../smtlib/index.js';

/** As if every operator had been seen this often already, with nothing wrong. */
const prior = 20;

/** However useless an operator seems, it keeps this chance: the next release may handle it. */
const least = 0.1;

/** How often formulas with an operator are answered by any version at all, against formulas without it. */
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

  /** From `least` to 1: 1 for what is answered as often as the average. */
  of(operator: string): number {
    const seen = this.#seen.get(operator);
    if (seen === undefined) return 1;
    const average = this.#useful / this.#all;
    // The fourth power: an operator in half of whose formulas all is lost is hardly worth having.
    return Math.max(least, Math.min(1, (seen.useful / seen.all / average) ** 4));
  }
}
