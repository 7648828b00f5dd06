import { LazySteps } from './lazy-steps.js';

/** A smaller item that is built only when it is tried; undefined if the step turns out to be impossible. */
export interface Step<Item> {
  readonly make: () => Item | undefined;
}

/**
 * Accepts simplifications while a property holds, until no single one keeps it. A coroutine: it yields the next
 * candidate and receives the verdict, so that sequential search, parallel measurement and replay from a journal share
 * the loop. It yields `undefined` while it searches, so that the caller can do other work; the value it then receives
 * is ignored.
 *
 * ```ts
 * const shrinking = shrink(formula, (item) => simplificationsInTurn(item));
 * for (let step = shrinking.next(); ; step = shrinking.next(stillSlow(step.value))) if (step.done) return step.value;
 * ```
 * @param start an item that holds
 * @param simpler the items one step smaller, most promising first, by some measure that each step lowers; yields
 * undefined while it searches
 * @param mostTries returns the best item so far after this many tries
 */
export function* shrink<Item>(
  start: Item,
  simpler: (item: Item) => Iterable<Step<Item> | undefined>,
  mostTries: number = Number.POSITIVE_INFINITY,
): Generator<Item | undefined, Item, boolean> {
  let best = start;
  let steps = new LazySteps(simpler(best));
  let failures = 0;
  let tries = 0;
  // After a success, continue at the same position: earlier steps have failed on nearly the same item.
  for (let at = 0; tries < mostTries; ) {
    while (!steps.has(at) && steps.findMore()) yield undefined;
    // The first step comes up again only after all steps have been found.
    if (failures >= steps.count) break;
    at %= steps.count;
    const candidate = steps.at(at)?.make();
    if (candidate === undefined) yield undefined;
    else tries++;
    if (candidate !== undefined && (yield candidate)) {
      best = candidate;
      steps = new LazySteps(simpler(best));
      failures = 0;
    } else {
      failures++;
      at++;
    }
  }
  return best;
}
