/** The program of a host: a process that holds one WASM Z3 and evaluates formulas, one after the other. */

import { evaluate } from './evaluation.js';
import type { Job, Report } from './messages.js';
import { warmUp, warmUpRounds } from './warm-up.js';
import { loadZ3 } from './z3-module.js';

// Evaluations run on other threads, so this is heard at any time: without its parent a host has nothing to do.
process.on('disconnect', () => process.exit());

function report(one: Report, then?: () => void): void {
  process.send?.(one, undefined, undefined, then);
}

const module = await loadZ3(process.argv[2] ?? '');
for (let round = 0; round < warmUpRounds; round++) {
  for (const text of warmUp) await evaluate(module, { text, options: [], wallMs: 10_000, model: false });
}

process.on('message', (job: Job) => {
  evaluate(module, job).then(report, (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    report({ kind: 'broken', message }, () => process.exit(1));
  });
});
report({ kind: 'ready' });
