/** Every command opens its runner here. */

import { textFor } from '../families/formula-text.js';
import { ProcessEngine, type ProcessOptions } from '../process/engine.js';
import { WasmEngine, type WasmOptions } from '../wasm/engine.js';
import { MeteredRunner } from './metered.js';
import { PooledRunner } from './pooled.js';

export interface RunnerOptions extends Partial<ProcessOptions>, Partial<WasmOptions> {}

/**
 * Runs every version on this machine. A run is metered, waits for a free worker, and then goes to the engine for its
 * program: native programs get a process each, WASM uses pooled hosts.
 *
 * @example const runner = openRunner({ workers: 2 }); const run = await runner.run({ formula, version, limits:
 * limitsFor(10_000) }, signal); await runner.close();
 */
export function openRunner(options: RunnerOptions = {}): MeteredRunner {
  // Concurrent runs disturb each other, so the default is one.
  const shared = { ...options, workers: options.workers ?? 1, print: options.print ?? textFor };
  const engines = { native: new ProcessEngine(shared), wasm: new WasmEngine(shared) };
  return new MeteredRunner(new PooledRunner(engines, shared.workers));
}
