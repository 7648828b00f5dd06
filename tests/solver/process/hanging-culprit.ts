import { openRunner } from '../../../src/solver/runners/chain.js';
import { asking, standin } from '../standins/standin.js';

/** A culprit with two running solvers, for tests that kill it. Prints a line once both run. */
const [directory = '', cgroups] = process.argv.slice(2);
const runner = openRunner({ print: () => '', workers: 2, cgroups: cgroups === 'true', directory });
const run = (name: string, wallMs: number) =>
  runner.run({ formula: asking(1), version: standin(name), limits: { wallMs } });

await Promise.all([run('answer', 60_000), run('answer', 60_000)]);
void run('daemon-hang', 600_000).catch(() => {});
void run('stubborn', 600_000).catch(() => {});
console.log('started');
