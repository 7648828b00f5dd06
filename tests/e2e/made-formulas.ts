/** Formulas of every generated kind: each logic, family and rule, in single steps and in chains. */

import type { Random } from '../../src/machine/index.js';
import {
  crossover,
  generate,
  logicNames,
  mutate,
  operatorsFor,
  patternNames,
  patterns,
  replaceOperatorBy,
  ruleNames,
  rules,
  type Script,
} from '../../src/smtlib/index.js';

/** Generates formulas of one kind, or none if the rule does not apply to the chosen formula. */
export type Maker = (random: Random) => readonly Script[];

function base(random: Random): Script {
  if (random.chance(0.2)) return patterns[random.pick(patternNames)].generate(random);
  return generate(random, {
    logic: random.pick(logicNames),
    literals: random.chance(0.5) ? 'random' : 'meaningful',
    depth: random.between(2, 5),
    literalLength: random.between(0, 20),
    variables: random.between(1, 5),
    literalProbability: random.pick([0.1, 0.5, 0.9]),
  });
}

function chain(random: Random, length: number): Script {
  let script = base(random);
  for (let i = 0; i < length; i++) script = mutate(script, random)?.script ?? script;
  return script;
}

const some = (script: Script | undefined): readonly Script[] => (script === undefined ? [] : [script]);

const regexOperators = ['re.*', 're.+', 're.union', 're.inter', 're.++'] as const;

export const makers: Readonly<Record<string, Maker>> = {
  ...Object.fromEntries(
    logicNames.map((logic): [string, Maker] => [
      `generate ${logic}`,
      (random) => [
        generate(random, {
          logic,
          literals: random.chance(0.5) ? 'random' : 'meaningful',
          depth: random.between(1, 6),
          literalLength: random.between(0, 30),
          variables: random.between(1, 6),
          assertions: random.between(1, 8),
          literalProbability: random.pick([0.1, 0.5, 0.9]),
        }),
      ],
    ]),
  ),
  'family concats': (random) => [
    patterns.concats.generate(random, {
      depth: random.between(1, 6),
      shape: random.pick(['nested', 'balanced', 'chained'] as const),
      solution: random.pick([undefined, '', 'solution']),
      extracts: random.below(6),
    }),
  ],
  'family lengths': (random) => [
    patterns.lengths.generate(random, {
      variables: random.between(1, 8),
      concats: random.below(5),
      relations: random.pick(['equal', 'random'] as const),
    }),
  ],
  'family overlaps': (random) => [
    patterns.overlaps.generate(random, { variables: random.between(1, 5), literalLength: random.below(8) }),
  ],
  'family equality': (random) => [
    patterns.equality.generate(random, {
      expressions: random.between(1, 4),
      terms: random.between(2, 9),
      suffixLength: random.below(4),
      infixProbability: random.pick([0, 0.3]),
      lengths: random.pick(['exact', 'random'] as const),
    }),
  ],
  'family regex': (random) => [
    patterns.regex.generate(random, {
      regexes: random.between(1, 3),
      terms: random.between(1, 4),
      depth: random.below(4),
      literals: random.pick(['increasing', 'random'] as const),
      membership: random.pick(['in', 'not-in', 'alternating', 'random'] as const),
      operators: random.sample(regexOperators, random.between(1, 5)),
      order: random.pick(['alternating', 'random'] as const),
      minLength: random.pick([undefined, 2]),
      maxLength: random.pick([undefined, 9]),
    }),
  ],
  ...Object.fromEntries(
    ruleNames.map((rule): [string, Maker] => [
      `rule ${rule}`,
      (random) => some(rules[rule].apply(chain(random, random.below(4)), random)),
    ]),
  ),
  'bandit action': (random) => {
    const script = base(random);
    const operators = operatorsFor(script);
    return operators.length === 0 ? [] : some(replaceOperatorBy(script, random.pick(operators), random));
  },
  crossover: (random) => crossover(base(random), base(random), random) ?? [],
  'chain of mutations': (random) => [chain(random, random.between(5, 25))],
};
