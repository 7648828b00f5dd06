/** Strategies that generate formulas near a failing one (SMTLOC, 2.2.2, 3.4). */

import { Fault, type Random } from '../machine/index.js';
import {
  commandVariants,
  printScript,
  readScript,
  type Script,
  type Variant,
  variants,
} from '../smtlib/index.js';
import type { Judgement } from './failure.js';

/** A formula to try and its change. */
export interface Candidate {
  readonly text: string;
  /** For example `(+ x 1) to (- x 1)`, or the file name of a developer's formula. */
  readonly change: string;
}

/** The result of a formula, with the similarity of its execution path to the failing one's, if known. */
export interface TrialResult {
  readonly judgement: Judgement;
  readonly similarity: number | undefined;
}

/** Yields formulas and receives their results; undefined if there is none. */
export type WitnessSearch = Generator<Candidate, void, TrialResult | undefined>;

export interface SearchInput {
  readonly formula: Script;
  /** Formulas for the strategy `developers`. */
  readonly written: readonly Candidate[];
  /** The most formulas to try. */
  readonly most: number;
}

/** One search per worker, and the number of formulas in total. */
interface LaneSource {
  readonly total: number;
  readonly lane: (random: Random) => WitnessSearch;
}

/** Workers never try the same formula twice. */
export const witnessStrategies = {
  /** Algorithm 1: every formula at one change, breadth first. */
  enumeration: ({ formula, most }) => sharedQueue(changedOnce(formula, most)),
  /** Adds changes of commands, and formulas at two changes while witnesses are few. */
  nearest: ({ formula, most }) => {
    const queue = new NearestFirst(formula, most);
    return { total: most, lane: () => queue.lane() };
  },
  /** SMTLOC_rand: successive random changes while the formula fails. */
  random: ({ formula, most }) => ({
    total: most,
    lane: (random) => randomWalk(formula, random, () => random.pick(changes)),
  }),
  /** SMTLOC_mc: like DiWi, prefers changes that often led to witnesses. */
  'markov-chain': ({ formula, most }) => {
    const chain = new ChangeChain();
    return { total: most, lane: (random) => randomWalk(formula, random, () => chain.next(random), chain) };
  },
  /** Proposed by the paper as future work: breeds sets of rules for witnesses with similar execution paths (3.5). */
  genetic: ({ formula, most }) => ({ total: most, lane: (random) => evolve(formula, random) }),
  /** SMTLOC_dev: formulas that developers wrote. */
  developers: ({ written, most }) => sharedQueue(written.slice(0, most)),
} as const satisfies Record<string, (input: SearchInput) => LaneSource>;

export type WitnessStrategy = keyof typeof witnessStrategies;
export const witnessStrategyNames = Object.keys(witnessStrategies) as readonly WitnessStrategy[];

/** Without duplicates and without the original formula. */
function changedOnce(formula: Script, most: number, first: Iterable<Variant> = []): readonly Candidate[] {
  const seen = new Set([printScript(formula)]);
  const found: Candidate[] = [];
  for (const variant of concatenated(first, variants(formula))) {
    if (found.length >= most) break;
    const candidate = candidateOf(variant);
    if (seen.has(candidate.text)) continue;
    seen.add(candidate.text);
    found.push(candidate);
  }
  return found;
}

function* concatenated(...rows: readonly Iterable<Variant>[]): Generator<Variant> {
  for (const row of rows) yield* row;
}

/** With this many witnesses, no formulas at two changes are tried. */
const enoughWitnesses = 30;

/** Formulas at one change, then at two. Failing ones are changed first, since their witnesses are nearest. */
class NearestFirst {
  readonly #seen: Set<string>;
  readonly #twoChanges: Candidate[] = [];
  #witnesses = 0;
  readonly #queue: Generator<Candidate, void, void>;

  constructor(formula: Script, most: number) {
    const near = changedOnce(formula, most, commandVariants(formula));
    this.#seen = new Set([printScript(formula), ...near.map(({ text }) => text)]);
    this.#queue = this.#inOrder(near);
  }

  /** Workers share one queue and report their results to it. */
  *lane(): WitnessSearch {
    for (let next = this.#queue.next(); !next.done; next = this.#queue.next()) {
      const candidate = next.value;
      const told = yield candidate;
      if (told?.judgement === 'passes') this.#witnesses++;
      if (told?.judgement === 'fails') this.#twoChanges.unshift(candidate);
      else this.#twoChanges.push(candidate);
    }
  }

  *#inOrder(near: readonly Candidate[]): Generator<Candidate, void, void> {
    yield* near;
    // Round-robin over sources, so that no source uses all tries.
    let sources = this.#twoChanges.splice(0).map((candidate) => this.#changedAgain(candidate));
    while (sources.length > 0 && this.#witnesses < enoughWitnesses) {
      const left: typeof sources = [];
      for (const source of sources) {
        if (this.#witnesses >= enoughWitnesses) return;
        const { value, done } = source.next();
        if (done) continue;
        left.push(source);
        yield value;
      }
      sources = left;
    }
  }

  *#changedAgain({ text, change }: Candidate): Generator<Candidate, void, void> {
    const formula = readScript(text);
    if (formula instanceof Fault) return;
    for (const variant of concatenated(commandVariants(formula), variants(formula))) {
      const candidate = candidateOf(variant);
      if (this.#seen.has(candidate.text)) continue;
      this.#seen.add(candidate.text);
      yield { ...candidate, change: `${change}; ${candidate.change}` };
    }
  }
}

/** Workers share one queue. */
function sharedQueue(candidates: readonly Candidate[]): LaneSource {
  const row = (function* (): WitnessSearch {
    yield* candidates;
  })();
  return { total: candidates.length, lane: () => row };
}

function candidateOf({ formula, before, after }: Variant): Candidate {
  return { text: printScript(formula), change: `${before} to ${after}` };
}

const changes: readonly Variant['change'][] = ['constant', 'variable', 'operator', 'function', 'pruning'];

/** Stops after this many inapplicable changes in a row. */
const mostIdle = 200;

/** Limits the variants of a formula. */
const mostVariants = 20_000;

function* randomWalk(
  start: Script,
  random: Random,
  choose: () => Variant['change'],
  chain?: ChangeChain,
): WitnessSearch {
  let formula = start;
  let byChange = groupedByChange(formula);
  for (let idle = 0; idle < mostIdle; ) {
    const change = choose();
    const possible = byChange.get(change) ?? [];
    if (possible.length === 0) {
      idle++;
      continue;
    }
    idle = 0;
    const variant = random.pick(possible);
    const judgement = (yield candidateOf(variant))?.judgement;
    chain?.learn(change, judgement === 'passes');
    // A failing formula is changed further; a witness is not.
    if (judgement === 'unclear' || judgement === undefined) continue;
    formula = judgement === 'fails' ? variant.formula : start;
    byChange = groupedByChange(formula);
  }
}

function groupedByChange(formula: Script): ReadonlyMap<Variant['change'], readonly Variant[]> {
  const found = new Map<Variant['change'], Variant[]>();
  let left = mostVariants;
  for (const variant of variants(formula)) {
    if (left-- === 0) break;
    const own = found.get(variant.change) ?? [];
    found.set(variant.change, own);
    own.push(variant);
  }
  return found;
}

/** Metropolis-Hastings over kinds of changes, ordered by their success rate (DiWi, 3.2). */
class ChangeChain {
  readonly #tries = new Map<Variant['change'], { tried: number; passed: number }>();
  #current: Variant['change'] = 'constant';

  next(random: Random): Variant['change'] {
    const order = changes.toSorted((a, b) => this.#rate(b) - this.#rate(a));
    const proposed = random.pick(changes);
    const further = order.indexOf(proposed) - order.indexOf(this.#current);
    // Gives the last kind in the order a probability of five percent.
    const decay = 0.05 ** (1 / changes.length);
    if (further <= 0 || random.chance(decay ** further)) this.#current = proposed;
    return this.#current;
  }

  learn(change: Variant['change'], hasPassed: boolean): void {
    const known = this.#tries.get(change) ?? { tried: 0, passed: 0 };
    this.#tries.set(change, { tried: known.tried + 1, passed: known.passed + (hasPassed ? 1 : 0) });
  }

  #rate(change: Variant['change']): number {
    const { tried, passed } = this.#tries.get(change) ?? { tried: 0, passed: 0 };
    return tried === 0 ? 0 : passed / tried;
  }
}

const populationSize = 20;

/** The mutation probability of each bit. */
const flipShare = 0.05;

/** A set of rules to apply. */
interface Individual {
  readonly genes: readonly boolean[];
  fitness: number;
}

/**
 * An individual has one bit per applicable rule; initially one bit is set. Its fitness is its similarity to the
 * failing formula's execution path if it passes, else 0. Parents win binary tournaments; children get one-point
 * crossover and bit flips.
 */
function* evolve(formula: Script, random: Random): WitnessSearch {
  const rules = [...new Set([...variants(formula)].slice(0, mostVariants).map(({ rule }) => rule))];
  if (rules.length === 0) return;
  const evaluated = function* (
    genes: readonly boolean[],
  ): Generator<Candidate, Individual, TrialResult | undefined> {
    const candidate = changedBy(
      formula,
      rules.filter((_, at) => genes[at]),
      random,
    );
    if (candidate === undefined) return { genes, fitness: 0 };
    const told = yield candidate;
    return { genes, fitness: told?.judgement === 'passes' ? (told.similarity ?? 0) : 0 };
  };
  let population: Individual[] = [];
  for (let at = 0; at < populationSize; at++) {
    const chosen = random.below(rules.length);
    population.push(yield* evaluated(rules.map((_, rule) => rule === chosen)));
  }
  const winner = (): Individual => {
    const [a, b] = [random.pick(population), random.pick(population)];
    return a.fitness >= b.fitness ? a : b;
  };
  for (let idle = 0; idle < mostIdle; ) {
    const children: Individual[] = [];
    for (let at = 0; at < populationSize; at++) {
      const [mother, father] = [winner().genes, winner().genes];
      const cut = random.below(rules.length + 1);
      const crossed = rules.map((_, rule) => (rule < cut ? mother[rule] : father[rule]) ?? false);
      const child = yield* evaluated(crossed.map((gene) => (random.chance(flipShare) ? !gene : gene)));
      idle = child.fitness > 0 ? 0 : idle + 1;
      children.push(child);
    }
    population = [...population, ...children]
      .toSorted((a, b) => b.fitness - a.fitness)
      .slice(0, populationSize);
  }
}

/** Applies each rule once at a random place; undefined if nothing changes. */
function changedBy(formula: Script, rules: readonly string[], random: Random): Candidate | undefined {
  let changed = formula;
  const made: string[] = [];
  for (const rule of rules) {
    const fitting = [...variants(changed)].filter((variant) => variant.rule === rule);
    if (fitting.length === 0) continue;
    const variant = random.pick(fitting);
    changed = variant.formula;
    made.push(`${variant.before} to ${variant.after}`);
  }
  const text = printScript(changed);
  return text === printScript(formula) ? undefined : { text, change: made.join('; ') };
}
