import { measure, type Script } from '../../smtlib/index.js';

/** How far one formula moves what is believed. */
const rate = 0.3;

/** What is said of a formula before anything was seen. */
const firstGuess = 0.1;

/** The natural logarithm of a size that says nothing either way. */
const middleSize = 3;

/**
 * How likely no version answers a formula in time, told by its operators and its size: most of a search's time goes to
 * such formulas, and nothing comes of them. A logistic regression that learns from one formula after another, each
 * weight the more slowly the more was seen of it (AdaGrad).
 */
export class Hardness {
  readonly #weights = new Map<string, { weight: number; seen: number }>();
  #seenAny = false;

  /** From 0 to 1. */
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
    ['size', Math.log(1 + nodes) - middleSize],
  ]);
  // That it is there at all, and how often.
  for (const [operator, count] of operators) features.set(`(${operator}`, 0.5 + Math.log(1 + count));
  return features;
}
