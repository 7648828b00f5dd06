import type { Random } from '../../machine/index.js';
import { beta } from './sample.js';

interface Arm {
  rewards: number;
  failures: number;
}

/** What an action is believed to have reached before it was ever tried. */
export interface Prior {
  readonly rewards: number;
  readonly failures: number;
}

/** One action and what is believed of it. */
export interface Belief {
  readonly action: string;
  /** The expected share of successes. */
  readonly mean: number;
  /** Rewards and failures together: how much stands behind the mean. */
  readonly tries: number;
}

/**
 * Thompson sampling (BanditFuzz; SPRFinder 4.1): every action keeps a Beta distribution of how likely it is to
 * succeed; the action whose drawn guess is the highest is taken.
 */
export class ThompsonBandit<Action extends string> {
  private readonly arms: ReadonlyMap<Action, Arm>;

  constructor(
    actions: readonly Action[],
    /** Does not fade. */
    private readonly priorOf: (action: Action) => Prior = () => ({ rewards: 1, failures: 1 }),
    /** How many rewards and failures of all actions together are remembered; older ones fade. */
    private readonly memory = Number.POSITIVE_INFINITY,
  ) {
    this.arms = new Map(actions.map((action) => [action, { rewards: 0, failures: 0 }]));
  }

  /** @param among the actions to choose from; those it does not know are never taken */
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

  /** What gave much once may be used up. */
  #fade(by: number): void {
    if (this.memory === Number.POSITIVE_INFINITY) return;
    const share = Math.exp(-by / this.memory);
    for (const arm of this.arms.values()) {
      arm.rewards *= share;
      arm.failures *= share;
    }
  }

  /** What it favours, the best first. */
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
