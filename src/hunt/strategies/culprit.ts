/** culprit's own search: cheap verdicts, formulas of many makes, and effort spent on kinds that are new. */

import { z } from 'zod';
import { operatorsOf, type Random, type Script } from '../../smtlib/index.js';
import { isAnswer, quickRule, type Runs, score, slowdownIn, thresholdOver } from '../../solver/index.js';
import { withoutKnownKinds } from '../ablation.js';
import { ThompsonBandit } from '../bandit.js';
import { type Core, nothingMeasured, type Slow, shrunkToCore } from '../core.js';
import { type Kind, KnownKinds, kindKey, kindOf, tellingOperators } from '../kind.js';
import { NearFormulas } from '../near-formulas.js';
import { OperatorUsefulness } from '../operator-usefulness.js';
import {
  type Ground,
  type Lane,
  measured,
  type Search,
  type Step,
  strategy,
  type Trialled,
} from '../strategy.js';
import {
  formulaSources,
  type MadeFormula,
  type Material,
  type SourceName,
  sourcesFor,
} from './formula-sources.js';

const options = z.object({
  /** How many formulas that came near a slowdown are kept for mutation. */
  pool: z.number().int().min(1).max(100_000).default(48),
  /** A formula is near when the newest version is slower by this share of the threshold. */
  nearShare: z.number().min(0).default(0.2),
  /** How often the other versions are run although the newest was quick, to see whether they agree. */
  checkProbability: z.number().min(0).max(1).default(0.04),
  /**
   * How often one of the operators that make a known kind is kept out of a new formula at least, so that others get
   * their turn; the more often the kind comes again, the more.
   */
  avoidProbability: z.number().min(0).max(1).default(0.6),
  /** How often a slowdown is shrunk although it looks like a known kind. */
  doubtProbability: z.number().min(0).max(1).default(0.04),
  /** How many more failures sources that seldom lead to new kinds begin with. */
  unlikelihood: z.number().min(0).default(8),
  /** A source that spends this long without a new kind has failed once. */
  patienceMs: z.number().positive().default(4000),
  /** How many such failures, of all sources together, are remembered: what gave much once may be used up. */
  memory: z.number().positive().default(60),
  /** How often assertions that seem to be false by themselves are kept out of a new formula. */
  possibleProbability: z.number().min(0).max(1).default(0.9),
  /** How many of the operators a formula is made of at most, drawn from these shares. */
  operatorShares: z.array(z.number().min(0).max(1)).min(1).default([0.6, 0.8, 1, 1]),
  /** The most runs spent on shrinking one formula. */
  shrinkTries: z.number().int().min(0).max(100_000).default(150),
});
type Options = z.infer<typeof options>;

/** What counts as a failure of a source that makes nothing worth a run, as a share of one that cost time. */
const idleFailure = 0.01;

class CulpritSearch implements Search {
  readonly #operators: readonly string[];
  readonly #sources: ThompsonBandit<SourceName>;
  readonly #material: Material;
  /** Formulas that came near a slowdown. */
  readonly #near: NearFormulas;
  readonly #kinds = new Map<string, Kind>();
  #known = new KnownKinds([]);
  readonly #usefulness = new OperatorUsefulness();
  #triedOfCorpus = 0;
  /** How often slowdowns of known kinds came again, by the set of operators that makes the kind. */
  readonly #repeats = new Map<string, number>();

  constructor(
    private readonly ground: Ground,
    private readonly options: Options,
  ) {
    this.#operators = operatorsOf(ground.logic);
    this.#near = new NearFormulas(options.pool);
    this.#material = {
      logic: ground.logic,
      corpus: ground.corpus,
      possibleProbability: options.possibleProbability,
      operators: (random) => this.#someOperators(random),
      nearFormula: (random) => this.#near.pick(random),
    };
    this.#sources = new ThompsonBandit(
      sourcesFor(ground),
      (source) => formulaSources[source].prior(options),
      options.memory,
    );
    for (const kind of ground.known) this.learn(kind);
  }

  /** The next formula of the user's that was not tried as it is. */
  #nextOfCorpus(): Script | undefined {
    return this.ground.corpus[this.#triedOfCorpus++];
  }

  view() {
    return {
      beliefs: this.#sources.beliefs(),
      parameters: { kinds: this.#kinds.size, pool: this.#near.count },
    };
  }

  learn(kind: Kind): void {
    this.#kinds.set(kindKey(kind), kind);
    this.#recount();
  }

  unlearn(kind: Kind): void {
    // What an earlier campaign confirmed stays.
    if (this.ground.known.some((known) => kindKey(known) === kindKey(kind))) return;
    this.#kinds.delete(kindKey(kind));
    this.#recount();
  }

  #recount(): void {
    this.#known = new KnownKinds([...this.#kinds.values()]);
    this.#near.forgetUnless((formula) => this.#isPromising(formula));
  }

  /** What it would become when it is slow is not known yet. */
  #isPromising(formula: Script): boolean {
    return !this.#known.isLikely(tellingOperators(formula));
  }

  *lane(random: Random): Lane {
    // What the user brings goes first, and every version has all the time there is for it.
    for (let own = this.#nextOfCorpus(); own !== undefined; own = this.#nextOfCorpus()) {
      const { runs } = yield* measured(own, 'corpus', 'full');
      this.#usefulness.observe(own, isUseful(runs));
      yield* this.#pursue(own, runs, 'corpus', random);
    }
    for (;;) {
      const source = this.#sources.select(random) ?? 'small';
      const made = formulaSources[source].make(random, this.#material);
      if (made === undefined || this.#isStale(made, random)) {
        this.#sources.punish(source, idleFailure);
        continue;
      }
      const isChecked = random.chance(this.options.checkProbability);
      const { runs } = yield* measured(made.formula, made.origin, isChecked ? 'checked' : 'early');
      this.#usefulness.observe(made.formula, isUseful(runs));
      const isNew = yield* this.#pursue(made.formula, runs, source, random);
      if (isNew) this.#sources.reward(source);
      // What a source costs is time, whatever it does with it.
      else this.#sources.punish(source, spentMs(runs) / this.options.patienceMs);
    }
  }

  /** What is near a known kind becomes that kind again; it is not worth a run, but for a few. */
  #isStale({ formula, origin }: MadeFormula, random: Random): boolean {
    if (origin !== 'mutated' && origin !== 'crossed') return false;
    return !this.#isPromising(formula) && !random.chance(this.options.doubtProbability);
  }

  /** Hands over what is a slowdown, and shrinks it unless it looks like a known kind; true if its kind is new. */
  *#pursue(
    formula: Script,
    runs: Runs,
    source: SourceName,
    random: Random,
  ): Generator<Step, boolean, Trialled> {
    const { slowness } = this.ground;
    const slowdown = slowdownIn(runs, slowness);
    if (slowdown === undefined) {
      this.#keepIfNear(formula, runs);
      return false;
    }
    const isKnown = this.#known.holds(kindOf(formula, runs, slowdown, slowness));
    const isDoubted = isKnown && random.chance(this.options.doubtProbability);
    const isPresumed = isKnown && !isDoubted;
    const rest = isPresumed ? withoutKnownKinds(formula, this.#known) : undefined;
    const hasRest = rest !== undefined && rest.commands.length < formula.commands.length;
    if (isPresumed && !hasRest) {
      this.#countRepeat(formula);
      yield { step: 'found', formula, runs, by: source, isPresumed };
      return false;
    }
    // Handed over first: what follows may take longer than there is time.
    yield { step: 'found', formula, runs, by: source, isPursued: true };
    const start = hasRest ? yield* this.#unknownIn(rest) : { formula, runs };
    const core = start && (yield* this.#shrunk(start, isDoubted));
    if (core === undefined) {
      this.#countRepeat(formula);
      yield { step: 'pursued', core };
      return false;
    }
    const kind = kindOf(core.telling, core.runs, slowdownIn(core.runs, slowness) ?? slowdown, slowness);
    const isNew = !this.#known.holds(kind) && !this.#known.isSharpenedBy(kind);
    this.learn(kind);
    yield { step: 'pursued', core };
    return isNew;
  }

  /** What is left of a formula without known kinds, if that is slow and of none of them. */
  *#unknownIn(rest: Script): Generator<Step, Slow | undefined, Trialled> {
    const { runs } = yield* measured(rest, 'simplified', 'early');
    const slowdown = slowdownIn(runs, this.ground.slowness);
    if (slowdown === undefined) return undefined;
    const isKnown = this.#known.holds(kindOf(rest, runs, slowdown, this.ground.slowness));
    return isKnown ? undefined : { formula: rest, runs };
  }

  /** Undefined once it turns out to be of a known kind, unless that is what is doubted: the rest of the way is saved. */
  *#shrunk(start: Slow, isDoubted: boolean): Generator<Step, Core | undefined, Trialled> {
    const shrinking = shrunkToCore(start, this.ground.slowness, this.options.shrinkTries);
    const rule = quickRule(this.ground.slowness);
    for (let step = shrinking.next(); ; ) {
      if (step.done) return step.value;
      if (step.value === undefined) {
        step = shrinking.next(nothingMeasured);
        continue;
      }
      const { formula, measuring, likelyReferenceMs } = step.value;
      const { runs } = yield* measured(formula, 'simplified', measuring, likelyReferenceMs);
      const slowdown = slowdownIn(runs, rule);
      if (!isDoubted && slowdown && this.#known.holds(kindOf(formula, runs, slowdown, rule)))
        return undefined;
      step = shrinking.next(runs);
    }
  }

  /**
   * A part of the operators for each formula: what one operator hides, others can show ("swarm testing"). Operators
   * that mostly lead to formulas no version can solve come seldom, and so do sets of them that make a known kind.
   */
  #someOperators(random: Random): ReadonlySet<string> {
    const share = random.pick(this.options.operatorShares);
    const some = new Set(
      this.#operators.filter((operator) => random.chance(share * this.#usefulness.of(operator))),
    );
    for (const set of this.#known.wellTrodden)
      if (set.length > 0 && !random.chance(this.#allowanceOf(set))) some.delete(random.pick(set));
    return some;
  }

  /** What comes again seldom costs little; what always comes again has shown what it can. */
  #allowanceOf(set: readonly string[]): number {
    return (1 - this.options.avoidProbability) / (1 + (this.#repeats.get(set.join(' ')) ?? 0));
  }

  /** Which of the sets it holds made it slow is not known: each gets its share. */
  #countRepeat(formula: Script): void {
    const operators = tellingOperators(formula);
    const sets = this.#known.wellTrodden.filter(
      (set) => set.length > 0 && set.every((operator) => operators.has(operator)),
    );
    for (const set of sets) {
      const key = set.join(' ');
      this.#repeats.set(key, (this.#repeats.get(key) ?? 0) + 1 / sets.length);
    }
  }

  #keepIfNear(formula: Script, runs: Runs): void {
    const newest = runs.at(-1);
    if (!(newest?.outcome === 'timeout' || isAnswer(newest)) || !runs.slice(0, -1).some(isAnswer)) return;
    const gap = score(runs);
    if (this.#isPromising(formula) && gap > this.options.nearShare * thresholdOver(this.ground.slowness, 0))
      this.#near.keep(formula, gap);
  }
}

/** Could anything be learnt from it: did some version answer? */
function isUseful(runs: Runs): boolean {
  return runs.some(isAnswer);
}

function spentMs(runs: Runs): number {
  return runs.reduce((sum, run) => sum + (run?.wallMs ?? 0), 0);
}

export const culprit = strategy({
  says: 'culprit: early verdicts, many kinds of small formulas, effort for what is new',
  options,
  start: (ground, chosen) => new CulpritSearch(ground, chosen),
});
