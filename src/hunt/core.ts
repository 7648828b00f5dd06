/**
 * Shrinks a slowdown to its core: the smallest formula that is still slow. The core determines the slowdown's kind.
 */

import { shrink } from '../reduce/index.js';
import { type Script, simplificationsInTurn } from '../smtlib/index.js';
import { findingRule, quickRule, type Runs, type Slowness, slowdownIn } from '../solver/index.js';

/** A formula to measure, by the quick rule or by the rule for findings. */
export interface CoreStep {
  readonly formula: Script;
  readonly measuring: 'quick' | 'sure';
  /** The fastest older version's time for the formula that this one was derived from. */
  readonly likelyReferenceMs: number | undefined;
}

/** An accepted shrinking step. */
type Accepted = Omit<CoreStep, 'measuring'>;

export interface SlowFormula {
  readonly formula: Script;
  readonly runs: Runs;
}

export interface Core extends SlowFormula {
  /**
   * The smallest formula that is slow by the quick rule. It shows the cause even if it does not cross the threshold
   * for findings.
   */
  readonly cause: Script;
}

/** Sent in reply to a step that requests no measurement. */
export const nothingMeasured: Runs = [];

/** How many bisection steps look for the smallest result that is slow by the rule for findings. */
const maxBisectionSteps = 4;

/** How many of the last quick-rule steps are measured again, since noise may have accepted one. */
const recheckedSteps = 3;

/**
 * Shrinks by the quick rule, then checks that the result would be a finding. If not, it bisects the accepted steps
 * for the smallest formula that would. Shrinking until a formula is barely slow ends near the threshold.
 *
 * Yields undefined between formulas, so that the caller can run other work; the reply to it is ignored.
 */
export function* shrunkToCore(
  start: SlowFormula,
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
  let best: SlowFormula = start;
  // Steps up to `low` pass the rule for findings; steps from `high` on fail it.
  let [low, high] = [-1, accepted.length];
  for (let at = high - 1, tries = 0; low < at && at < high && tries <= maxBisectionSteps; tries++) {
    const step = accepted[at];
    if (step === undefined) break;
    const runs = yield { ...step, measuring: 'sure' };
    if (slowdownIn(runs, finding) === undefined) high = at;
    else [low, best] = [at, { formula: step.formula, runs }];
    at = Math.floor((low + high) / 2);
  }
  // The rule for findings implies the quick rule.
  if (low === accepted.length - 1) return { ...best, cause: best.formula };
  for (let back = 1; back <= recheckedSteps; back++) {
    const step = accepted.at(-back);
    if (step === undefined || accepted.length - back <= low) break;
    const runs = yield { ...step, measuring: 'quick' };
    if (slowdownIn(runs, rule) !== undefined) return { ...best, cause: step.formula };
  }
  return { ...best, cause: best.formula };
}
