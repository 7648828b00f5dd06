import { setImmediate } from 'node:timers/promises';

/** The longest time between two yields, and so the delay before an interrupt takes effect. */
const turnMs = 10;

/**
 * Lets long work yield to the event loop, so that timers, signals and the ends of child processes are handled.
 * Without it, an interrupt or a time limit takes effect only when the work is done.
 *
 * @example
 * const yieldTimer = new YieldTimer(signal);
 * for (const item of items) {
 *   if (yieldTimer.isDue) await yieldTimer.yieldNow();
 *   work(item);
 * }
 */
export class YieldTimer {
  #since = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  get isDue(): boolean {
    return performance.now() - this.#since > turnMs;
  }

  /** Yields once; throws the signal's reason if the signal was aborted. */
  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
    this.signal?.throwIfAborted();
  }

  /** Runs a generator to its end and yields between its steps when due. */
  async runSteps<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.yieldNow();
    }
  }
}

/** Runs a generator to its end without yielding. */
export function runWithoutYielding<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
