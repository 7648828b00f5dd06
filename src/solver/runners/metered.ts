import type { Run, RunRequest, WarmableRunner } from '../run/run.js';
import type { Version } from '../version/version.js';

export class MeteredRunner implements WarmableRunner {
  readonly #inner: WarmableRunner;
  #solvingMs = 0;

  constructor(inner: WarmableRunner) {
    this.#inner = inner;
  }

  /** Concurrent runs are added up. */
  get solvingMs(): number {
    return this.#solvingMs;
  }

  async run(request: RunRequest, signal?: AbortSignal): Promise<Run> {
    const started = performance.now();
    const run = await this.#inner.run(request, signal);
    this.#solvingMs += performance.now() - started;
    return run;
  }

  prepare(versions: readonly Version[], signal?: AbortSignal): Promise<void> {
    return this.#inner.prepare(versions, signal);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
