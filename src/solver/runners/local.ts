import { textFor } from '../families/formula-text.js';
import { ProcessRunner, type ProcessRunnerOptions } from '../process/runner.js';
import type { Run, Runner, RunRequest } from '../run/run.js';
import type { Version } from '../version/version.js';
import { WasmRunner } from '../wasm/runner.js';

export interface LocalOptions extends Omit<ProcessRunnerOptions, 'print'> {}

/** Runs every version on this machine: native ones as processes, WASM ones in pooled workers. */
export class LocalRunner implements Runner {
  private readonly processes: ProcessRunner;
  private readonly workers: WasmRunner;

  constructor(options: LocalOptions = {}) {
    this.processes = new ProcessRunner({ ...options, print: textFor });
    this.workers = new WasmRunner({ workers: options.workers ?? 1, print: textFor });
  }

  run(request: RunRequest): Promise<Run> {
    return request.version.program.kind === 'wasm' ? this.workers.run(request) : this.processes.run(request);
  }

  /** Starts and warms what the versions need, so that the first run does not wait for it. */
  async prepare(versions: readonly Version[], signal?: AbortSignal): Promise<void> {
    const embedded = versions.filter((version) => version.program.kind === 'wasm');
    if (embedded.length > 0) await this.workers.prepare(embedded, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.processes.close(), this.workers.close()]);
  }
}
