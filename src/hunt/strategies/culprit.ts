/** culprit's own search: cheap verdicts, formulas of many makes, and effort spent on kinds that are new. */

import { z } from 'zod';
import { shrink } from '../../reduce/shrink.js';
import { families, familyNames } from '../../smtlib/families/index.js';
import { generate, operatorsOf } from '../../smtlib/generate.js';
import { crossover, mutate } from '../../smtlib/mutate.js';
import type { Random } from '../../smtlib/random.js';
import { simplifications } from '../../smtlib/simplify.js';
import type { Script } from '../../smtlib/tree.js';
import { ThompsonBandit } from '../bandit.js';
import { covers, type Kind, kindKey, kindOf, tellingOperators } from '../kind.js';
import { eased, type Runs, score, slowdownIn, thresholdOver } from '../slowness.js';
import {
  type Found,
  type Ground,
  type Lane,
  measured,
  type Origin,
  type Search,
  strategy,
  type Trial,
  type Trialled,
} from '../strategy.js';

const options = z.object({
  /** How many formulas that came near a slowdown are kept for mutation. */
  pool: z.number().int().min(1).default(48),
  /** A formula is near when the newest version is slower by this share of the threshold. */
  nearShare: z.number().min(0).default(0.2),
  /** How often the other versions are run although the newest was quick, to see whether they agree. */
  checkProbability: z.number().min(0).max(1).default(0.04),
  /** How often an operator of a known kind is kept out of new formulas, so that others get their turn. */
  avoidProbability: z.number().min(0).max(1).default(0.75),
  /** How often a slowdown is shrunk although its operators cover those of a known kind. */
  doubtProbability: z.number().min(0).max(1).default(0.1),
  /** The most runs spent on shrinking one formula. */
  shrinkTries: z.number().int().min(0).default(150),
});
type Options = z.infer<typeof options>;

/** The ways a formula comes about. */
type Source = 'one assertion' | 'small' | 'larger' | 'structured' | 'mutation' | 'crossover' | 'corpus';

interface Made {
  readonly formula: Script;
  readonly origin: Origin;
}

interface Near {
  readonly formula: Script;
  readonly score: number;
}

class CulpritSearch implements Search {
  readonly #operators: readonly string[];
  readonly #sources: ThompsonBandit<Source>;
  readonly #kinds = new Map<string, Kind>();
  /** The best first. */
  #pool: readonly Near[] = [];
  #nextOfCorpus = 0;

  constructor(
    private readonly ground: Ground,
    private readonly options: Options,
  ) {
    this.#operators = operatorsOf(ground.logic);
    const sources: Source[] = ['one assertion', 'small', 'larger', 'mutation', 'crossover'];
    if (ground.logic === 'QF_SLIA') sources.push('structured');
    if (ground.corpus.length > 0) sources.push('corpus');
    // New kinds are rare: a failure must not weigh as much as a success.
    this.#sources = new ThompsonBandit(sources, { rewards: 1, failures: 10 });
    for (const kind of ground.known) this.learn(kind);
  }

  view() {
    return {
      beliefs: this.#sources.beliefs(),
      parameters: { kinds: this.#kinds.size, pool: this.#pool.length },
    };
  }

  learn(kind: Kind): void {
    this.#kinds.set(kindKey(kind), kind);
  }

  *lane(random: Random): Lane {
    for (;;) {
      const source = this.#sources.select(random) ?? 'small';
      const made = this.#make(source, random);
      if (made === undefined) {
        this.#sources.punish(source, 0.1);
        continue;
      }
      const isChecked = random.chance(this.options.checkProbability);
      const { runs } = yield* measured(made.formula, made.origin, isChecked ? 'checked' : 'early');
      const isNew = yield* this.#pursue(made.formula, runs, source, random);
      if (isNew) this.#sources.reward(source);
      else this.#sources.punish(source, 0.05);
    }
  }

  /** Hands over what is a slowdown, shrunk unless its kind is known; true if its kind is new. */
  *#pursue(
    formula: Script,
    runs: Runs,
    source: Source,
    random: Random,
  ): Generator<Trial | Found, boolean, Trialled> {
    const { slowness } = this.ground;
    const slowdown = slowdownIn(runs, slowness);
    if (slowdown === undefined) {
      this.#keepIfNear(formula, runs);
      return false;
    }
    const answer = runs[slowdown.reference]?.outcome ?? '';
    const operators = tellingOperators(formula);
    const isKnown = [...this.#kinds.values()].some((kind) => covers(kind, answer, operators));
    if (isKnown && !random.chance(this.options.doubtProbability)) {
      yield { step: 'found', formula, runs, by: source, isPresumed: true };
      return false;
    }
    const core = yield* this.#shrunk(formula, runs);
    const kind = kindOf(core.formula, core.runs, slowdownIn(core.runs, slowness) ?? slowdown, slowness);
    const isNew = !this.#kinds.has(kindKey(kind));
    this.learn(kind);
    // What is left of a formula is the best start for the next kind.
    this.#keep({ formula, score: score(runs) });
    yield { step: 'found', ...core, shrunkFrom: formula, by: source };
    return isNew;
  }

  *#shrunk(formula: Script, runs: Runs): Generator<Trial | Found, { formula: Script; runs: Runs }, Trialled> {
    const rule = eased(this.ground.slowness);
    const shrinking = shrink(formula, simplifications, this.options.shrinkTries);
    let step = shrinking.next();
    while (!step.done) {
      const tried = yield* measured(step.value, 'simplified', 'eased');
      step = shrinking.next(slowdownIn(tried.runs, rule) !== undefined);
    }
    if (step.value === formula) return { formula, runs };
    const tried = yield* measured(step.value, 'simplified', 'early');
    const isSlow = slowdownIn(tried.runs, this.ground.slowness) !== undefined;
    return isSlow ? { formula: step.value, runs: tried.runs } : { formula, runs };
  }

  #make(source: Source, random: Random): Made | undefined {
    switch (source) {
      case 'one assertion':
        return this.#generated(random, 1, random.between(2, 5));
      case 'small':
        return this.#generated(random, random.between(1, 3), random.between(2, 3));
      case 'larger':
        return this.#generated(random, random.between(3, 8), random.between(2, 5));
      case 'structured':
        return { formula: families[random.pick(familyNames)].generate(random), origin: 'generated' };
      case 'mutation':
        return this.#mutated(random);
      case 'crossover':
        return this.#crossed(random);
      case 'corpus':
        return this.#fromCorpus(random);
    }
  }

  #generated(random: Random, assertions: number, depth: number): Made {
    const isMeaningful = random.chance(0.7);
    const formula = generate(random, {
      logic: this.ground.logic,
      assertions,
      depth,
      variables: random.between(1, 3),
      literals: isMeaningful ? 'meaningful' : 'random',
      literalLength: random.pick([1, 2, 4, 8, 16]),
      literalProbability: random.pick([0.1, 0.2, 0.4]),
      operators: this.#someOperators(random),
    });
    return { formula, origin: 'generated' };
  }

  /**
   * A part of the operators for each formula: what one operator hides, others can show ("swarm testing"). Of most
   * known kinds one operator is left out, so that the formula cannot be of that kind again.
   */
  #someOperators(random: Random): ReadonlySet<string> {
    const share = random.pick([0.25, 0.5, 0.75, 1]);
    const some = new Set(this.#operators.filter(() => random.chance(share)));
    for (const { operators } of this.#kinds.values()) {
      if (operators.length === 0 || !operators.every((one) => some.has(one))) continue;
      if (random.chance(this.options.avoidProbability)) some.delete(random.pick(operators));
    }
    return some;
  }

  #mutated(random: Random): Made | undefined {
    const near = this.#nearOne(random);
    return near === undefined ? undefined : this.#changed(near, random);
  }

  #changed(start: Script, random: Random): Made | undefined {
    let formula: Script | undefined;
    for (let left = random.between(1, 3); left > 0; left--) {
      const changed = mutate(formula ?? start, random, {
        literals: 'meaningful',
        literalLength: random.pick([1, 4, 10]),
      });
      formula = changed?.script ?? formula;
    }
    return formula === undefined ? undefined : { formula, origin: 'mutated' };
  }

  #crossed(random: Random): Made | undefined {
    const [a, b] = [this.#nearOne(random), this.#nearOne(random)];
    if (a === undefined || b === undefined || a === b) return undefined;
    const children = crossover(a, b, random);
    return children === undefined ? undefined : { formula: random.pick(children), origin: 'crossed' };
  }

  /** Each as it is at first, then changed ones. */
  #fromCorpus(random: Random): Made | undefined {
    const { corpus } = this.ground;
    const whole = corpus[this.#nextOfCorpus++];
    return whole === undefined
      ? this.#changed(random.pick(corpus), random)
      : { formula: whole, origin: 'corpus' };
  }

  /** The better, the likelier. */
  #nearOne(random: Random): Script | undefined {
    const { length } = this.#pool;
    return length === 0
      ? undefined
      : this.#pool[Math.min(random.below(length), random.below(length))]?.formula;
  }

  #keepIfNear(formula: Script, runs: Runs): void {
    const newest = runs.at(-1);
    if (newest === undefined || runs.slice(0, -1).every((run) => run === undefined)) return;
    if (newest.outcome === 'error' || newest.outcome === 'unsupported') return;
    const gap = score(runs);
    if (gap > this.options.nearShare * thresholdOver(this.ground.slowness, 0))
      this.#keep({ formula, score: gap });
  }

  #keep(near: Near): void {
    this.#pool = [near, ...this.#pool].toSorted((a, b) => b.score - a.score).slice(0, this.options.pool);
  }
}

export const culprit = strategy({
  says: 'culprit: early verdicts, many kinds of small formulas, effort for what is new',
  options,
  start: (ground, chosen) => new CulpritSearch(ground, chosen),
});
