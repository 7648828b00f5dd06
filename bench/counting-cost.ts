import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { CoverageRunner } from '../src/coverage/index.js';
import { Fault, limitsFor } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { openRunner, spentMs } from '../src/solver/index.js';
import { versionOf } from './version-of.js';

const rounds = 5;
/** Time limit of a run, in milliseconds of processor time. */
const longest = 30_000;
/** Shorter runs mostly measure the start of the program. */
const shortest = 100;

/**
 * Measures the overhead of counting lines in a native solver, by processor time: the same formulas alternately on a
 * build that counts and on one that does not, including the time to read the counts. $CULPRIT_BENCH_COUNTING and
 * $CULPRIT_BENCH_PLAIN are versions of the same sources, the first one built by culprit to count lines.
 * $CULPRIT_BENCH_FORMULAS is a folder of formulas.
 */
export async function countingCostBench(): Promise<void> {
  const {
    CULPRIT_BENCH_COUNTING: counts,
    CULPRIT_BENCH_PLAIN: plain,
    CULPRIT_BENCH_FORMULAS: formulas,
  } = process.env;
  if (counts === undefined || plain === undefined || formulas === undefined)
    throw new Error(
      'name versions in CULPRIT_BENCH_COUNTING and CULPRIT_BENCH_PLAIN, a folder in CULPRIT_BENCH_FORMULAS',
    );
  const [counting, without] = [await versionOf(counts), await versionOf(plain)];
  const counter = await CoverageRunner.open([counting], 1);
  if (counter instanceof Fault) throw new Error(counter.message);
  const runner = openRunner({ workers: 1 });
  const { signal } = new AbortController();
  const ratios: number[] = [];
  const after: number[] = [];
  try {
    for (const name of readdirSync(formulas).toSorted()) {
      if (!name.endsWith('.smt2')) continue;
      const formula = parseScript(readFileSync(join(formulas, name), 'utf8'));
      const taken: Record<'counting' | 'without', number[]> = { counting: [], without: [] };
      for (let round = 0; round <= rounds; round++) {
        const start = performance.now();
        const done = await counter.runPacked(
          { formula, version: counting, limits: limitsFor(longest) },
          signal,
        );
        if (done instanceof Fault) throw new Error(done.message);
        const more = performance.now() - start - done.run.wallMs;
        const run = await runner.run({ formula, version: without, limits: limitsFor(longest) });
        // The first round starts with cold caches.
        if (round === 0) continue;
        taken.counting.push(spentMs(done.run));
        taken.without.push(spentMs(run));
        after.push(more);
      }
      const [slower, quicker] = [median(taken.counting), median(taken.without)];
      const ratio = slower / quicker;
      if (quicker >= shortest) ratios.push(ratio);
      console.log(`${name}: ${quicker.toFixed(0)} ms, counting ${slower.toFixed(0)} ms: ${ratio.toFixed(2)}`);
    }
    console.log(
      `counting lines, runs of ${shortest} ms and more: ${median(ratios).toFixed(2)} at the median of ${ratios.length}, ` +
        `${Math.max(...ratios).toFixed(2)} at most; all counts read ${median(after).toFixed(0)} ms after a run at the ` +
        `median, ${Math.max(...after).toFixed(0)} ms at most`,
    );
  } finally {
    await runner.close();
    await counter.close();
  }
}
