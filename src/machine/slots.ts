/** A number of slots, each used by one run at a time, granted in the order of requests. */
export class Slots {
  /** The last used slot comes first because its caches are warm. */
  readonly #free: number[];
  readonly #waiting = new Set<(slot: number) => void>();

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  /** Rejects with the signal's reason if it is aborted first. */
  take(signal?: AbortSignal): Promise<number> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const slot = this.#free.shift();
    if (slot !== undefined) return Promise.resolve(slot);
    return new Promise((resolve, reject) => {
      const take = (given: number) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(given);
      };
      const giveUp = () => {
        this.#waiting.delete(take);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(take);
    });
  }

  give(slot: number): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free.unshift(slot);
      return;
    }
    this.#waiting.delete(next);
    next(slot);
  }
}
