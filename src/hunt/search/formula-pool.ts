import type { Random } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';

/** A bounded pool of the formulas with the highest scores, such as closeness to a slowdown, for mutation. */
export class FormulaPool {
  /** The best first. */
  #best: readonly { readonly formula: Script; readonly score: number }[] = [];

  constructor(private readonly capacity: number) {}

  get count(): number {
    return this.#best.length;
  }

  add(formula: Script, score: number): void {
    this.#best = [{ formula, score }, ...this.#best]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, this.capacity);
  }

  retain(isWorthKeeping: (formula: Script) => boolean): void {
    this.#best = this.#best.filter(({ formula }) => isWorthKeeping(formula));
  }

  /** Prefers formulas with higher scores. */
  pick(random: Random): Script | undefined {
    const { length } = this.#best;
    return length === 0
      ? undefined
      : this.#best[Math.min(random.below(length), random.below(length))]?.formula;
  }
}
