import { YieldTimer } from '../machine/index.js';
import { LazySteps } from './lazy-steps.js';
import type { Step } from './shrink.js';

export interface NamedStep<Item> extends Step<Item> {
  readonly rule?: string;
}

export interface MinimizeOptions<Item> {
  /** Number of candidates tested in parallel; the result does not depend on it. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  readonly onStep?: (item: Item, rule: string | undefined) => void;
  readonly onTried?: (holds: boolean, rule: string | undefined) => void;
}

/**
 * Delta debugging: accepts steps while `holds` is true, until no single step keeps it. Candidates are tested ahead in
 * parallel, on the assumption that earlier ones fail. A success counts only after all earlier candidates have failed,
 * so the result equals that of sequential testing. Candidates that were tested ahead of a success are aborted.
 *
 * Used for formulas and for sets of code changes.
 *
 * @param start an item that holds
 * @param simpler the items one step smaller, most promising first, by some measure that each step lowers; yields
 * undefined while it searches
 * @returns the item at which no step was left, or the best one when the signal was aborted
 */
export async function minimize<Item>(
  start: Item,
  simpler: (item: Item) => Iterable<NamedStep<Item> | undefined>,
  holds: (item: Item, signal: AbortSignal) => Promise<boolean>,
  options: MinimizeOptions<Item>,
): Promise<Item> {
  const yieldTimer = new YieldTimer();
  const payoff = new RuleStatistics();
  let best = start;
  // The next round starts here: earlier steps have failed on nearly the same item.
  let from = 0;
  for (;;) {
    const steps = new LazySteps(payoff.ordered(simpler(best)));
    const found = await firstThatHolds(steps, from, holds, payoff, yieldTimer, options);
    if (found === undefined) return best;
    best = found.item;
    from = found.at;
    options.onStep?.(best, steps.at(found.at)?.rule);
  }
}

interface AcceptedStep<Item> {
  readonly item: Item;
  readonly at: number;
}

/** Tries each step once, starting at `from`; undefined if none holds or the signal is aborted. */
async function firstThatHolds<Item>(
  steps: LazySteps<NamedStep<Item>>,
  from: number,
  holds: (item: Item, signal: AbortSignal) => Promise<boolean>,
  payoff: RuleStatistics,
  yieldTimer: YieldTimer,
  { jobs, signal, onTried }: MinimizeOptions<Item>,
): Promise<AcceptedStep<Item> | undefined> {
  const ahead: { readonly item: Item; readonly at: number; readonly verdict: Promise<boolean> }[] = [];
  const abandoned = new AbortController();
  const abandon = (): void => abandoned.abort(signal?.reason);
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    for (let next = 0, hasTriedAll = false; ; ) {
      while (ahead.length < jobs && !hasTriedAll) {
        // Searching steps, impossible steps and cached verdicts are all synchronous, so yield to the event loop.
        if (yieldTimer.isDue) await yieldTimer.yieldNow();
        if (signal?.aborted) return undefined;
        if (!steps.has(from + next) && steps.findMore()) continue;
        // The first step comes up again only after all steps have been found.
        hasTriedAll = next >= steps.count;
        if (hasTriedAll) break;
        const at = (from + next++) % steps.count;
        const item = steps.at(at)?.make();
        if (item === undefined) continue;
        const verdict = holds(item, abandoned.signal);
        // A rejection is handled when the candidate's turn comes, if it does.
        verdict.catch(() => {});
        ahead.push({ item, at, verdict });
      }
      const first = ahead.shift();
      if (first === undefined || signal?.aborted) return undefined;
      const isHolding = await first.verdict;
      if (signal?.aborted) return undefined;
      const rule = steps.at(first.at)?.rule;
      payoff.count(rule, isHolding);
      onTried?.(isHolding, rule);
      if (isHolding) return first;
    }
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  } finally {
    signal?.removeEventListener('abort', abandon);
    abandoned.abort(new Error('another candidate was taken'));
    await Promise.allSettled(ahead.map((candidate) => candidate.verdict));
  }
}

/** After this many tries without a success, a rule comes last. */
const maxFruitlessTries = 20;

class RuleStatistics {
  readonly #rules = new Map<string, { tries: number; successes: number }>();

  count(rule: string | undefined, isSuccess: boolean): void {
    if (rule === undefined) return;
    const known = this.#rules.get(rule) ?? { tries: 0, successes: 0 };
    known.tries++;
    if (isSuccess) known.successes++;
    this.#rules.set(rule, known);
  }

  /** Yields the steps of unsuccessful rules last. */
  *ordered<Named extends { readonly rule?: string }>(
    steps: Iterable<Named | undefined>,
  ): Generator<Named | undefined> {
    const idle = new Set(
      [...this.#rules].flatMap(([rule, { tries, successes }]) =>
        successes === 0 && tries >= maxFruitlessTries ? [rule] : [],
      ),
    );
    const last: Named[] = [];
    for (const step of steps) {
      if (step?.rule === undefined || !idle.has(step.rule)) yield step;
      else {
        last.push(step);
        yield undefined;
      }
    }
    yield* last;
  }
}
