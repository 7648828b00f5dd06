/** SPRFinder's Algorithm 1 with its choices left open: BanditFuzz and what was made of it differ only in those. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import {
  defaultParameters,
  generate,
  operatorsOf,
  replaceOperatorBy,
  type Script,
} from '../../smtlib/index.js';
import { isLonger, type Runs, score, slowdownIn, spentMs, timeSequence } from '../../solver/index.js';
import {
  type AdaptiveParameters,
  type Parameters,
  randomParameters,
  rangeOptions,
} from '../search/adaptive-parameters.js';
import { ThompsonBandit } from '../search/bandit.js';
import { TimeSequences } from '../search/time-warping.js';
import {
  type Found,
  type Ground,
  type Lane,
  measured,
  type Search,
  type Step,
  type Trialled,
} from '../strategy.js';

export const banditOptions = {
  /** β: how many test cases the queue holds. */
  queue: z.number().int().min(1).max(100_000).default(5),
  /** How many actions are drawn for a formula that has no place for the first ones. */
  draws: z.number().int().min(1).max(100_000).default(10),
  ...rangeOptions,
};

const schema = z.object(banditOptions);
type BanditOptions = z.infer<typeof schema>;

/** Where the published searches differ. */
export interface BanditChoices {
  /** How much slower the newest version is. */
  readonly score: (runs: Runs) => number;
  /**
   * What an action is rewarded with that made a better mutant, given the distance in seconds to the nearest earlier
   * case; undefined as long as there is none. One for every better mutant when left out.
   */
  readonly reward?: ((distance: number | undefined) => number) | undefined;
  /** Definition 2's earlier cases: the slowdowns, or all that were measured. */
  readonly distanceTo?: 'slowdowns' | 'all' | undefined;
  /** Parameters that follow idle windows; drawn anew for each formula when left out. */
  readonly adaptive?: AdaptiveParameters | undefined;
  /** After a find everything learnt is forgotten. */
  readonly restarts: boolean;
}

export { score as gapToQuickest };

/** The newest version's time minus the most any other takes: slower than all of them. */
export function gapToSlowest(runs: Runs): number {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  const newest = runs.at(-1);
  return (newest === undefined ? 0 : spentMs(newest)) - Math.max(0, ...others);
}

/** A test case of the paper: a formula and what it showed. */
interface TestCase {
  readonly formula: Script;
  readonly runs: Runs;
}

export class BanditSearch implements Search {
  readonly #operators: readonly string[];
  #bandit: ThompsonBandit<string>;
  #earlier = new TimeSequences();
  #drawn: Parameters | undefined;
  /** How often everything was forgotten: a lane that sees another number starts over. */
  #restarts = 0;

  constructor(
    private readonly ground: Ground,
    private readonly options: BanditOptions,
    private readonly choices: BanditChoices,
  ) {
    this.#operators = operatorsOf(ground.logic);
    this.#bandit = new ThompsonBandit(this.#operators);
  }

  view() {
    return { beliefs: this.#bandit.beliefs(), parameters: { ...this.#parameters } };
  }

  *lane(random: Random): Lane {
    for (;;) yield* this.#untilRestart(random);
  }

  /**
   * Lines 2 to 20. What the paper would call found by its times alone leaves the queue as it does there: where a version
   * crashed or gave up it is no slowdown but an anomaly, which the campaign records, and it would have the best score of
   * all for ever.
   */
  *#untilRestart(random: Random): Generator<Step, void, Trialled> {
    const restarts = this.#restarts;
    let queue: TestCase[] = [];
    while (this.#restarts === restarts) {
      while (queue.length < this.options.queue) queue.push(yield* this.#generated(random));
      const next: TestCase[] = [];
      for (const queued of queue) {
        if (slowdownIn(queued.runs, this.ground.slowness) !== undefined) {
          yield this.#found(queued, 'generated');
          if (this.#restarts !== restarts) return;
          continue;
        }
        if (isLonger(queued.runs, this.ground.slowness)) continue;
        const mutant = yield* this.#mutant(queued, random);
        next.push(queued);
        if (mutant === undefined) continue;
        if (slowdownIn(mutant.runs, this.ground.slowness) !== undefined) {
          yield this.#found(mutant, mutant.action);
          if (this.#restarts !== restarts) return;
        } else if (!isLonger(mutant.runs, this.ground.slowness)) next.push(mutant);
      }
      // KeepBestScore: one survives, the generator fills the queue up again.
      const { score } = this.choices;
      queue = next.toSorted((a, b) => score(b.runs) - score(a.runs)).slice(0, 1);
    }
  }

  /** What formulas, and the new parts of mutants, are made with now. */
  get #parameters(): Parameters | undefined {
    return this.choices.adaptive?.current ?? this.#drawn;
  }

  *#generated(random: Random): Generator<Step, TestCase, Trialled> {
    if (this.choices.adaptive === undefined) this.#drawn = randomParameters(this.options, random);
    const formula = generate(random, { logic: this.ground.logic, ...this.#parameters });
    const { runs, atMs } = yield* measured(formula, 'generated', 'full');
    for (const run of runs) if (run !== undefined) this.choices.adaptive?.observe(spentMs(run));
    this.#tick(atMs, random);
    if (this.choices.distanceTo === 'all') this.#earlier.add(timeSequence(runs));
    return { formula, runs };
  }

  /** Lines 9 to 17: the case with one operator replaced, if that made it better. */
  *#mutant(
    parent: TestCase,
    random: Random,
  ): Generator<Step, (TestCase & { readonly action: string }) | undefined, Trialled> {
    for (let draw = 0; draw < this.options.draws; draw++) {
      const action = this.#bandit.select(random, this.#operators);
      if (action === undefined) return undefined;
      const formula = replaceOperatorBy(parent.formula, action, random, {
        ...this.#parameters,
        literalProbability: defaultParameters.literalProbability,
      });
      if (formula === undefined) continue;
      const { runs, atMs } = yield* measured(formula, 'mutated', 'full');
      this.#tick(atMs, random);
      const sequence = timeSequence(runs);
      const isBetter = this.choices.score(runs) > this.choices.score(parent.runs);
      // Measured before the mutant itself is one of the earlier cases: the distance to itself would say nothing.
      if (isBetter) this.#bandit.reward(action, this.choices.reward?.(this.#earlier.nearest(sequence)));
      else this.#bandit.punish(action);
      if (this.choices.distanceTo === 'all') this.#earlier.add(sequence);
      return isBetter ? { formula, runs, action } : undefined;
    }
    return undefined;
  }

  #tick(atMs: number, random: Random): void {
    this.choices.adaptive?.update(atMs, random);
    this.#nowMs = atMs;
  }

  #nowMs = 0;

  #found({ formula, runs }: TestCase, by: string): Found {
    this.choices.adaptive?.found(this.#nowMs);
    if (this.choices.distanceTo === 'slowdowns') this.#earlier.add(timeSequence(runs));
    if (this.choices.restarts) {
      this.#restarts++;
      this.#bandit = new ThompsonBandit(this.#operators);
      this.#earlier = new TimeSequences();
    }
    return { step: 'found', formula, runs, by };
  }
}
