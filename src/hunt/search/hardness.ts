import { measure, type Script } from '../../smtlib/index.js';

/** The learning rate. */
const rate = 0.3;

/** The estimate before any observation. */
const firstGuess = 0.1;

/** The natural logarithm of a size that is neutral evidence. */
const neutralSize = 3;

/**
 * Estimates the probability that no version answers a formula in time, from its operators and size. Such formulas
 * would take most of a search's time. An online logistic regression whose learning rate per weight decreases with the
 * gradients seen (AdaGrad).
 */
export class Hardness {
  readonly #weights = new Map<string, { weight: number; seen: number }>();
  #seenAny = false;

  /** A probability. */
  of(formula: Script): number {
    return this.#seenAny ? this.#guess(featuresOf(formula)) : firstGuess;
  }

  observe(formula: Script, isHard: boolean): void {
    const features = featuresOf(formula);
    const error = this.#guess(features) - (isHard ? 1 : 0);
    for (const [name, value] of features) {
      const own = this.#weights.get(name) ?? { weight: 0, seen: 1 };
      const slope = error * value;
      own.seen += slope * slope;
      own.weight -= (rate * slope) / Math.sqrt(own.seen);
      this.#weights.set(name, own);
    }
    this.#seenAny = true;
  }

  #guess(features: ReadonlyMap<string, number>): number {
    let sum = 0;
    for (const [name, value] of features) sum += (this.#weights.get(name)?.weight ?? 0) * value;
    return 1 / (1 + Math.exp(-sum));
  }
}

function featuresOf(formula: Script): ReadonlyMap<string, number> {
  const { operators, nodes } = measure(formula);
  const features = new Map([
    ['', 1],
    ['size', Math.log(1 + nodes) - neutralSize],
  ]);
  // Presence and logarithmic count.
  for (const [operator, count] of operators) features.set(`(${operator}`, 0.5 + Math.log(1 + count));
  return features;
}
