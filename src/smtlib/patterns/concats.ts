import type { Random } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import { randomText } from '../generating/literal-source.js';
import { apply, type Term } from '../tree.js';
import { equal, joined, number, type Pattern, string, stringFormula, variable } from './pattern.js';

export interface ConcatsParameters {
  /** Nesting depth or chain length of the concatenations. */
  readonly depth: number;
  /**
   * - `nested`: each concatenation is the last argument of the one before
   * - `balanced`: concatenations in both arguments, 2^depth variables
   * - `chained`: one equation per concatenation, so that only the solver sees the depth
   */
  readonly shape: 'nested' | 'balanced' | 'chained';
  /** The required value of the whole, if any. */
  readonly solution: string | undefined;
  /** Number of characters of variables that are fixed. */
  readonly extracts: number;
  /** The last position of a variable that may be fixed. */
  readonly lastExtract: number;
}

/** Terms over `var1`, `var2`, … that make up the first variable, by shape. */
const makers: Record<ConcatsParameters['shape'], (depth: number) => { count: number; assertions: Term[] }> = {
  nested(depth) {
    const parts = [...Array(depth + 1).keys()].map((i) => variable(i + 1));
    return { count: depth + 2, assertions: [equal(variable(0), joined('str.++', parts))] };
  },
  balanced(depth) {
    let level: Term[] = [...Array(2 ** depth).keys()].map((i) => variable(i + 1));
    const count = level.length + 1;
    while (level.length > 1) {
      const pairs: Term[] = [];
      for (let i = 0; i < level.length; i += 2) {
        pairs.push(apply('str.++', itemAt(level, i), itemAt(level, i + 1)));
      }
      level = pairs;
    }
    return { count, assertions: [equal(variable(0), itemAt(level, 0))] };
  },
  chained(depth) {
    const assertions: Term[] = [];
    for (let i = 0; i < depth; i++) {
      const at = 2 * i;
      assertions.push(equal(variable(at), apply('str.++', variable(at + 1), variable(at + 2))));
    }
    return { count: 2 * depth + 1, assertions };
  },
};

/** Equations that fix characters; no position occurs twice, so they do not contradict each other. */
function extractsFrom(random: Random, count: number, parameters: ConcatsParameters): Term[] {
  const positions = parameters.lastExtract + 1;
  const wanted = Math.min(parameters.extracts, count * positions);
  const chosen = new Set<number>();
  while (chosen.size < wanted) chosen.add(random.below(count * positions));
  return [...chosen].map((position) =>
    equal(
      string(randomText(random, 1)),
      apply('str.at', variable(Math.floor(position / positions)), number(position % positions)),
    ),
  );
}

const defaults: ConcatsParameters = {
  depth: 5,
  shape: 'nested',
  solution: undefined,
  extracts: 0,
  lastExtract: 10,
};

export const concats: Pattern<ConcatsParameters> = {
  summary: 'a variable equal to nested concatenations of many others',
  defaults,
  generate(random, parameters = {}) {
    const all = { ...defaults, ...parameters };
    const { count, assertions } = makers[all.shape](Math.max(1, all.depth));
    if (all.solution !== undefined) assertions.push(equal(variable(0), string(all.solution)));
    assertions.push(...extractsFrom(random, count, all));
    return stringFormula(count, assertions);
  },
};
