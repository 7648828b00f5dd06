/** A single-objective genetic search, as MulStringFuzz IV.B runs StringFuzz. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import { crossover, generate, mutate, printScript, type RuleName, type Script } from '../../smtlib/index.js';
import { type Runs, slowdownIn } from '../../solver/index.js';
import { randomParameters, rangeOptions } from '../search/adaptive-parameters.js';
import {
  type Lane,
  type Member,
  measured,
  type Origin,
  type Search,
  type SearchInput,
  type Step,
  type TrialResult,
} from '../strategy.js';
import { type Population, Populations } from './populations.js';

export const evolutionOptions = {
  population: z.number().int().min(2).max(100_000).default(40),
  crossoverProbability: z.number().min(0).max(1).default(0.75),
  mutationProbability: z.number().min(0).max(1).default(0.25),
  ...rangeOptions,
};

const schema = z.object(evolutionOptions);
type EvolutionOptions = z.infer<typeof schema>;

/** StringFuzz's mutations. */
const stringFuzzRules: readonly RuleName[] = [
  'fuzz-literal',
  'replace-operator',
  'swap-subterms',
  'replace-subterm',
  'add-assertion',
  'delete-assertion',
];

interface Individual extends Member {
  readonly fitness: number;
}

/** @param fitness the objective to maximize */
export function evolution(
  input: SearchInput,
  options: EvolutionOptions,
  fitness: (runs: Runs) => number,
): Search {
  let best = 0;
  let generations = 0;
  const populations = new Populations<Individual>();

  function* evaluated(formula: Script, origin: Origin): Generator<Step, Individual, TrialResult> {
    const { runs, executed } = yield* measured(formula, origin, 'full');
    if (slowdownIn(runs, input.slowness) !== undefined) yield { step: 'found', formula, runs, by: origin };
    const own = fitness(runs);
    best = Math.max(best, own);
    return { formula, runs, executed, fitness: own };
  }

  function* generated(random: Random): Generator<Step, Individual, TrialResult> {
    const parameters = randomParameters(options, random);
    return yield* evaluated(generate(random, { logic: input.logic, ...parameters }), 'generated');
  }

  /** A binary tournament. */
  const chosen = (population: readonly Individual[], random: Random): Script => {
    const [a, b] = [random.pick(population), random.pick(population)];
    return (a.fitness >= b.fitness ? a : b).formula;
  };

  /** Crossed, mutated, both or neither, by the probabilities. */
  const child = (
    population: readonly Individual[],
    random: Random,
  ): { readonly formula: Script; readonly origin: Origin } => {
    const parent = chosen(population, random);
    const crossed = random.chance(options.crossoverProbability)
      ? crossover(parent, chosen(population, random), random)?.[0]
      : undefined;
    const formula = crossed ?? parent;
    const mutant = random.chance(options.mutationProbability) ? mutated(formula, random) : undefined;
    return { formula: mutant ?? formula, origin: mutant === undefined ? 'crossed' : 'mutated' };
  };

  /** New parts get random parameters, as generated formulas do. */
  const mutated = (formula: Script, random: Random): Script | undefined => {
    const { depth, literalLength } = randomParameters(options, random);
    return mutate(formula, random, { depth, literalLength }, stringFuzzRules)?.script;
  };

  function* evolved(own: Population<Individual>, random: Random): Lane {
    const population: Individual[] = [];
    own.members = population;
    while (population.length < options.population) population.push(yield* generated(random));
    for (let parents: readonly Individual[] = population; ; generations++) {
      // Duplicates are neither run nor counted again; otherwise copies of the best would take over the population.
      const all = new Map(parents.map((individual) => [printScript(individual.formula), individual]));
      for (let left = options.population; left > 0; left--) {
        const { formula, origin } = child(parents, random);
        const text = printScript(formula);
        if (!all.has(text)) all.set(text, yield* evaluated(formula, origin));
      }
      const everybody = [...all.values()];
      // Without a new formula, the population would never change again.
      if (everybody.length === parents.length) everybody.push(yield* generated(random));
      parents = everybody.toSorted((a, b) => b.fitness - a.fitness).slice(0, options.population);
      own.members = parents;
    }
  }

  return {
    lane: (random) => populations.lane((own) => evolved(own, random)),
    population: () => populations.members(),
    view: () => ({ beliefs: [], parameters: { generations, bestFitnessMs: Math.round(best) } }),
  };
}
