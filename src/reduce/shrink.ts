import { FoundSteps } from './found-steps.js';

/** A smaller item that is built only when it is tried; undefined if there is none after all. */
export interface Step<Item> {
  readonly make: () => Item | undefined;
}

/**
 * Takes one simplification after another while something holds, until none is left that keeps it: the result is
 * minimal in that no single simplification applies any more. Written as a coroutine: it yields what to try next and is
 * told whether it holds, so that the same loop serves a search that measures one formula at a time, a pool that
 * measures many, and a replay from a journal. While it looks for what to try it yields `undefined`, so that whoever
 * drives it can let others have their turn; what it is told then does not matter.
 *
 * ```ts
 * const shrinking = shrink(formula, (one) => simplificationsInTurn(one));
 * for (let step = shrinking.next(); ; step = shrinking.next(stillSlow(step.value))) if (step.done) return step.value;
 * ```
 * @param start something that holds
 * @param simpler what is one step smaller, the most promising first; each step must make it smaller by some measure, or
 * turn out to be impossible; undefined where finding the next one takes long
 * @param mostTries gives the best so far after this many tries
 */
export function* shrink<Item>(
  start: Item,
  simpler: (item: Item) => Iterable<Step<Item> | undefined>,
  mostTries: number = Number.POSITIVE_INFINITY,
): Generator<Item | undefined, Item, boolean> {
  let best = start;
  let steps = new FoundSteps(simpler(best));
  let failures = 0;
  let tries = 0;
  // After a success it goes on from the same place: what failed before it has been tried on nearly the same item.
  for (let at = 0; tries < mostTries; ) {
    while (!steps.has(at) && steps.lookOn()) yield undefined;
    // Where it comes round to the first one again, all have been found.
    if (failures >= steps.count) break;
    at %= steps.count;
    const candidate = steps.at(at)?.make();
    if (candidate === undefined) yield undefined;
    else tries++;
    if (candidate !== undefined && (yield candidate)) {
      best = candidate;
      steps = new FoundSteps(simpler(best));
      failures = 0;
    } else {
      failures++;
      at++;
    }
  }
  return best;
}
