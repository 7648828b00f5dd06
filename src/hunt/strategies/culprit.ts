/** culprit's own search: early stopping, many formula generators, and time spent on new kinds. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import { operatorsOf, type Script } from '../../smtlib/index.js';
import { isAnswer, quickRule, type Runs, score, slowdownIn, thresholdOver } from '../../solver/index.js';
import { type Core, nothingMeasured, type SlowFormula, shrunkToCore } from '../core.js';
import { type Kind, KnownKinds, kindKey, kindOf, significantOperators } from '../kind.js';
import { ThompsonBandit } from '../search/bandit.js';
import { FormulaPool } from '../search/formula-pool.js';
import { Hardness } from '../search/hardness.js';
import { OperatorUsefulness } from '../search/operator-usefulness.js';
import { CoverageProfiles, ReachedPlaces, type SlowdownCoverage } from '../search/reach.js';
import {
  type Lane,
  measured,
  type Search,
  type SearchInput,
  type Step,
  strategy,
  type Trial,
  type TrialResult,
} from '../strategy.js';
import { withoutKnownKinds } from './ablation.js';
import {
  formulaSources,
  type Material,
  type SourceFormula,
  type SourceName,
  sourcesFor,
} from './formula-sources.js';

const options = z.object({
  /** How many formulas close to a slowdown are kept for mutation. */
  pool: z.number().int().min(1).max(100_000).default(48),
  /** A formula is close if the newest version is slower by this share of the threshold. */
  nearShare: z.number().min(0).default(0.2),
  /** How often the other versions run although the newest was fast, to compare their answers. */
  checkProbability: z.number().min(0).max(1).default(0.04),
  /**
   * The minimum probability that a new formula omits one of the operators of a known kind. It grows with the number
   * of repeats of that kind.
   */
  avoidProbability: z.number().min(0).max(1).default(0.6),
  /** How often a slowdown of a seemingly known kind is shrunk. */
  doubtProbability: z.number().min(0).max(1).default(0.04),
  /** Additional prior failures of sources that seldom lead to new kinds. */
  unlikelihood: z.number().min(0).default(8),
  /** A source that uses this much time without a new kind gets one failure. */
  patienceMs: z.number().positive().default(2000),
  /** How long a chosen source generates formulas before the next choice. */
  turnMs: z.number().min(0).default(500),
  /** How many such failures are remembered over all sources; a source may become exhausted. */
  memory: z.number().positive().default(60),
  /** How often assertions that seem false on their own are excluded from a new formula. */
  possibleProbability: z.number().min(0).max(1).default(0.9),
  /** Above this probability of being too hard for all versions, the older versions run first. */
  hardProbability: z.number().min(0).max(1).default(0.3),
  /** The shares of operators that a formula may use; one is drawn per formula. */
  operatorShares: z.array(z.number().min(0).max(1)).min(1).default([0.6, 0.8, 1, 1]),
  /** The share of time for shrinking, which determines kinds. */
  pursuitShare: z.number().min(0).max(1).default(0.15),
  /** The most runs for shrinking one formula. */
  shrinkTries: z.number().int().min(0).max(100_000).default(150),
});
type Options = z.infer<typeof options>;

/** If the newest version counts coverage. */
const countingOptions = options.extend({
  /** The reward for reaching new code, as a fraction of the reward for a new kind. */
  reachReward: z.number().min(0).max(1).default(0.05),
  /** A slowdown whose coverage overlaps every earlier one's by less than this is of a new kind. */
  otherWork: z.number().min(0).max(1).default(0.5),
  /** A slowdown whose coverage overlaps an earlier one's by more than this is the same. */
  sameWork: z.number().min(0).max(1).default(0.95),
  /** How many slowdowns are remembered for that comparison. */
  busyMemory: z.number().int().min(1).max(100_000).default(300),
});
type CountingOptions = z.infer<typeof countingOptions>;

interface CoverageState extends Pick<CountingOptions, 'reachReward' | 'otherWork' | 'sameWork'> {
  readonly reached: ReachedPlaces;
  readonly profiles: CoverageProfiles;
}

/** The failure of a source that generated nothing worth a run, relative to one that used time. */
const idleFailure = 0.01;

interface PlannedFormula extends SourceFormula {
  readonly source: SourceName;
  readonly measuring: Trial['measuring'];
}

/** A slowdown that a lane shrinks, interleaved with its search. */
interface Pursuit {
  readonly source: SourceName;
  /** How long its measurement took when it was found. */
  readonly measuredMs: number;
  /** Returns true if its kind is new. */
  readonly steps: Generator<Step, boolean, TrialResult>;
  /** The result of its last step. */
  last: TrialResult;
}

class CulpritSearch implements Search {
  readonly #operators: readonly string[];
  readonly #sources: ThompsonBandit<SourceName>;
  readonly #material: Material;
  /** Formulas close to a slowdown. */
  readonly #near: FormulaPool;
  /** Formulas that reached new code. */
  readonly #reaching: FormulaPool;
  readonly #kinds = new Map<string, Kind>();
  #known = new KnownKinds([]);
  /** Kinds of earlier campaigns, for which no coverage is stored. */
  readonly #recalled: KnownKinds;
  readonly #usefulness = new OperatorUsefulness();
  readonly #hardness = new Hardness();
  /** The current source and the time it has used. */
  #turn: { readonly source: SourceName; spentMs: number } | undefined;
  #triedOfCorpus = 0;
  /** Time spent on search and on shrinking. */
  #searchMs = 0;
  #pursuitMs = 0;
  #lanes = 0;
  /** How many slowdowns are being shrunk. */
  #pursuits = 0;
  /** How often each known kind was found again, by its operator set. */
  readonly #repeats = new Map<string, number>();

  constructor(
    private readonly input: SearchInput,
    private readonly options: Options,
    private readonly executions?: CoverageState,
  ) {
    this.#operators = operatorsOf(input.logic);
    this.#near = new FormulaPool(options.pool);
    this.#reaching = new FormulaPool(options.pool);
    this.#material = {
      logic: input.logic,
      corpus: input.corpus,
      possibleProbability: options.possibleProbability,
      operators: (random) => this.#someOperators(random),
      nearFormula: (random) => this.#near.pick(random),
      reachingFormula: (random) => this.#reaching.pick(random),
    };
    this.#sources = new ThompsonBandit(
      sourcesFor(input, executions !== undefined),
      (source) => formulaSources[source].prior(options),
      options.memory,
    );
    this.#recalled = new KnownKinds(input.known);
    for (const kind of input.known) this.learn(kind);
  }

  /** The next untried formula of the user's corpus. */
  #nextOfCorpus(): Script | undefined {
    return this.input.corpus[this.#triedOfCorpus++];
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
    // Kinds of earlier campaigns stay.
    if (this.input.known.some((known) => kindKey(known) === kindKey(kind))) return;
    this.#kinds.delete(kindKey(kind));
    this.#recount();
  }

  #recount(): void {
    this.#known = new KnownKinds([...this.#kinds.values()]);
    for (const pool of [this.#near, this.#reaching]) pool.retain((formula) => this.#isPromising(formula));
  }

  /** Whether the formula may lead to a new kind; its core is unknown until it is slow. */
  #isPromising(formula: Script): boolean {
    return !this.#known.isLikely(significantOperators(formula));
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
          this.#judge(pursuit.source, step.value, pursuit.measuredMs);
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
        const measuredMs = spentMs(last.runs);
        this.#addTime(source, measuredMs);
        this.#usefulness.observe(formula, isUseful(last.runs));
        this.#hardness.observe(formula, !isUseful(last.runs));
        this.#rewardReach(formula, source, last);
        const isFree = pursuit === undefined && this.#hasRoomForPursuit;
        const outcome = yield* this.#evaluate(formula, last, source, isFree, random);
        if (typeof outcome === 'boolean') {
          // The user's own formulas are no evidence for or against sources.
          if (origin !== 'corpus') this.#judge(source, outcome, measuredMs);
          continue;
        }
        pursuit = { source, measuredMs, last, steps: outcome };
        this.#pursuits++;
      }
    } finally {
      // A failed lane is replaced by a new one.
      this.#lanes--;
      if (pursuit !== undefined) this.#pursuits--;
    }
  }

  /** Few at a time: finishing one is better than starting several. */
  get #hasRoomForPursuit(): boolean {
    return this.#pursuits < Math.ceil(this.options.pursuitShare * this.#lanes);
  }

  #addTime(source: SourceName, measuredMs: number): void {
    this.#searchMs += measuredMs;
    if (this.#turn?.source === source) this.#turn.spentMs += measuredMs;
  }

  /** Shrinking is far slower than finding, so it gets a fixed share of the time. */
  get #isPursuitDue(): boolean {
    return this.#pursuitMs <= this.options.pursuitShare * (this.#pursuitMs + this.#searchMs);
  }

  #judge(source: SourceName, isNew: boolean, measuredMs: number): void {
    if (isNew) this.#sources.reward(source);
    // A source's cost is its time.
    else this.#sources.punish(source, measuredMs / this.options.patienceMs);
  }

  /** Undefined if the current source generated nothing worth a run. */
  #nextFormula(random: Random): PlannedFormula | undefined {
    // The user's formulas come first, with every version up to the timeout.
    const own = this.#nextOfCorpus();
    if (own !== undefined) return { formula: own, source: 'corpus', origin: 'corpus', measuring: 'full' };
    const source = this.#sourceInTurn(random);
    const turn = this.#turn;
    // If it throws, its turn is over.
    this.#turn = undefined;
    const made = formulaSources[source].make(random, this.#material);
    if (made === undefined || this.#isRepetitive(made, random)) {
      this.#sources.punish(source, idleFailure);
      return undefined;
    }
    this.#turn = turn;
    if (random.chance(this.options.checkProbability)) return { ...made, source, measuring: 'checked' };
    const isHard = this.#hardness.of(made.formula) > this.options.hardProbability;
    return { ...made, source, measuring: isHard ? 'others-first' : 'early' };
  }

  /** Turns have equal time; with equal counts, slow formulas would take most of the time. */
  #sourceInTurn(random: Random): SourceName {
    if (this.#turn === undefined || this.#turn.spentMs >= this.options.turnMs)
      this.#turn = { source: this.#sources.select(random) ?? 'small', spentMs: 0 };
    return this.#turn.source;
  }

  /** Mutants that contain a known kind's operators would repeat that kind, so most are skipped. */
  #isRepetitive({ formula, origin }: SourceFormula, random: Random): boolean {
    if (origin !== 'mutated' && origin !== 'crossed') return false;
    return !this.#isPromising(formula) && !random.chance(this.options.doubtProbability);
  }

  /**
   * Reports a slowdown. Returns whether its kind seems new, or the steps that determine it: an unfamiliar slowdown is
   * shrunk here if the lane is free, else later by the campaign.
   */
  *#evaluate(
    formula: Script,
    { runs, executed, grown }: TrialResult,
    source: SourceName,
    isFree: boolean,
    random: Random,
  ): Generator<Step, boolean | Pursuit['steps'], TrialResult> {
    const { slowness } = this.input;
    const slowdown = slowdownIn(runs, slowness);
    if (slowdown === undefined) {
      this.#keepIfNear(formula, runs);
      return false;
    }
    const work = executed && { executed, grown };
    const kind = kindOf(formula, runs, slowdown, slowness);
    const isKnown = this.#recalled.includes(kind) || this.#isSame(this.#known.includes(kind), work);
    if (work !== undefined) this.executions?.profiles.add(work);
    const isDoubted = isKnown && random.chance(this.options.doubtProbability);
    const isPresumed = isKnown && !isDoubted;
    const rest = isPresumed ? withoutKnownKinds(formula, this.#known) : undefined;
    const hasRest = rest !== undefined && rest.commands.length < formula.commands.length;
    const isPursued = isFree && (!isPresumed || hasRest);
    if (isPresumed && !isPursued) this.#countRepeat(formula);
    yield { step: 'found', formula, runs, by: source, isPresumed: isPresumed && !isPursued, isPursued };
    if (!isPursued) return !isPresumed;
    return this.#pursue(formula, runs, hasRest ? rest : undefined, isDoubted);
  }

  /** Whether a slowdown repeats an earlier one, by kind and, if known, by coverage. */
  #isSame(isOfKnownKind: boolean, work: SlowdownCoverage | undefined): boolean {
    if (this.executions === undefined || work === undefined) return isOfKnownKind;
    const { profiles: busyness, otherWork, sameWork } = this.executions;
    const likeness = busyness.similarity(work);
    return isOfKnownKind ? likeness >= otherWork : likeness > sameWork;
  }

  /** Code that was reached for the first time may lead to more. */
  #rewardReach(formula: Script, source: SourceName, { executed }: TrialResult): void {
    if (this.executions === undefined || executed === undefined) return;
    const fresh = this.executions.reached.add(executed);
    if (fresh === 0) return;
    this.#sources.reward(source, this.executions.reachReward);
    if (this.#isPromising(formula)) this.#reaching.add(formula, fresh);
  }

  /** Shrinks a reported slowdown, or its part without known kinds. Returns true if its kind is new. */
  *#pursue(
    formula: Script,
    runs: Runs,
    rest: Script | undefined,
    isDoubted: boolean,
  ): Generator<Step, boolean, TrialResult> {
    const { slowness } = this.input;
    const start = rest === undefined ? { formula, runs } : yield* this.#unknownIn(rest);
    const core = start && (yield* this.#shrink(start, isDoubted));
    const slowdown = core && (slowdownIn(core.runs, slowness) ?? slowdownIn(runs, slowness));
    if (core === undefined || slowdown === undefined) {
      this.#countRepeat(formula);
      yield { step: 'pursued', core: undefined };
      return false;
    }
    const kind = kindOf(core.cause, core.runs, slowdown, slowness);
    const isNew = !this.#known.includes(kind) && !this.#known.isRefinedBy(kind);
    this.learn(kind);
    yield { step: 'pursued', core };
    return isNew;
  }

  /** The formula without known kinds, if it is slow and of a new kind. */
  *#unknownIn(rest: Script): Generator<Step, SlowFormula | undefined, TrialResult> {
    const { runs } = yield* measured(rest, 'simplified', 'early');
    const slowdown = slowdownIn(runs, this.input.slowness);
    if (slowdown === undefined) return undefined;
    const isKnown = this.#known.includes(kindOf(rest, runs, slowdown, this.input.slowness));
    return isKnown ? undefined : { formula: rest, runs };
  }

  /** Shrinks a slowdown. Stops with undefined as soon as its kind is known, unless that kind is in doubt. */
  *#shrink(start: SlowFormula, isDoubted: boolean): Generator<Step, Core | undefined, TrialResult> {
    const shrinking = shrunkToCore(start, this.input.slowness, this.options.shrinkTries);
    const rule = quickRule(this.input.slowness);
    for (let step = shrinking.next(); ; ) {
      if (step.done) return step.value;
      if (step.value === undefined) {
        step = shrinking.next(nothingMeasured);
        continue;
      }
      const { formula, measuring, likelyReferenceMs } = step.value;
      const { runs } = yield* measured(formula, 'simplified', measuring, { likelyReferenceMs });
      const slowdown = slowdownIn(runs, rule);
      if (!isDoubted && slowdown && this.#known.includes(kindOf(formula, runs, slowdown, rule)))
        return undefined;
      step = shrinking.next(runs);
    }
  }

  /**
   * Draws the operators of a formula: an operator can mask others ("swarm testing"). Operators that mostly lead to
   * unsolvable formulas, and operator sets of known kinds, are drawn less often.
   */
  #someOperators(random: Random): ReadonlySet<string> {
    const share = random.pick(this.options.operatorShares);
    const some = new Set(
      this.#operators.filter((operator) => random.chance(share * this.#usefulness.of(operator))),
    );
    for (const set of this.#known.avoidableSets)
      if (set.length > 0 && !random.chance(this.#probabilityOf(set))) some.delete(random.pick(set));
    return some;
  }

  /** The more often a kind repeats, the less often its operators may appear together. */
  #probabilityOf(set: readonly string[]): number {
    return (1 - this.options.avoidProbability) / (1 + (this.#repeats.get(set.join(' ')) ?? 0));
  }

  /** Which of its operator sets made the formula slow is unknown, so each gets an equal share. */
  #countRepeat(formula: Script): void {
    const operators = significantOperators(formula);
    const sets = this.#known.avoidableSets.filter(
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
    if (this.#isPromising(formula) && gap > this.options.nearShare * thresholdOver(this.input.slowness, 0))
      this.#near.add(formula, gap);
  }
}

/** Whether some version answered, so that something can be learnt. */
function isUseful(runs: Runs): boolean {
  return runs.some(isAnswer);
}

function spentMs(runs: Runs): number {
  return runs.reduce((sum, run) => sum + (run?.wallMs ?? 0), 0);
}

export const culprit = strategy({
  summary: 'culprit: early stopping, many kinds of formulas, most time for new kinds of slowdowns',
  options,
  start: (input, chosen) => new CulpritSearch(input, chosen),
});

/** The variant for versions that count coverage. */
export const culpritCoverage = strategy({
  summary:
    'culprit with coverage of the newest version: formulas that reach new code, kinds compared by coverage',
  isCounting: true,
  options: countingOptions,
  start: (input, { reachReward, otherWork, sameWork, busyMemory, ...chosen }) =>
    new CulpritSearch(input, chosen, {
      reachReward,
      otherWork,
      sameWork,
      reached: new ReachedPlaces(),
      profiles: new CoverageProfiles(busyMemory),
    }),
});
