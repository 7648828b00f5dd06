interface Waiting {
  readonly take: (slot: number) => void;
  readonly fail: (reason: unknown) => void;
}

/** A number of places, each taken by one run at a time, handed out in the order they were asked for. */
export class Slots {
  readonly #free: number[];
  readonly #waiting = new Set<Waiting>();

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  /** Rejects with the signal's reason when it is aborted first. */
  take(signal: AbortSignal | undefined): Promise<number> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const slot = this.#free.shift();
    if (slot !== undefined) return Promise.resolve(slot);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        take: (given) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(given);
        },
        fail: (reason) => {
          signal?.removeEventListener('abort', giveUp);
          reject(reason);
        },
      };
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
    });
  }

  give(slot: number): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free.push(slot);
      return;
    }
    this.#waiting.delete(next);
    next.take(slot);
  }

  /** Turns away everyone still waiting. */
  failAll(reason: unknown): void {
    for (const { fail } of this.#waiting) fail(reason);
    this.#waiting.clear();
  }
}
