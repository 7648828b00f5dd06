/** culprit's own search: cheap verdicts, formulas of many makes, and effort spent on kinds that are new. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import { operatorsOf, type Script } from '../../smtlib/index.js';
import { isAnswer, quickRule, type Runs, score, slowdownIn, thresholdOver } from '../../solver/index.js';
import { withoutKnownKinds } from './ablation.js';
import { ThompsonBandit } from '../search/bandit.js';
import { type Core, nothingMeasured, type Slow, shrunkToCore } from '../core.js';
import { Hardness } from '../search/hardness.js';
import { type Kind, KnownKinds, kindKey, kindOf, tellingOperators } from '../kind.js';
import { NearFormulas } from '../search/near-formulas.js';
import { OperatorUsefulness } from '../search/operator-usefulness.js';
import { Busyness, Reached, type Work } from '../search/reach.js';
import {
  type Ground,
  type Lane,
  measured,
  type Search,
  type Step,
  strategy,
  type Trial,
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
  patienceMs: z.number().positive().default(2000),
  /** A source that was chosen makes formulas until they have taken this long. */
  turnMs: z.number().min(0).default(500),
  /** How many such failures, of all sources together, are remembered: what gave much once may be used up. */
  memory: z.number().positive().default(60),
  /** How often assertions that seem to be false by themselves are kept out of a new formula. */
  possibleProbability: z.number().min(0).max(1).default(0.9),
  /** The older versions are run first where a formula is likelier than this to be too hard for all. */
  hardProbability: z.number().min(0).max(1).default(0.3),
  /** How many of the operators a formula is made of at most, drawn from these shares. */
  operatorShares: z.array(z.number().min(0).max(1)).min(1).default([0.6, 0.8, 1, 1]),
  /** The share of the time that is spent on shrinking, to know the kinds, while there is anything to shrink. */
  pursuitShare: z.number().min(0).max(1).default(0.15),
  /** The most runs spent on shrinking one formula. */
  shrinkTries: z.number().int().min(0).max(100_000).default(150),
});
type Options = z.infer<typeof options>;

/** Where the newest version counts what it executes. */
const countingOptions = options.extend({
  /** How much of a new kind it is worth to a source that a formula executes what none had before. */
  reachReward: z.number().min(0).max(1).default(0.05),
  /** A slowdown that has less than this share of its work in common with each one before is something else. */
  otherWork: z.number().min(0).max(1).default(0.5),
  /** One that has more than this in common with one before is the same again. */
  sameWork: z.number().min(0).max(1).default(0.95),
  /** How many slowdowns are remembered for that. */
  busyMemory: z.number().int().min(1).max(100_000).default(300),
});
type CountingOptions = z.infer<typeof countingOptions>;

/** What a search knows of what was executed. */
interface Executions extends Pick<CountingOptions, 'reachReward' | 'otherWork' | 'sameWork'> {
  readonly reached: Reached;
  readonly busyness: Busyness;
}

/** What counts as a failure of a source that makes nothing worth a run, as a share of one that cost time. */
const idleFailure = 0.01;

/** A formula and how it is to be measured. */
interface ToMeasure extends MadeFormula {
  readonly source: SourceName;
  readonly measuring: Trial['measuring'];
}

/** A slowdown that a lane shrinks between other things. */
interface Pursuit {
  readonly source: SourceName;
  /** What measuring it took when it was found. */
  readonly madeMs: number;
  /** True in the end if its kind is new. */
  readonly steps: Generator<Step, boolean, Trialled>;
  /** What its last step was answered with. */
  last: Trialled;
}

class CulpritSearch implements Search {
  readonly #operators: readonly string[];
  readonly #sources: ThompsonBandit<SourceName>;
  readonly #material: Material;
  /** Formulas that came near a slowdown. */
  readonly #near: NearFormulas;
  /** Formulas that made the newest version execute what none had before. */
  readonly #reaching: NearFormulas;
  readonly #kinds = new Map<string, Kind>();
  #known = new KnownKinds([]);
  /** Those of earlier campaigns, of which it is not known where the work is done. */
  readonly #recalled: KnownKinds;
  readonly #usefulness = new OperatorUsefulness();
  readonly #hardness = new Hardness();
  /** The source that makes formulas now, for how long already. */
  #turn: { readonly source: SourceName; spentMs: number } | undefined;
  #triedOfCorpus = 0;
  /** What trials took so far: those of formulas that were made, and those of shrinking. */
  #searchMs = 0;
  #pursuitMs = 0;
  #lanes = 0;
  /** How many slowdowns are being shrunk. */
  #pursuits = 0;
  /** How often slowdowns of known kinds came again, by the set of operators that makes the kind. */
  readonly #repeats = new Map<string, number>();

  constructor(
    private readonly ground: Ground,
    private readonly options: Options,
    private readonly executions?: Executions,
  ) {
    this.#operators = operatorsOf(ground.logic);
    this.#near = new NearFormulas(options.pool);
    this.#reaching = new NearFormulas(options.pool);
    this.#material = {
      logic: ground.logic,
      corpus: ground.corpus,
      possibleProbability: options.possibleProbability,
      operators: (random) => this.#someOperators(random),
      nearFormula: (random) => this.#near.pick(random),
      reachingFormula: (random) => this.#reaching.pick(random),
    };
    this.#sources = new ThompsonBandit(
      sourcesFor(ground, executions !== undefined),
      (source) => formulaSources[source].prior(options),
      options.memory,
    );
    this.#recalled = new KnownKinds(ground.known);
    for (const kind of ground.known) this.learn(kind);
  }

  /** The next formula of the user's that was not tried as it is. */
  #nextOfCorpus(): Script | undefined {
    return this.ground.corpus[this.#triedOfCorpus++];
  }

  view() {
    const parameters = { kinds: this.#kinds.size, pool: this.#near.count };
    const reached = this.executions?.reached.count;
    return {
      beliefs: this.#sources.beliefs(),
      parameters: reached === undefined ? parameters : { ...parameters, reached },
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
    for (const pool of [this.#near, this.#reaching])
      pool.forgetUnless((formula) => this.#isPromising(formula));
  }

  /** What it would become when it is slow is not known yet. */
  #isPromising(formula: Script): boolean {
    return !this.#known.isLikely(tellingOperators(formula));
  }

  *lane(random: Random): Lane {
    this.#lanes++;
    let pursuit: Pursuit | undefined;
    try {
      for (;;) {
        if (pursuit !== undefined && this.#isPursuitDue) {
          const step = pursuit.steps.next(pursuit.last);
          if (!step.done) {
            pursuit.last = yield step.value;
            if (step.value.step === 'try') this.#pursuitMs += spentMs(pursuit.last.runs);
            continue;
          }
          this.#judge(pursuit.source, step.value, pursuit.madeMs);
          this.#pursuits--;
          pursuit = undefined;
        }
        const made = this.#nextFormula(random);
        if (made === undefined) continue;
        const { formula, source, origin, measuring } = made;
        const last = yield* measured(formula, origin, measuring, {
          isCounted: this.executions !== undefined,
          isCompared: this.executions !== undefined,
        });
        const madeMs = spentMs(last.runs);
        this.#account(source, madeMs);
        this.#usefulness.observe(formula, isUseful(last.runs));
        this.#hardness.observe(formula, !isUseful(last.runs));
        this.#rewardReach(formula, source, last);
        const isFree = pursuit === undefined && this.#hasRoomForPursuit;
        const outcome = yield* this.#looked(formula, last, source, isFree, random);
        if (typeof outcome === 'boolean') {
          // What the user brings says nothing about what is made of it.
          if (origin !== 'corpus') this.#judge(source, outcome, madeMs);
          continue;
        }
        pursuit = { source, madeMs, last, steps: outcome };
        this.#pursuits++;
      }
    } finally {
      // One that failed is begun anew.
      this.#lanes--;
      if (pursuit !== undefined) this.#pursuits--;
    }
  }

  /** A few at a time, so that one is done while another lane could only begin its own. */
  get #hasRoomForPursuit(): boolean {
    return this.#pursuits < Math.ceil(this.options.pursuitShare * this.#lanes);
  }

  #account(source: SourceName, madeMs: number): void {
    this.#searchMs += madeMs;
    if (this.#turn?.source === source) this.#turn.spentMs += madeMs;
  }

  /** Shrinking tells kinds apart and takes far longer than finding: it gets a share of the time, whatever there is. */
  get #isPursuitDue(): boolean {
    return this.#pursuitMs <= this.options.pursuitShare * (this.#pursuitMs + this.#searchMs);
  }

  #judge(source: SourceName, isNew: boolean, madeMs: number): void {
    if (isNew) this.#sources.reward(source);
    // What a source costs is time, whatever it does with it.
    else this.#sources.punish(source, madeMs / this.options.patienceMs);
  }

  /** Undefined where the source that had its turn makes nothing worth a run. */
  #nextFormula(random: Random): ToMeasure | undefined {
    // What the user brings goes first, and every version has all the time there is for it.
    const own = this.#nextOfCorpus();
    if (own !== undefined) return { formula: own, source: 'corpus', origin: 'corpus', measuring: 'full' };
    const source = this.#sourceInTurn(random);
    const turn = this.#turn;
    // One that fails has had its turn.
    this.#turn = undefined;
    const made = formulaSources[source].make(random, this.#material);
    if (made === undefined || this.#isStale(made, random)) {
      this.#sources.punish(source, idleFailure);
      return undefined;
    }
    this.#turn = turn;
    if (random.chance(this.options.checkProbability)) return { ...made, source, measuring: 'checked' };
    const isHard = this.#hardness.of(made.formula) > this.options.hardProbability;
    return { ...made, source, measuring: isHard ? 'others-first' : 'early' };
  }

  /** Turns are of equal time: else what takes long for a formula would have most of it. */
  #sourceInTurn(random: Random): SourceName {
    if (this.#turn === undefined || this.#turn.spentMs >= this.options.turnMs)
      this.#turn = { source: this.#sources.select(random) ?? 'small', spentMs: 0 };
    return this.#turn.source;
  }

  /** What is near a known kind becomes that kind again; it is not worth a run, but for a few. */
  #isStale({ formula, origin }: MadeFormula, random: Random): boolean {
    if (origin !== 'mutated' && origin !== 'crossed') return false;
    return !this.#isPromising(formula) && !random.chance(this.options.doubtProbability);
  }

  /**
   * Hands over what is a slowdown. Says whether its kind seems to be new, or how to find out: one that looks like no
   * known kind is shrunk, if the lane is free for that; the campaign shrinks the others in the end.
   */
  *#looked(
    formula: Script,
    { runs, executed, grown }: Trialled,
    source: SourceName,
    isFree: boolean,
    random: Random,
  ): Generator<Step, boolean | Pursuit['steps'], Trialled> {
    const { slowness } = this.ground;
    const slowdown = slowdownIn(runs, slowness);
    if (slowdown === undefined) {
      this.#keepIfNear(formula, runs);
      return false;
    }
    const work = executed && { executed, grown };
    const kind = kindOf(formula, runs, slowdown, slowness);
    const isKnown = this.#recalled.holds(kind) || this.#isSame(this.#known.holds(kind), work);
    if (work !== undefined) this.executions?.busyness.add(work);
    const isDoubted = isKnown && random.chance(this.options.doubtProbability);
    const isPresumed = isKnown && !isDoubted;
    const rest = isPresumed ? withoutKnownKinds(formula, this.#known) : undefined;
    const hasRest = rest !== undefined && rest.commands.length < formula.commands.length;
    const isPursued = isFree && (!isPresumed || hasRest);
    if (isPresumed && !isPursued) this.#countRepeat(formula);
    yield { step: 'found', formula, runs, by: source, isPresumed: isPresumed && !isPursued, isPursued };
    if (!isPursued) return !isPresumed;
    return this.#pursued(formula, runs, hasRest ? rest : undefined, isDoubted);
  }

  /** Whether a slowdown is one of those before, by its kind and, where that is known, by where the work is done. */
  #isSame(isOfKnownKind: boolean, work: Work | undefined): boolean {
    if (this.executions === undefined || work === undefined) return isOfKnownKind;
    const { busyness, otherWork, sameWork } = this.executions;
    const likeness = busyness.likeness(work);
    return isOfKnownKind ? likeness >= otherWork : likeness > sameWork;
  }

  /** What executes something for the first time may lead further that way. */
  #rewardReach(formula: Script, source: SourceName, { executed }: Trialled): void {
    if (this.executions === undefined || executed === undefined) return;
    const fresh = this.executions.reached.add(executed);
    if (fresh === 0) return;
    this.#sources.reward(source, this.executions.reachReward);
    if (this.#isPromising(formula)) this.#reaching.keep(formula, fresh);
  }

  /** Shrinks a slowdown that was handed over, or what is left of it without known kinds; true if its kind is new. */
  *#pursued(
    formula: Script,
    runs: Runs,
    rest: Script | undefined,
    isDoubted: boolean,
  ): Generator<Step, boolean, Trialled> {
    const { slowness } = this.ground;
    const start = rest === undefined ? { formula, runs } : yield* this.#unknownIn(rest);
    const core = start && (yield* this.#shrunk(start, isDoubted));
    const slowdown = core && (slowdownIn(core.runs, slowness) ?? slowdownIn(runs, slowness));
    if (core === undefined || slowdown === undefined) {
      this.#countRepeat(formula);
      yield { step: 'pursued', core: undefined };
      return false;
    }
    const kind = kindOf(core.telling, core.runs, slowdown, slowness);
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
      const { runs } = yield* measured(formula, 'simplified', measuring, { likelyReferenceMs });
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
  says: 'culprit: early verdicts, formulas of many kinds, effort for what is new',
  options,
  start: (ground, chosen) => new CulpritSearch(ground, chosen),
});

/** The same for versions that count what they execute. */
export const culpritCoverage = strategy({
  says: 'culprit with what the newest version executes: formulas that reach new code, kinds by where the work is done',
  isCounting: true,
  options: countingOptions,
  start: (ground, { reachReward, otherWork, sameWork, busyMemory, ...chosen }) =>
    new CulpritSearch(ground, chosen, {
      reachReward,
      otherWork,
      sameWork,
      reached: new Reached(),
      busyness: new Busyness(busyMemory),
    }),
});
