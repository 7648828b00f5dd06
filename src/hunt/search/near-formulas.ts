import type { Random } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';

/** Formulas that came near a slowdown, kept for mutation: the best ones, as many as there is room for. */
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

  /** The better, the likelier. */
  pick(random: Random): Script | undefined {
    const { length } = this.#kept;
    return length === 0
      ? undefined
      : this.#kept[Math.min(random.below(length), random.below(length))]?.formula;
  }
}
