/** The smallest formula that is still slow: what a slowdown's kind is told by. */

import { shrink } from '../reduce/shrink.js';
import { simplifications } from '../smtlib/simplify.js';
import type { Script } from '../smtlib/tree.js';
import { eased, type Runs, type Slowness, slowdownIn, sure } from '../solver/slowness.js';

/** A formula to measure on the way, until it is clear by the eased rule or by the one findings are held to. */
export interface CoreStep {
  readonly formula: Script;
  readonly measuring: 'eased' | 'sure';
}

/** A formula that is slow. */
export interface Slow {
  readonly formula: Script;
  readonly runs: Runs;
}

export interface Core extends Slow {
  /**
   * The smallest formula that is slow by the eased rule: what makes the formula slow, also where that alone does not
   * cross the threshold any more.
   */
  readonly telling: Script;
}

/** How often a result that is not sure is taken back by half of the way. */
const retreats = 4;

/** How many of the last steps by the eased rule are looked at again: one may have been taken for noise. */
const doubtedSteps = 3;

/**
 * Shrinks by the eased rule, then sees that the result would make a finding. Where it would not, the steps are taken
 * back by halves until it does: what is shrunk as long as it is slow at all ends close to where it is not.
 */
export function* shrunkToCore(
  start: Slow,
  slowness: Slowness,
  mostTries: number,
): Generator<CoreStep, Core, Runs> {
  const [rule, finding] = [eased(slowness), sure(slowness)];
  const accepted: Script[] = [];
  const shrinking = shrink(start.formula, (one) => simplifications(one), mostTries);
  for (let step = shrinking.next(); !step.done; ) {
    const isSlow = slowdownIn(yield { formula: step.value, measuring: 'eased' }, rule) !== undefined;
    if (isSlow) accepted.push(step.value);
    step = shrinking.next(isSlow);
  }
  let best: Slow = start;
  // Everything up to `low` is sure, everything from `high` on is not.
  let [low, high] = [-1, accepted.length];
  for (let at = high - 1, tries = 0; low < at && at < high && tries <= retreats; tries++) {
    const formula = accepted[at] as Script;
    const runs = yield { formula, measuring: 'sure' };
    if (slowdownIn(runs, finding) === undefined) high = at;
    else [low, best] = [at, { formula, runs }];
    at = Math.floor((low + high) / 2);
  }
  // What is sure is slow by the eased rule as well.
  if (low === accepted.length - 1) return { ...best, telling: best.formula };
  for (let back = 1; back <= doubtedSteps; back++) {
    const telling = accepted.at(-back);
    if (telling === undefined || accepted.length - back <= low) break;
    const runs = yield { formula: telling, measuring: 'eased' };
    if (slowdownIn(runs, rule) !== undefined) return { ...best, telling };
  }
  return { ...best, telling: best.formula };
}
