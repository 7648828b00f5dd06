import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import { randomText } from '../generating/literal-source.js';
import { apply, type Term } from '../tree.js';
import { joined, lengthOf, number, type Pattern, string, stringFormula, variable } from './pattern.js';

export type RegexOperator = 're.*' | 're.+' | 're.union' | 're.inter' | 're.++';

export interface RegexParameters {
  /** Number of regular expressions for the one variable. */
  readonly regexes: number;
  /** Concatenated parts of each regular expression. */
  readonly terms: number;
  /** Nesting of operators in a part. */
  readonly depth: number;
  readonly minLiteral: number;
  readonly maxLiteral: number;
  /** `increasing` repeats one letter in a literal and takes the next letter for the next literal. */
  readonly literals: 'increasing' | 'random';
  /** Restart with the first letter for each regular expression. */
  readonly restartsLetters: boolean;
  readonly membership: 'in' | 'not-in' | 'alternating' | 'random';
  readonly operators: readonly RegexOperator[];
  /** `alternating` cycles through the operators from the outside in. */
  readonly order: 'alternating' | 'random';
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
}

const argumentCount: Record<RegexOperator, 1 | 2> = {
  're.*': 1,
  're.+': 1,
  're.union': 2,
  're.inter': 2,
  're.++': 2,
};

const isNegated: Record<RegexParameters['membership'], (i: number, random: Random) => boolean> = {
  in: () => false,
  'not-in': () => true,
  alternating: (i) => i % 2 === 1,
  random: (_, random) => random.chance(0.5),
};

const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

class Writer {
  private letter = 0;

  constructor(
    private readonly random: Random,
    private readonly parameters: RegexParameters,
  ) {}

  private literal(): Term {
    const { minLiteral, maxLiteral, literals } = this.parameters;
    const length = this.random.between(Math.max(1, minLiteral), Math.max(1, minLiteral, maxLiteral));
    const content =
      literals === 'random'
        ? randomText(this.random, length)
        : letters.charAt(this.letter++ % letters.length).repeat(length);
    return apply('str.to_re', string(content));
  }

  private part(depth: number, turn: number): Term {
    const { operators, order } = this.parameters;
    if (depth === 0 || operators.length === 0) return this.literal();
    const operator =
      order === 'random' ? this.random.pick(operators) : itemAt(operators, turn % operators.length);
    const args: Term[] = [];
    for (let i = 0; i < argumentCount[operator]; i++) args.push(this.part(depth - 1, turn + 1));
    return apply(operator, ...args);
  }

  regex(): Term {
    const { terms, depth, restartsLetters } = this.parameters;
    if (restartsLetters) this.letter = 0;
    const parts: Term[] = [];
    for (let i = 0; i < Math.max(1, terms); i++) parts.push(this.part(depth, 0));
    return joined('re.++', parts);
  }
}

const defaults: RegexParameters = {
  regexes: 1,
  terms: 3,
  depth: 1,
  minLiteral: 1,
  maxLiteral: 3,
  literals: 'random',
  restartsLetters: false,
  membership: 'in',
  operators: ['re.*', 're.+', 're.union'],
  order: 'random',
  minLength: undefined,
  maxLength: undefined,
};

export const regex: Pattern<RegexParameters> = {
  summary: 'a variable inside or outside regular languages',
  defaults,
  generate(random, parameters = {}) {
    const all = { ...defaults, ...parameters };
    const writer = new Writer(random, all);
    const matched = variable(0);
    const assertions: Term[] = [];
    for (let i = 0; i < Math.max(1, all.regexes); i++) {
      const member = apply('str.in_re', matched, writer.regex());
      assertions.push(isNegated[all.membership](i, random) ? apply('not', member) : member);
    }
    if (all.minLength !== undefined) assertions.push(apply('<=', number(all.minLength), lengthOf(matched)));
    if (all.maxLength !== undefined) assertions.push(apply('<=', lengthOf(matched), number(all.maxLength)));
    return stringFormula(1, assertions);
  },
};
