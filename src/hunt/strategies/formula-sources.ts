/** The formula sources of the culprit strategy. To add one, add a row. */

import type { Random } from '../../machine/index.js';
import {
  crossover,
  generate,
  type LogicName,
  mutate,
  parameterRanges,
  patternNames,
  patterns,
  type Script,
} from '../../smtlib/index.js';
import type { Prior } from '../search/bandit.js';
import type { Origin, SearchInput } from '../strategy.js';

/** The inputs of formula sources. */
export interface Material {
  readonly logic: LogicName;
  readonly corpus: readonly Script[];
  /** How often assertions that seem false on their own are excluded from a new formula. */
  readonly possibleProbability: number;
  /** Draws the operators for a new formula. */
  operators(random: Random): ReadonlySet<string>;
  /** A formula close to a slowdown, if there is one. */
  nearFormula(random: Random): Script | undefined;
  /** A formula that reached new code, if there is one. */
  reachingFormula(random: Random): Script | undefined;
}

export interface SourceFormula {
  readonly formula: Script;
  readonly origin: Origin;
}

interface FormulaSource {
  /** The prior of its bandit arm. */
  readonly prior: (options: SourceOptions) => Prior;
  readonly applies: (input: SearchInput, isCounting: boolean) => boolean;
  /** Undefined if there is no formula to start from. */
  readonly make: (random: Random, material: Material) => SourceFormula | undefined;
}

interface SourceOptions {
  readonly unlikelihood: number;
}

const priorRewards = 1;
const priorFailures = 2;

/** Generated formulas find more kinds than mutated ones, so sources of the latter start with additional failures. */
const likely = (): Prior => ({ rewards: priorRewards, failures: priorFailures });
const unlikely = ({ unlikelihood }: SourceOptions): Prior => ({
  rewards: priorRewards,
  failures: priorFailures + unlikelihood,
});

/** A few literals are long, to reveal algorithms that are slow in a literal's length. */
const literalLengths = [2, 4, 4, 4, 10, 60] as const;
const wideLiteralLengths = [10, 40, 150, 400] as const;
const deepLiteralLengths = [4, 20, 20, 60] as const;
const mutatedLiteralLengths = [1, 4, 10] as const;

/** How often literals match the operators around them. */
const meaningfulProbability = 0.6;

/** How often a literal is chosen for a subterm. */
const literalProbabilities = [0.05, 0.1, 0.2] as const;

const always = (): boolean => true;

/** The order determines the draws, so changing it changes searches. */
export const formulaSources = {
  'one assertion': {
    prior: likely,
    applies: always,
    make: (random, material) => generated(random, material, 1, random.between(2, 5)),
  },
  small: {
    prior: likely,
    applies: always,
    make: (random, material) => generated(random, material, random.between(1, 3), random.between(2, 3)),
  },
  shallow: {
    prior: likely,
    applies: always,
    make: (random, material) => generated(random, material, random.between(3, 6), 2),
  },
  larger: {
    prior: likely,
    applies: always,
    make: (random, material) => generated(random, material, random.between(3, 8), random.between(2, 5)),
  },
  deep: {
    prior: likely,
    applies: always,
    make: (random, material) =>
      generated(random, material, random.between(2, 4), random.between(4, 6), {
        variables: random.between(3, 5),
        literalLength: random.pick(deepLiteralLengths),
      }),
  },
  wide: {
    prior: likely,
    applies: always,
    make: (random, material) =>
      generated(random, material, random.between(4, 12), random.between(2, 3), {
        variables: random.between(4, 12),
        literalLength: random.pick(wideLiteralLengths),
      }),
  },
  large: { prior: likely, applies: always, make: large },
  mutation: { prior: unlikely, applies: always, make: mutated },
  crossover: { prior: unlikely, applies: always, make: crossed },
  structured: {
    prior: unlikely,
    applies: ({ logic }) => logic === 'QF_SLIA',
    make: (random) => ({
      formula: patterns[random.pick(patternNames)].generate(random),
      origin: 'generated',
    }),
  },
  reaching: { prior: unlikely, applies: (_, isCounting) => isCounting, make: fromReaching },
  corpus: { prior: likely, applies: ({ corpus }) => corpus.length > 0, make: fromCorpus },
} satisfies Readonly<Record<string, FormulaSource>>;

export type SourceName = keyof typeof formulaSources;

/** The sources that apply to this search. */
export function sourcesFor(input: SearchInput, isCounting: boolean): readonly SourceName[] {
  const names = Object.keys(formulaSources) as SourceName[];
  return names.filter((name) => formulaSources[name].applies(input, isCounting));
}

interface FormulaSize {
  readonly variables: number;
  readonly literalLength: number;
}

function fewVariables(random: Random): FormulaSize {
  return { variables: random.between(2, 3), literalLength: random.pick(literalLengths) };
}

function generated(
  random: Random,
  material: Material,
  assertions: number,
  depth: number,
  size: FormulaSize = fewVariables(random),
): SourceFormula {
  const isMeaningful = random.chance(meaningfulProbability);
  const formula = generate(random, {
    logic: material.logic,
    assertions,
    depth,
    ...size,
    literals: isMeaningful ? 'meaningful' : 'random',
    literalProbability: random.pick(literalProbabilities),
    possible: random.chance(material.possibleProbability),
    operators: material.operators(random),
  });
  return { formula, origin: 'generated' };
}

/** As SPRFinder generates them (5.1): large formulas combine many causes, and long literals reveal others. */
function large(random: Random, material: Material): SourceFormula {
  const { literalLength, variables, assertions, depth } = parameterRanges;
  const formula = generate(random, {
    logic: material.logic,
    literalLength: random.between(...literalLength),
    variables: random.between(...variables),
    assertions: random.between(...assertions),
    depth: random.between(...depth),
    possible: random.chance(material.possibleProbability),
    operators: material.operators(random),
  });
  return { formula, origin: 'generated' };
}

function mutated(random: Random, material: Material): SourceFormula | undefined {
  const near = material.nearFormula(random);
  return near === undefined ? undefined : changed(near, random);
}

/** Applies up to three mutations. */
function changed(start: Script, random: Random): SourceFormula | undefined {
  let formula: Script | undefined;
  for (let left = random.between(1, 3); left > 0; left--) {
    const mutant = mutate(formula ?? start, random, {
      literals: 'meaningful',
      literalLength: random.pick(mutatedLiteralLengths),
    });
    formula = mutant?.script ?? formula;
  }
  return formula === undefined ? undefined : { formula, origin: 'mutated' };
}

function crossed(random: Random, material: Material): SourceFormula | undefined {
  const [first, second] = [material.nearFormula(random), material.nearFormula(random)];
  if (first === undefined || second === undefined || first === second) return undefined;
  const children = crossover(first, second, random);
  return children === undefined ? undefined : { formula: random.pick(children), origin: 'crossed' };
}

function fromReaching(random: Random, material: Material): SourceFormula | undefined {
  const reaching = material.reachingFormula(random);
  return reaching === undefined ? undefined : changed(reaching, random);
}

function fromCorpus(random: Random, { corpus }: Material): SourceFormula | undefined {
  return changed(random.pick(corpus), random);
}
