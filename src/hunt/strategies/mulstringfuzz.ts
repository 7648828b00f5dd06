/**
 * MulStringFuzz, Algorithm 1: NSGA-II over time, coverage and complexity, with diversity measured on execution
 * traces.
 */

import { z } from 'zod';
import { type PackedCounts, similarity } from '../../coverage/index.js';
import type { Random } from '../../machine/index.js';
import {
  crossover,
  generate,
  measure,
  mutate,
  printScript,
  type RuleName,
  type Script,
} from '../../smtlib/index.js';
import { type Runs, slowdownIn, spentMs } from '../../solver/index.js';
import { classicalCrowding, traceCrowding } from '../pareto/crowding.js';
import { frontsOf, type Scores } from '../pareto/fronts.js';
import { crowdedTournaments, type Standing, survivors, tournaments } from '../pareto/selection.js';
import { randomParameters } from '../search/adaptive-parameters.js';
import { CoverageScorer } from '../search/coverage-score.js';
import {
  type Lane,
  type Member,
  type Origin,
  type Search,
  type SearchInput,
  type Step,
  type Strategy,
  strategy,
  type TrialResult,
} from '../strategy.js';
import { evolutionOptions } from './evolution.js';
import { type Population, Populations } from './populations.js';

interface Individual extends Member {
  readonly executed: PackedCounts;
}

/** Eq. 1, from the target's and the reference's time. */
export function timeScore(target: number, reference: number): number {
  return target <= reference ? target : target + (target - reference);
}

/** Eq. 1 with the fastest older version as the reference, in milliseconds. */
export function timeScoreOf(member: Member): number {
  return timeScore(targetMs(member), Math.min(...member.runs.slice(0, -1).map(timeOf)));
}

const targetMs = ({ runs }: Member): number => timeOf(runs.at(-1));
const timeOf = (run: Runs[number]): number => (run === undefined ? 0 : spentMs(run));

/** The objectives to maximize. To add one, add a row. */
const objectives = {
  time: timeScoreOf,
  'target-time': targetMs,
  coverage: ({ executed }, most) => most.score(executed),
  complexity: ({ formula }) => -measure(formula).complexity,
} satisfies Readonly<Record<string, (individual: Individual, most: CoverageScorer) => number>>;

type ObjectiveName = keyof typeof objectives;
const objectiveNames = Object.keys(objectives) as [ObjectiveName, ...ObjectiveName[]];

/** The seven mutations of III.E, in the paper's order. */
export const mutationRules: readonly RuleName[] = [
  'new-variable',
  'delete-variable',
  'add-assertion',
  'delete-assertion',
  'fuzz-literal',
  'replace-operator',
  'swap-subterms',
];

type Crowding = 'trace' | 'classical';

const optionsFor = (chosen: readonly ObjectiveName[], crowding: Crowding) =>
  z.object({
    ...evolutionOptions,
    /** The objectives to maximize. */
    objectives: z
      .array(z.enum(objectiveNames))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'name each objective once')
      .default([...chosen]),
    /** The diversity measure: trace similarity (Eq. 4) or NSGA-II's crowding distance. */
    crowding: z.enum(['trace', 'classical']).default(crowding),
  });

type Options = z.infer<ReturnType<typeof optionsFor>>;

class MultiObjectiveSearch implements Search {
  /** Shared by all lanes: coverage of one lane is not new for another. */
  readonly #most = new CoverageScorer();
  readonly #similarities = new WeakMap<PackedCounts, WeakMap<PackedCounts, number>>();
  readonly #populations = new Populations<Individual>();
  #generations = 0;
  #longestMs = 0;

  constructor(
    private readonly input: SearchInput,
    private readonly options: Options,
  ) {}

  view() {
    const { files, lines } = this.#most;
    return {
      beliefs: [],
      parameters: {
        generations: this.#generations,
        // Counted for the coverage objective only.
        ...(this.options.objectives.includes('coverage') && { files, lines }),
        longestMs: Math.round(this.#longestMs),
      },
    };
  }

  population(): readonly Member[] {
    return this.#populations.members();
  }

  lane(random: Random): Lane {
    return this.#populations.lane((own) => this.#evolved(own, random));
  }

  *#evolved(own: Population<Individual>, random: Random): Lane {
    const { population } = this.options;
    const first: Individual[] = [];
    own.members = first;
    while (first.length < population) first.push(yield* this.#generated(random));
    let parents: readonly Individual[] = first;
    const fronts = frontNumbers(this.#scoresOf(parents));
    const pick = (below: number): number => random.below(below);
    let children = yield* this.#offspring(parents, tournaments(fronts, population, pick), random);
    for (;;) {
      this.#generations++;
      const everybody = [...parents, ...children];
      const standings = this.#standingsOf(everybody);
      const kept = survivors(standings, population);
      parents = kept.flatMap((at) => everybody[at] ?? []);
      own.members = parents;
      const standingsKept = kept.flatMap((at) => standings[at] ?? []);
      children = yield* this.#offspring(parents, crowdedTournaments(standingsKept, population, pick), random);
    }
  }

  *#generated(random: Random): Generator<Step, Individual, TrialResult> {
    const { logic } = this.input;
    const parameters = randomParameters(this.options, random);
    return yield* this.#measured(generate(random, { logic, ...parameters }), 'generated');
  }

  *#measured(formula: Script, origin: Origin): Generator<Step, Individual, TrialResult> {
    const { runs, executed } = yield { step: 'try', formula, origin, measuring: 'full', isCounted: true };
    if (executed === undefined) throw new Error('what was executed is not known');
    if (slowdownIn(runs, this.input.slowness) !== undefined)
      yield { step: 'found', formula, runs, by: origin };
    this.#longestMs = Math.max(this.#longestMs, timeOf(runs.at(-1)));
    return { formula, runs, executed };
  }

  /** Lines 10 to 12. Coverage scores change over time and are computed again; times are not measured again. */
  #scoresOf(everybody: readonly Individual[]): readonly Scores[] {
    return everybody.map((individual) =>
      this.options.objectives.map((name) => objectives[name](individual, this.#most)),
    );
  }

  #standingsOf(everybody: readonly Individual[]): readonly Standing[] {
    const scores = this.#scoresOf(everybody);
    const standings: Standing[] = [];
    for (const [number, front] of frontsOf(scores).entries()) {
      const crowding =
        this.options.crowding === 'classical'
          ? classicalCrowding(front.map((at) => scores[at] ?? []))
          : traceCrowding(
              front.flatMap((at) => everybody[at]?.executed ?? []),
              (a, b) => this.#similarity(a, b),
            );
      for (const [place, at] of front.entries())
        standings[at] = { front: number, crowding: crowding[place] ?? 0 };
    }
    return standings;
  }

  #similarity(a: PackedCounts, b: PackedCounts): number {
    const known = this.#similarities.get(a) ?? new WeakMap<PackedCounts, number>();
    this.#similarities.set(a, known);
    const similar = known.get(b) ?? similarity(a, b);
    known.set(b, similar);
    return similar;
  }

  /**
   * Crosses parents in pairs and mutates each child, by the probabilities. Duplicates are neither run nor counted
   * again; otherwise copies of the best would take over the population.
   */
  *#offspring(
    parents: readonly Individual[],
    chosen: readonly number[],
    random: Random,
  ): Generator<Step, readonly Individual[], TrialResult> {
    const { crossoverProbability, mutationProbability } = this.options;
    const formulas = chosen.flatMap((at) => parents[at]?.formula ?? []);
    const origins: Origin[] = formulas.map(() => 'crossed');
    for (let at = 0; at + 1 < formulas.length; at += 2) {
      const [first, second] = [formulas[at], formulas[at + 1]];
      if (first === undefined || second === undefined || !random.chance(crossoverProbability)) continue;
      const crossed = crossover(first, second, random);
      if (crossed !== undefined) formulas.splice(at, 2, ...crossed);
    }
    for (const [at, formula] of formulas.entries()) {
      if (!random.chance(mutationProbability)) continue;
      const { depth, literalLength } = randomParameters(this.options, random);
      const mutant = mutate(formula, random, { depth, literalLength }, mutationRules);
      if (mutant === undefined) continue;
      formulas[at] = mutant.script;
      origins[at] = 'mutated';
    }
    const known = new Set(parents.map(({ formula }) => printScript(formula)));
    const children: Individual[] = [];
    for (const [at, formula] of formulas.entries()) {
      const text = printScript(formula);
      if (known.has(text)) continue;
      known.add(text);
      children.push(yield* this.#measured(formula, origins[at] ?? 'crossed'));
    }
    // Without a new formula, the population would never change again.
    if (children.length === 0) children.push(yield* this.#generated(random));
    return children;
  }
}

/** Each member's front number. */
function frontNumbers(scores: readonly Scores[]): readonly number[] {
  const numbers = scores.map(() => 0);
  for (const [number, front] of frontsOf(scores).entries()) for (const at of front) numbers[at] = number;
  return numbers;
}

const variant = (
  says: string,
  chosen: readonly ObjectiveName[],
  crowding: Crowding = 'trace',
): Strategy<ReturnType<typeof optionsFor>> =>
  strategy({
    summary: says,
    isCounting: true,
    timeoutMs: 5000,
    options: optionsFor(chosen, crowding),
    start: (input, options) => new MultiObjectiveSearch(input, options),
  });

/** The variants of Table I. */
export const mulstringfuzz = variant(
  'MulStringFuzz as published: evolution over time, coverage and complexity at once',
  ['time', 'coverage', 'complexity'],
);
export const mulstringfuzzOnlyTime = variant(
  'MulStringFuzz with the newest version’s time instead of the difference',
  ['target-time', 'coverage', 'complexity'],
);
export const mulstringfuzzNoCoverage = variant('MulStringFuzz without the coverage objective', [
  'time',
  'complexity',
]);
export const mulstringfuzzNoComplexity = variant('MulStringFuzz without the complexity objective', [
  'time',
  'coverage',
]);
export const mulstringfuzzDefaultCrowding = variant(
  'MulStringFuzz with NSGA-II’s crowding distance',
  ['time', 'coverage', 'complexity'],
  'classical',
);
