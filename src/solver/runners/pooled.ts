import { setMaxListeners } from 'node:events';
import { eitherSignal, Slots } from '../../machine/index.js';
import type { Engine, SlotLease } from '../run/engine.js';
import type { Run, RunRequest, WarmableRunner } from '../run/run.js';
import type { Program, Version } from '../version/version.js';

export type Engines = Readonly<Record<Program['kind'], Engine>>;

/**
 * Gives every run a slot, an abort signal and an engine. Limits concurrent runs to the number of workers, and rejects
 * runs after it was closed.
 */
export class PooledRunner implements WarmableRunner {
  readonly #engines: Engines;
  readonly #slots: Slots;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(engines: Engines, workers: number) {
    // Every waiting run adds a listener.
    setMaxListeners(0, this.#closing.signal);
    this.#engines = engines;
    this.#slots = new Slots(workers);
  }

  run(request: RunRequest, signal?: AbortSignal): Promise<Run> {
    const engine = this.#engines[request.version.program.kind];
    return this.#tracked(signal, (lease) => engine.run(request, lease));
  }

  /** Starts and warms up hosts for versions. This takes turns with runs, because it would disturb them. */
  async prepare(versions: readonly Version[], signal?: AbortSignal): Promise<void> {
    const all = Object.entries(this.#engines).flatMap(([kind, engine]) =>
      engine.preparations(versions.filter(({ program }) => program.kind === kind)),
    );
    await Promise.all(all.map((preparation) => this.#tracked(signal, preparation)));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('the runner was closed'));
    const ended = Promise.allSettled(this.#underWay);
    await Promise.all(Object.values(this.#engines).map((engine) => engine.close(ended)));
  }

  async #tracked<Result>(
    given: AbortSignal | undefined,
    work: (lease: SlotLease) => Promise<Result>,
  ): Promise<Result> {
    this.#closing.signal.throwIfAborted();
    const { signal, release } = eitherSignal(given, this.#closing.signal);
    const working = this.#withSlot(signal, work);
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
      release();
    }
  }

  async #withSlot<Result>(signal: AbortSignal, work: (lease: SlotLease) => Promise<Result>): Promise<Result> {
    const slot = await this.#slots.take(signal);
    let isFree = false;
    const release = (): void => {
      if (!isFree) this.#slots.give(slot);
      isFree = true;
    };
    try {
      return await work({ slot, signal, release });
    } finally {
      release();
    }
  }
}
