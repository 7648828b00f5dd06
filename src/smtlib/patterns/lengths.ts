import { itemAt } from '../collections.js';
import { apply, type Term } from '../tree.js';
import { lengthOf, number, type Pattern, stringFormula, variable } from './pattern.js';

export interface LengthsParameters {
  readonly variables: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly concats: number;
  readonly relations: 'equal' | 'random';
}

const relations: Record<LengthsParameters['relations'], readonly string[]> = {
  equal: ['='],
  random: ['=', '<', '>'],
};

const defaults: LengthsParameters = {
  variables: 5,
  minLength: 0,
  maxLength: 10,
  concats: 0,
  relations: 'equal',
};

export const lengths: Pattern<LengthsParameters> = {
  summary: 'variables of given lengths, some of them concatenated',
  defaults,
  generate(random, parameters = {}) {
    const all = { ...defaults, ...parameters };
    const variables = [...Array(all.variables).keys()];
    const chosen = variables.map(() => random.between(all.minLength, Math.max(all.minLength, all.maxLength)));
    const compared = (length: number, term: Term): Term =>
      apply(random.pick(relations[all.relations]), number(length), lengthOf(term));
    const assertions = chosen.map((length, i) => compared(length, variable(i)));
    const pairs = Math.min(all.concats, Math.floor(all.variables / 2));
    const shuffled = random.shuffled(variables);
    for (let i = 0; i < pairs; i++) {
      const [a, b] = [itemAt(shuffled, 2 * i), itemAt(shuffled, 2 * i + 1)];
      const sum = itemAt(chosen, a) + itemAt(chosen, b);
      assertions.push(compared(sum, apply('str.++', variable(a), variable(b))));
    }
    return stringFormula(all.variables, assertions);
  },
};
