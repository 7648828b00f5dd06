import type { Random } from '../../machine/index.js';
import { lookUp } from '../../machine/index.js';
import { evaluate, type Value } from '../evaluation/evaluate.js';
import { children, type Sort, type Term } from '../tree.js';

/** Assignments to try before an assertion counts as unsatisfiable. */
const maxGuesses = 24;

/** Strings that satisfy many assertions. */
const commonTexts = ['', '', 'a', '0', '12'];

/** Parts of an assertion from which values for its variables are guessed. */
interface Ingredients {
  readonly variables: ReadonlyMap<string, Sort>;
  readonly texts: readonly string[];
  readonly numbers: readonly bigint[];
}

/**
 * Returns true if the assertion is true, or not evaluable, under one of some guessed assignments. An assertion that
 * needs longer strings than it contains may wrongly count as impossible. An assertion that is always false makes the
 * whole formula trivial.
 *
 * @param sorts of all variables, by name
 */
export function isPossible(assertion: Term, sorts: ReadonlyMap<string, Sort>, random: Random): boolean {
  const ingredients = ingredientsOf(assertion, sorts);
  for (let left = maxGuesses; left > 0; left--) {
    const value = evaluate(assertion, guess(ingredients, random));
    if (value !== false) return true;
    // Without variables, further tries give the same value.
    if (ingredients.variables.size === 0) return false;
  }
  return false;
}

function ingredientsOf(assertion: Term, sorts: ReadonlyMap<string, Sort>): Ingredients {
  const variables = new Map<string, Sort>();
  const texts: string[] = [];
  const numbers: bigint[] = [];
  const waiting: Term[] = [assertion];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (term.kind === 'name') {
      const sort = sorts.get(term.id.symbol);
      if (sort !== undefined) variables.set(term.id.symbol, sort);
    } else if (term.kind === 'string' || term.kind === 'numeral') {
      const value = evaluate(term, new Map());
      if (typeof value === 'string') texts.push(value);
      if (typeof value === 'bigint') numbers.push(value);
    } else for (const child of children(term)) waiting.push(child);
  }
  return { variables, texts, numbers };
}

function guess({ variables, texts, numbers }: Ingredients, random: Random): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, { symbol }] of variables) {
    const value = lookUp(guesses, symbol)?.(random, texts, numbers);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** Likely values by sort. Variables of other sorts get none, so their terms are not evaluable. */
const guesses: Readonly<
  Record<string, (random: Random, texts: readonly string[], numbers: readonly bigint[]) => Value>
> = {
  Bool: (random) => random.chance(0.5),
  Int: (random, texts, numbers) => {
    if (numbers.length > 0 && random.chance(0.3)) return random.pick(numbers) + BigInt(random.between(-1, 1));
    if (texts.length > 0 && random.chance(0.2)) return BigInt(random.pick(texts).length);
    return BigInt(random.between(-1, 4));
  },
  String: (random, texts) => {
    if (texts.length === 0 || random.chance(0.4)) return random.pick(commonTexts);
    const text = random.pick(texts);
    if (random.chance(0.6)) return text;
    const start = random.below(text.length + 1);
    return text.slice(start, start + random.between(1, 3));
  },
};
