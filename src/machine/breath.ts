import { setImmediate } from 'node:timers/promises';

/** How long work may go on before others have their turn: an interrupt is heard as soon as that. */
const turnMs = 10;

/**
 * Long work that lets others have their turn: timers, signals from outside, the ends of child processes. Without it an
 * interrupt and a time limit are only heard when the work is done.
 *
 * @example
 * const breath = new Breath(signal);
 * for (const item of items) {
 *   if (breath.isDue) await breath.taken();
 *   work(item);
 * }
 */
export class Breath {
  #since = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  get isDue(): boolean {
    return performance.now() - this.#since > turnMs;
  }

  /** Everybody else's turn; throws the signal's reason if it came. */
  async taken(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
    this.signal?.throwIfAborted();
  }

  /** Work that is written as steps, with others' turns between them. */
  async through<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.taken();
    }
  }
}

/** The same work without a pause. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
