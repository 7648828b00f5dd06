import type { Random } from '../../machine/index.js';
import { beta } from './sample.js';

interface Arm {
  rewards: number;
  failures: number;
}

/** Assumed rewards and failures of an untried action. */
export interface Prior {
  readonly rewards: number;
  readonly failures: number;
}

export interface Belief {
  readonly action: string;
  /** The expected success rate. */
  readonly mean: number;
  /** Rewards plus failures: the evidence for the mean. */
  readonly tries: number;
}

/**
 * Thompson sampling (BanditFuzz; SPRFinder 4.1): each action has a Beta distribution of its success rate; the action
 * with the highest sample is chosen.
 */
export class ThompsonBandit<Action extends string> {
  private readonly arms: ReadonlyMap<Action, Arm>;

  constructor(
    actions: readonly Action[],
    /** Does not decay. */
    private readonly priorOf: (action: Action) => Prior = () => ({ rewards: 1, failures: 1 }),
    /** Rewards and failures of all actions that are remembered; older ones decay. */
    private readonly memory = Number.POSITIVE_INFINITY,
  ) {
    this.arms = new Map(actions.map((action) => [action, { rewards: 0, failures: 0 }]));
  }

  /** @param among the actions to choose from; unknown ones are ignored */
  select(random: Random, among: Iterable<Action> = this.arms.keys()): Action | undefined {
    let best: Action | undefined;
    let highest = -1;
    for (const action of among) {
      const arm = this.arms.get(action);
      if (arm === undefined) continue;
      const prior = this.priorOf(action);
      const guess = beta(random, prior.rewards + arm.rewards, prior.failures + arm.failures);
      if (guess > highest) [best, highest] = [action, guess];
    }
    return best;
  }

  reward(action: Action, by = 1): void {
    this.#fade(by);
    const arm = this.arms.get(action);
    if (arm !== undefined) arm.rewards += by;
  }

  punish(action: Action, by = 1): void {
    this.#fade(by);
    const arm = this.arms.get(action);
    if (arm !== undefined) arm.failures += by;
  }

  /** Decays old results, since an action that paid off early may be exhausted. */
  #fade(by: number): void {
    if (this.memory === Number.POSITIVE_INFINITY) return;
    const share = Math.exp(-by / this.memory);
    for (const arm of this.arms.values()) {
      arm.rewards *= share;
      arm.failures *= share;
    }
  }

  /** The best action first. */
  beliefs(): readonly Belief[] {
    return [...this.arms]
      .map(([action, arm]) => {
        const prior = this.priorOf(action);
        const [rewards, failures] = [prior.rewards + arm.rewards, prior.failures + arm.failures];
        return { action, mean: rewards / (rewards + failures), tries: arm.rewards + arm.failures };
      })
      .toSorted((a, b) => b.mean - a.mean || (a.action < b.action ? -1 : 1));
  }
}
