import type { Random } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';

/** A bounded pool of the formulas with the highest scores, such as closeness to a slowdown, for mutation. */
export class NearFormulas {
  /** The best first. */
  #kept: readonly { readonly formula: Script; readonly score: number }[] = [];

  constructor(private readonly room: number) {}

  get count(): number {
    return this.#kept.length;
  }

  keep(formula: Script, score: number): void {
    this.#kept = [{ formula, score }, ...this.#kept]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, this.room);
  }

  forgetUnless(isWorthKeeping: (formula: Script) => boolean): void {
    this.#kept = this.#kept.filter(({ formula }) => isWorthKeeping(formula));
  }

  /** Prefers formulas with higher scores. */
  pick(random: Random): Script | undefined {
    const { length } = this.#kept;
    return length === 0
      ? undefined
      : this.#kept[Math.min(random.below(length), random.below(length))]?.formula;
  }
}
