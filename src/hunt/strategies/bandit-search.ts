/** SPRFinder's Algorithm 1, parameterized by the choices in which BanditFuzz and its variants differ. */

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
  type FoundSlowdown,
  type Lane,
  measured,
  type Search,
  type SearchInput,
  type Step,
  type TrialResult,
} from '../strategy.js';

export const banditOptions = {
  /** β: the size of the queue. */
  queue: z.number().int().min(1).max(100_000).default(5),
  /** How many actions to draw until one applies to the formula. */
  draws: z.number().int().min(1).max(100_000).default(10),
  ...rangeOptions,
};

const schema = z.object(banditOptions);
type BanditOptions = z.infer<typeof schema>;

/** The choices that differ between the published searches. */
export interface BanditChoices {
  /** How much slower the newest version is. */
  readonly score: (runs: Runs) => number;
  /**
   * The reward of an action that improved a formula, given the distance in seconds to the nearest earlier case
   * (undefined if there is none). Default: 1.
   */
  readonly reward?: ((distance: number | undefined) => number) | undefined;
  /** The earlier cases of Definition 2: slowdowns, or all measured formulas. */
  readonly distanceTo?: 'slowdowns' | 'all' | undefined;
  /** Parameters that change with idle windows; default: drawn per formula. */
  readonly adaptive?: AdaptiveParameters | undefined;
  /** After each slowdown, everything learnt is discarded. */
  readonly restarts: boolean;
}

export { score as gapToQuickest };

/** The newest version's time minus the slowest other's. */
export function gapToSlowest(runs: Runs): number {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  const newest = runs.at(-1);
  return (newest === undefined ? 0 : spentMs(newest)) - Math.max(0, ...others);
}

/** The paper's test case: a formula and its runs. */
interface TestCase {
  readonly formula: Script;
  readonly runs: Runs;
}

export class BanditSearch implements Search {
  readonly #operators: readonly string[];
  #bandit: ThompsonBandit<string>;
  #earlier = new TimeSequences();
  #drawn: Parameters | undefined;
  /** How often everything was discarded; a lane restarts when the number changes. */
  #restarts = 0;

  constructor(
    private readonly input: SearchInput,
    private readonly options: BanditOptions,
    private readonly choices: BanditChoices,
  ) {
    this.#operators = operatorsOf(input.logic);
    this.#bandit = new ThompsonBandit(this.#operators);
  }

  view() {
    return { beliefs: this.#bandit.beliefs(), parameters: { ...this.#parameters } };
  }

  *lane(random: Random): Lane {
    for (;;) yield* this.#untilRestart(random);
  }

  /**
   * Lines 2 to 20. A formula that is long by its times but no slowdown leaves the queue too: a version crashed or
   * gave up, so the campaign records an anomaly. It would otherwise keep the best score forever.
   */
  *#untilRestart(random: Random): Generator<Step, void, TrialResult> {
    const restarts = this.#restarts;
    let queue: TestCase[] = [];
    while (this.#restarts === restarts) {
      while (queue.length < this.options.queue) queue.push(yield* this.#generated(random));
      const next: TestCase[] = [];
      for (const queued of queue) {
        if (slowdownIn(queued.runs, this.input.slowness) !== undefined) {
          yield this.#found(queued, 'generated');
          if (this.#restarts !== restarts) return;
          continue;
        }
        if (isLonger(queued.runs, this.input.slowness)) continue;
        const mutant = yield* this.#mutant(queued, random);
        next.push(queued);
        if (mutant === undefined) continue;
        if (slowdownIn(mutant.runs, this.input.slowness) !== undefined) {
          yield this.#found(mutant, mutant.action);
          if (this.#restarts !== restarts) return;
        } else if (!isLonger(mutant.runs, this.input.slowness)) next.push(mutant);
      }
      // KeepBestScore: one survives; the generator refills the queue.
      const { score } = this.choices;
      queue = next.toSorted((a, b) => score(b.runs) - score(a.runs)).slice(0, 1);
    }
  }

  /** The current parameters for new formulas and new parts of mutants. */
  get #parameters(): Parameters | undefined {
    return this.choices.adaptive?.current ?? this.#drawn;
  }

  *#generated(random: Random): Generator<Step, TestCase, TrialResult> {
    if (this.choices.adaptive === undefined) this.#drawn = randomParameters(this.options, random);
    const formula = generate(random, { logic: this.input.logic, ...this.#parameters });
    const { runs, atMs } = yield* measured(formula, 'generated', 'full');
    for (const run of runs) if (run !== undefined) this.choices.adaptive?.observe(spentMs(run));
    this.#updateParameters(atMs, random);
    if (this.choices.distanceTo === 'all') this.#earlier.add(timeSequence(runs));
    return { formula, runs };
  }

  /** Lines 9 to 17: replaces one operator; the mutant if it is better. */
  *#mutant(
    parent: TestCase,
    random: Random,
  ): Generator<Step, (TestCase & { readonly action: string }) | undefined, TrialResult> {
    for (let draw = 0; draw < this.options.draws; draw++) {
      const action = this.#bandit.select(random, this.#operators);
      if (action === undefined) return undefined;
      const formula = replaceOperatorBy(parent.formula, action, random, {
        ...this.#parameters,
        literalProbability: defaultParameters.literalProbability,
      });
      if (formula === undefined) continue;
      const { runs, atMs } = yield* measured(formula, 'mutated', 'full');
      this.#updateParameters(atMs, random);
      const sequence = timeSequence(runs);
      const isBetter = this.choices.score(runs) > this.choices.score(parent.runs);
      // Before the mutant is added to the earlier cases, which would make the distance 0.
      if (isBetter) this.#bandit.reward(action, this.choices.reward?.(this.#earlier.nearest(sequence)));
      else this.#bandit.punish(action);
      if (this.choices.distanceTo === 'all') this.#earlier.add(sequence);
      return isBetter ? { formula, runs, action } : undefined;
    }
    return undefined;
  }

  #updateParameters(atMs: number, random: Random): void {
    this.choices.adaptive?.update(atMs, random);
    this.#nowMs = atMs;
  }

  #nowMs = 0;

  #found({ formula, runs }: TestCase, by: string): FoundSlowdown {
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
