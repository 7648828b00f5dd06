/** Where formulas near one that fails come from (SMTLOC, 2.2.2, 3.4). */

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

/** A formula to be tried, and how it was made. */
export interface Candidate {
  readonly text: string;
  /** `(+ x 1) to (- x 1)`; a file's name where it was not made. */
  readonly change: string;
}

/** What came of a formula: how much of its way is that of the one that fails, where that is known. */
export interface Told {
  readonly judgement: Judgement;
  readonly similarity: number | undefined;
}

/** Yields formulas, and is told what came of each; undefined where nothing did. */
export type WitnessSearch = Generator<Candidate, void, Told | undefined>;

export interface WitnessGround {
  readonly formula: Script;
  /** Formulas that developers wrote, for those who go by them. */
  readonly written: readonly Candidate[];
  /** The most formulas that are tried. */
  readonly most: number;
}

/** A search for every worker, and how many formulas there are in all. */
interface Begun {
  readonly of: number;
  readonly lane: (random: Random) => WitnessSearch;
}

/** What several workers do together is tried once. */
export const witnessStrategies = {
  /** Algorithm 1: every formula one change away, breadth first. */
  enumeration: {
    says: 'every formula one change away, breadth first',
    begin: ({ formula, most }) => shared(changedOnce(formula, most)),
  },
  /** The same with changes of commands, and formulas two changes away as long as there are few witnesses. */
  nearest: {
    says: 'every formula one change away, of a command or a term, then two as long as witnesses are few',
    begin: ({ formula, most }) => {
      const queue = new NearestFirst(formula, most);
      return { of: most, lane: () => queue.lane() };
    },
  },
  /** SMTLOC_rand: one random change after another, for as long as the formula fails. */
  random: {
    says: 'random changes, one upon another while it fails',
    begin: ({ formula, most }) => ({
      of: most,
      lane: (random) => wandering(formula, random, () => random.pick(changes)),
    }),
  },
  /** SMTLOC_mc: as DiWi does, changes that led to witnesses more often are chosen more often. */
  'markov-chain': {
    says: 'changes chosen by how often they led to witnesses, one upon another while it fails',
    begin: ({ formula, most }) => {
      const chain = new ChangeChain();
      return { of: most, lane: (random) => wandering(formula, random, () => chain.next(random), chain) };
    },
  },
  /** What the paper leaves to the future: sets of rules, bred for witnesses whose way is much the same (3.5). */
  genetic: {
    says: 'sets of rules, bred for witnesses whose way is much that of the formula',
    begin: ({ formula, most }) => ({ of: most, lane: (random) => bred(formula, random) }),
  },
  /** SMTLOC_dev: formulas that developers wrote. */
  developers: {
    says: 'formulas that somebody wrote',
    begin: ({ written, most }) => shared(written.slice(0, most)),
  },
} as const satisfies Record<
  string,
  { readonly says: string; readonly begin: (ground: WitnessGround) => Begun }
>;

export type WitnessStrategy = keyof typeof witnessStrategies;
export const witnessStrategyNames = Object.keys(witnessStrategies) as readonly WitnessStrategy[];

/** No formula twice, and none that is the first again. */
function changedOnce(formula: Script, most: number, first: Iterable<Variant> = []): readonly Candidate[] {
  const seen = new Set([printScript(formula)]);
  const found: Candidate[] = [];
  for (const variant of chained(first, variants(formula))) {
    if (found.length >= most) break;
    const candidate = candidateOf(variant);
    if (seen.has(candidate.text)) continue;
    seen.add(candidate.text);
    found.push(candidate);
  }
  return found;
}

function* chained(...rows: readonly Iterable<Variant>[]): Generator<Variant> {
  for (const row of rows) yield* row;
}

/** With as many witnesses as this nothing is looked for further away. */
const enoughWitnesses = 30;

/** What is one change away, then what is two: from those first that fail still, since their witnesses are the nearest. */
class NearestFirst {
  readonly #seen: Set<string>;
  readonly #further: Candidate[] = [];
  #witnesses = 0;
  readonly #row: Generator<Candidate, void, void>;

  constructor(formula: Script, most: number) {
    const near = changedOnce(formula, most, commandVariants(formula));
    this.#seen = new Set([printScript(formula), ...near.map(({ text }) => text)]);
    this.#row = this.#inOrder(near);
  }

  /** Workers take from one row, and each tells what came of its own. */
  *lane(): WitnessSearch {
    for (let next = this.#row.next(); !next.done; next = this.#row.next()) {
      const candidate = next.value;
      const told = yield candidate;
      if (told?.judgement === 'passes') this.#witnesses++;
      if (told?.judgement === 'fails') this.#further.unshift(candidate);
      else this.#further.push(candidate);
    }
  }

  *#inOrder(near: readonly Candidate[]): Generator<Candidate, void, void> {
    yield* near;
    // One of each at a time, so that none of them takes all there is to be tried.
    let sources = this.#further.splice(0).map((candidate) => this.#changedAgain(candidate));
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
    for (const variant of chained(commandVariants(formula), variants(formula))) {
      const candidate = candidateOf(variant);
      if (this.#seen.has(candidate.text)) continue;
      this.#seen.add(candidate.text);
      yield { ...candidate, change: `${change}; ${candidate.change}` };
    }
  }
}

/** Workers take from one row. */
function shared(candidates: readonly Candidate[]): Begun {
  const row = (function* (): WitnessSearch {
    yield* candidates;
  })();
  return { of: candidates.length, lane: () => row };
}

function candidateOf({ formula, before, after }: Variant): Candidate {
  return { text: printScript(formula), change: `${before} to ${after}` };
}

const changes: readonly Variant['change'][] = ['constant', 'variable', 'operator', 'function', 'pruning'];

/** After so many changes in a row that cannot be made there is nothing to be changed. */
const mostIdle = 200;

/** Formulas with more places are not wandered through. */
const mostVariants = 20_000;

function* wandering(
  start: Script,
  random: Random,
  choose: () => Variant['change'],
  chain?: ChangeChain,
): WitnessSearch {
  let formula = start;
  let byChange = grouped(formula);
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
    // One that still fails may be changed further; a witness has nothing left to show.
    if (judgement === 'unclear' || judgement === undefined) continue;
    formula = judgement === 'fails' ? variant.formula : start;
    byChange = grouped(formula);
  }
}

function grouped(formula: Script): ReadonlyMap<Variant['change'], readonly Variant[]> {
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

/** Metropolis and Hastings over kinds of changes, in the order of how often they led to a witness (DiWi, 3.2). */
class ChangeChain {
  readonly #tries = new Map<Variant['change'], { tried: number; passed: number }>();
  #current: Variant['change'] = 'constant';

  next(random: Random): Variant['change'] {
    const order = changes.toSorted((a, b) => this.#rate(b) - this.#rate(a));
    const proposed = random.pick(changes);
    const further = order.indexOf(proposed) - order.indexOf(this.#current);
    // The last in the order is taken with a share of five percent.
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

/** Sets of rules that live at once. */
const populationSize = 20;

/** How likely a rule is put into a set or taken out of it. */
const flipShare = 0.05;

/** Which rules are applied, one after the other. */
interface Individual {
  readonly genes: readonly boolean[];
  fitness: number;
}

/**
 * An individual is a bit for each rule that fits the formula; at first each has one. It is as fit as what it makes has
 * its way in common with the formula that fails, if that passes. Parents win tournaments of two; their children are
 * crossed at one point and have bits flipped.
 */
function* bred(formula: Script, random: Random): WitnessSearch {
  const rules = [...new Set([...variants(formula)].slice(0, mostVariants).map(({ rule }) => rule))];
  if (rules.length === 0) return;
  const evaluated = function* (
    genes: readonly boolean[],
  ): Generator<Candidate, Individual, Told | undefined> {
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

/** Every rule applied once, wherever it fits; undefined where none does, or where nothing is changed by all of them. */
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
