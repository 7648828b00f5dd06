/** The smallest formula that is still slow: what a slowdown's kind is told by. */

import { shrink } from '../reduce/index.js';
import { type Script, simplificationsInTurn } from '../smtlib/index.js';
import { findingRule, quickRule, type Runs, type Slowness, slowdownIn } from '../solver/index.js';

/** A formula to measure on the way, until it is clear by the quick rule or by the one findings are held to. */
export interface CoreStep {
  readonly formula: Script;
  readonly measuring: 'quick' | 'sure';
  /** How long the quickest of the older versions took for the formula it comes of, or for itself, when it was slow. */
  readonly likelyReferenceMs: number | undefined;
}

/** A step that was taken. */
type Accepted = Omit<CoreStep, 'measuring'>;

/** A formula that is slow. */
export interface Slow {
  readonly formula: Script;
  readonly runs: Runs;
}

export interface Core extends Slow {
  /**
   * The smallest formula that is slow by the quick rule: what makes the formula slow, also where that alone does not
   * cross the threshold any more.
   */
  readonly telling: Script;
}

/** The answer to a step that asks for nothing. */
export const nothingMeasured: Runs = [];

/** How often a result that is not sure is taken back by half of the way. */
const retreats = 4;

/** How many of the last steps by the quick rule are looked at again: one may have been taken for noise. */
const doubtedSteps = 3;

/**
 * Shrinks by the quick rule, then sees that the result would make a finding. Where it would not, the steps are taken
 * back by halves until it does: what is shrunk as long as it is slow at all ends close to where it is not.
 *
 * Yields undefined while it looks for what to measure, so that whoever drives it can let others have their turn; what it
 * is told then does not matter.
 */
export function* shrunkToCore(
  start: Slow,
  slowness: Slowness,
  mostTries: number,
): Generator<CoreStep | undefined, Core, Runs> {
  const [rule, finding] = [quickRule(slowness), findingRule(slowness)];
  const accepted: Accepted[] = [];
  const shrinking = shrink(start.formula, (formula) => simplificationsInTurn(formula), mostTries);
  let likelyReferenceMs = slowdownIn(start.runs, rule)?.referenceMs;
  for (let step = shrinking.next(); !step.done; ) {
    const formula = step.value;
    if (formula === undefined) {
      yield undefined;
      step = shrinking.next(false);
      continue;
    }
    const slowdown = slowdownIn(yield { formula, measuring: 'quick', likelyReferenceMs }, rule);
    if (slowdown !== undefined) {
      likelyReferenceMs = slowdown.referenceMs;
      accepted.push({ formula, likelyReferenceMs });
    }
    step = shrinking.next(slowdown !== undefined);
  }
  let best: Slow = start;
  // Everything up to `low` is sure, everything from `high` on is not.
  let [low, high] = [-1, accepted.length];
  for (let at = high - 1, tries = 0; low < at && at < high && tries <= retreats; tries++) {
    const step = accepted[at];
    if (step === undefined) break;
    const runs = yield { ...step, measuring: 'sure' };
    if (slowdownIn(runs, finding) === undefined) high = at;
    else [low, best] = [at, { formula: step.formula, runs }];
    at = Math.floor((low + high) / 2);
  }
  // What is sure is slow by the quick rule as well.
  if (low === accepted.length - 1) return { ...best, telling: best.formula };
  for (let back = 1; back <= doubtedSteps; back++) {
    const step = accepted.at(-back);
    if (step === undefined || accepted.length - back <= low) break;
    const runs = yield { ...step, measuring: 'quick' };
    if (slowdownIn(runs, rule) !== undefined) return { ...best, telling: step.formula };
  }
  return { ...best, telling: best.formula };
}
