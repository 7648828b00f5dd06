import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { Fault, limitsFor } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { openRunner, parseSpecList, resolveVersions, spentMs, surroundings } from '../src/solver/index.js';

const folder = fileURLToPath(new URL('../examples/', import.meta.url));
const rounds = 7;

/**
 * Measures the overhead of counting calls in the embedded solvers, by processor time: the same formulas alternately
 * with and without it.
 */
export async function coverageCostBench(): Promise<void> {
  const around = await surroundings();
  const specs = parseSpecList('z3@4.8.17,z3@5.2.0', []);
  if (around instanceof Fault || specs instanceof Fault)
    throw new Error('the embedded solvers are not installed');
  const resolved = await resolveVersions(specs, around);
  if (resolved instanceof Fault) throw new Error(resolved.message);
  const runner = openRunner({ workers: 1 });
  const formulas = readdirSync(folder)
    .filter((name) => name.endsWith('.smt2'))
    .map((name) => ({ name, formula: parseScript(readFileSync(`${folder}${name}`, 'utf8')) }));
  try {
    for (const version of resolved.versions) {
      const ratios: number[] = [];
      for (const { name, formula } of formulas) {
        const taken: Record<'plain' | 'counting', number[]> = { plain: [], counting: [] };
        for (let round = 0; round <= rounds; round++)
          for (const way of ['plain', 'counting'] as const) {
            const run = await runner.run({
              formula,
              version,
              limits: limitsFor(4_000),
              mostEffort: 300_000,
              calls: way === 'counting',
            });
            // The first round loads and warms its solver.
            if (round > 0) taken[way].push(spentMs(run));
          }
        const [plain, counting] = [median(taken.plain), median(taken.counting)];
        if (plain < 5) continue;
        ratios.push(counting / plain);
        console.log(
          `${version.name}  ${name}: ${plain.toFixed(0)} ms, counting calls ${counting.toFixed(0)} ms, ${(counting / plain).toFixed(2)}`,
        );
      }
      console.log(
        `${version.name}: ${median(ratios).toFixed(2)} at the median, ${Math.max(...ratios).toFixed(2)} at most`,
      );
    }
  } finally {
    await runner.close();
  }
}
