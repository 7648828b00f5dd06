import { Breath } from '../machine/index.js';
import { FoundSteps } from './found-steps.js';
import type { Step } from './shrink.js';

/** A step with the name of the rule behind it. */
export interface NamedStep<Item> extends Step<Item> {
  readonly rule?: string;
}

export interface MinimizeOptions<Item> {
  /** How many candidates are tested at once; the result does not depend on it. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  /** Told of every step that is taken. */
  readonly onStep?: (item: Item, rule: string | undefined) => void;
  /** Told of every candidate that was tested. */
  readonly onTried?: (holds: boolean, rule: string | undefined) => void;
}

/**
 * Delta debugging: takes one step after another while something holds, until no single step is left that keeps it.
 * Candidates are tested ahead in parallel as if those before them failed; a success counts only once everything before
 * it has failed, so that the result is the one a test at a time would give. What was tested ahead in vain is aborted.
 *
 * Serves formulas and sets of code changes alike: `simpler` says what is one step smaller.
 *
 * @param start something that holds
 * @param simpler what is one step smaller, the most promising first; each step must make it smaller by some measure;
 * undefined where finding the next one takes long
 * @returns what was reached when nothing was left to try, or when the signal came
 */
export async function minimize<Item>(
  start: Item,
  simpler: (item: Item) => Iterable<NamedStep<Item> | undefined>,
  holds: (item: Item, signal: AbortSignal) => Promise<boolean>,
  options: MinimizeOptions<Item>,
): Promise<Item> {
  const breath = new Breath();
  const payoff = new Payoff();
  let best = start;
  // Where the next round begins: what failed before that has been tried on nearly the same item.
  let from = 0;
  for (;;) {
    const steps = new FoundSteps(payoff.ordered(simpler(best)));
    const found = await firstThatHolds(steps, from, holds, payoff, breath, options);
    if (found === undefined) return best;
    best = found.item;
    from = found.at;
    options.onStep?.(best, steps.at(found.at)?.rule);
  }
}

interface Hit<Item> {
  readonly item: Item;
  readonly at: number;
}

/** Goes once round all steps; undefined if none holds or the signal came. */
async function firstThatHolds<Item>(
  steps: FoundSteps<NamedStep<Item>>,
  from: number,
  holds: (item: Item, signal: AbortSignal) => Promise<boolean>,
  payoff: Payoff,
  breath: Breath,
  { jobs, signal, onTried }: MinimizeOptions<Item>,
): Promise<Hit<Item> | undefined> {
  const ahead: { readonly item: Item; readonly at: number; readonly verdict: Promise<boolean> }[] = [];
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    for (let next = 0, isRound = false; ; ) {
      while (ahead.length < jobs && !isRound) {
        // Looking for steps, those that come to nothing, and verdicts that are known give nobody else a turn.
        if (breath.isDue) await breath.taken();
        if (signal?.aborted) return undefined;
        if (!steps.has(from + next) && steps.lookOn()) continue;
        // Where it comes round to the first one again, all have been found.
        isRound = next >= steps.count;
        if (isRound) break;
        const at = (from + next++) % steps.count;
        const item = steps.at(at)?.make();
        if (item === undefined) continue;
        const verdict = holds(item, leaving.signal);
        // It is looked at when its turn comes, if ever.
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
    signal?.removeEventListener('abort', leave);
    leaving.abort(new Error('another candidate was taken'));
    await Promise.allSettled(ahead.map((candidate) => candidate.verdict));
  }
}

/** After this many tries without one success a rule comes last. */
const patience = 20;

/** What has paid before. */
class Payoff {
  readonly #rules = new Map<string, { tries: number; successes: number }>();

  count(rule: string | undefined, isSuccess: boolean): void {
    if (rule === undefined) return;
    const known = this.#rules.get(rule) ?? { tries: 0, successes: 0 };
    known.tries++;
    if (isSuccess) known.successes++;
    this.#rules.set(rule, known);
  }

  /** Those of rules that have not paid so far come last. */
  *ordered<Named extends { readonly rule?: string }>(
    steps: Iterable<Named | undefined>,
  ): Generator<Named | undefined> {
    const idle = new Set(
      [...this.#rules].flatMap(([rule, { tries, successes }]) =>
        successes === 0 && tries >= patience ? [rule] : [],
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
