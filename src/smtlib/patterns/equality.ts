import { randomText } from '../generating/literal-source.js';
import type { Term } from '../tree.js';
import { equal, joined, type Pattern, string, stringFormula, variable } from './pattern.js';

export interface EqualityParameters {
  /** How many concatenations the first variable is equal to. */
  readonly expressions: number;
  /** How many parts each of them has, the first and the last of them literals; two at least. */
  readonly terms: number;
  readonly prefixLength: number;
  readonly suffixLength: number;
  /** How many of the parts in between are literals. */
  readonly infixProbability: number;
  readonly infixLength: number;
  /** `random` takes the lengths above as the longest ones. */
  readonly lengths: 'exact' | 'random';
}

const defaults: EqualityParameters = {
  expressions: 2,
  terms: 7,
  prefixLength: 5,
  suffixLength: 0,
  infixProbability: 0,
  infixLength: 3,
  lengths: 'exact',
};

export const equality: Pattern<EqualityParameters> = {
  says: 'one variable equal to several concatenations of literals and other variables',
  defaults,
  generate(random, parameters = {}) {
    const all = { ...defaults, ...parameters };
    const literal = (length: number): Term =>
      string(randomText(random, all.lengths === 'exact' ? length : random.between(0, length)));
    let count = 1;
    const assertions: Term[] = [];
    for (let i = 0; i < Math.max(1, all.expressions); i++) {
      const parts = [literal(all.prefixLength)];
      for (let k = 2; k < all.terms; k++) {
        parts.push(random.chance(all.infixProbability) ? literal(all.infixLength) : variable(count++));
      }
      parts.push(literal(all.suffixLength));
      assertions.push(equal(variable(0), joined('str.++', parts)));
    }
    return stringFormula(count, assertions);
  },
};
