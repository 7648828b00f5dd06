/** A plain genetic search over one number, as MulStringFuzz IV.B runs StringFuzz. */

import { z } from 'zod';
import { crossover, generate, mutate, type Random, type RuleName, type Script } from '../../smtlib/index.js';
import { type Runs, slowdownIn } from '../../solver/index.js';
import { randomParameters, rangeOptions } from '../adaptive-parameters.js';
import {
  type Found,
  type Ground,
  type Lane,
  measured,
  type Origin,
  type Search,
  type Trial,
  type Trialled,
} from '../strategy.js';

export const evolutionOptions = {
  population: z.number().int().min(2).max(100_000).default(40),
  crossoverProbability: z.number().min(0).max(1).default(0.75),
  mutationProbability: z.number().min(0).max(1).default(0.25),
  ...rangeOptions,
};

const schema = z.object(evolutionOptions);
type EvolutionOptions = z.infer<typeof schema>;

/** StringFuzz's own ways to change a formula. */
const stringFuzzRules: readonly RuleName[] = [
  'fuzz-literal',
  'replace-operator',
  'swap-subterms',
  'replace-subterm',
  'add-assertion',
  'delete-assertion',
];

interface Individual {
  readonly formula: Script;
  readonly fitness: number;
}

/** @param fitness what evolution makes larger */
export function evolution(
  ground: Ground,
  options: EvolutionOptions,
  fitness: (runs: Runs) => number,
): Search {
  let best = 0;
  let generations = 0;

  function* evaluated(formula: Script, origin: Origin): Generator<Trial | Found, Individual, Trialled> {
    const { runs } = yield* measured(formula, origin, 'full');
    if (slowdownIn(runs, ground.slowness) !== undefined) yield { step: 'found', formula, runs, by: origin };
    const own = fitness(runs);
    best = Math.max(best, own);
    return { formula, fitness: own };
  }

  /** Of two, the better one. */
  const chosen = (population: readonly Individual[], random: Random): Script => {
    const [a, b] = [random.pick(population), random.pick(population)];
    return (a.fitness >= b.fitness ? a : b).formula;
  };

  const child = (population: readonly Individual[], random: Random): { formula: Script; origin: Origin } => {
    const parent = chosen(population, random);
    const crossed = random.chance(options.crossoverProbability)
      ? crossover(parent, chosen(population, random), random)?.[0]
      : undefined;
    const formula = crossed ?? parent;
    const isMutated = crossed === undefined || random.chance(options.mutationProbability);
    const mutant = isMutated ? mutate(formula, random, {}, stringFuzzRules)?.script : undefined;
    return { formula: mutant ?? formula, origin: mutant === undefined ? 'crossed' : 'mutated' };
  };

  return {
    *lane(random): Lane {
      const population: Individual[] = [];
      while (population.length < options.population) {
        const parameters = randomParameters(options, random);
        const formula = generate(random, { logic: ground.logic, ...parameters });
        population.push(yield* evaluated(formula, 'generated'));
      }
      for (let parents: readonly Individual[] = population; ; generations++) {
        const children: Individual[] = [];
        while (children.length < options.population) {
          const { formula, origin } = child(parents, random);
          children.push(yield* evaluated(formula, origin));
        }
        parents = [...parents, ...children]
          .toSorted((a, b) => b.fitness - a.fitness)
          .slice(0, options.population);
      }
    },
    view: () => ({ beliefs: [], parameters: { generations, bestFitnessMs: Math.round(best) } }),
  };
}
