import { randomText } from '../generating/literal-source.js';
import { apply } from '../tree.js';
import { equal, joined, type Pattern, string, stringFormula, variable } from './pattern.js';

export interface OverlapsParameters {
  readonly variables: number;
  readonly literalLength: number;
}

const defaults: OverlapsParameters = { variables: 2, literalLength: 5 };

export const overlaps: Pattern<OverlapsParameters> = {
  summary: 'a concatenation preceded by a literal equals the same one followed by a literal',
  defaults,
  generate(random, parameters = {}) {
    const all = { ...defaults, ...parameters };
    const count = Math.max(1, all.variables);
    const [left, right] = [randomText(random, all.literalLength), randomText(random, all.literalLength)];
    const middle = joined(
      'str.++',
      [...Array(count).keys()].map((i) => variable(i)),
    );
    return stringFormula(count, [
      equal(apply('str.++', string(left), middle), apply('str.++', middle, string(right))),
    ]);
  },
};
