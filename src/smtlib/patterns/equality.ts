import { randomText } from '../generating/literal-source.js';
import type { Term } from '../tree.js';
import { equal, joined, type Pattern, string, stringFormula, variable } from './pattern.js';

export interface EqualityParameters {
  /** Number of concatenations equal to the first variable. */
  readonly expressions: number;
  /** Parts of each concatenation, at least two; the first and the last are literals. */
  readonly terms: number;
  readonly prefixLength: number;
  readonly suffixLength: number;
  readonly infixProbability: number;
  readonly infixLength: number;
  /** `random` treats the lengths above as maxima. */
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
  summary: 'a variable equal to several concatenations of literals and other variables',
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
