import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { CoverageRunner } from '../src/coverage/index.js';
import { Fault, limitsFor, temporaryFolder } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { GcovCoverage } from './gcov-coverage.js';
import { versionOf } from './version-of.js';

const rounds = 5;

const text = `(declare-fun E () String)
(assert (= (str.++ E "aa" E "ab" E) (str.++ "a" E E "aabaa")))
(check-sat)
`;

/**
 * Measures the coverage of a solver on one formula with culprit and with gcov, alternately. $CULPRIT_BENCH_COUNTING
 * is a program that culprit built to count lines, in its cache. $CULPRIT_BENCH_GCOV is a program from the same
 * objects, linked with --coverage.
 */
export async function witnessCoverageBench(): Promise<void> {
  const { CULPRIT_BENCH_COUNTING: counting, CULPRIT_BENCH_GCOV: program } = process.env;
  if (counting === undefined || program === undefined)
    throw new Error('set CULPRIT_BENCH_COUNTING and CULPRIT_BENCH_GCOV to programs');
  const { signal } = new AbortController();
  const version = await versionOf(`path:${counting}`);
  const opened = performance.now();
  const runner = await CoverageRunner.open([version], 1);
  if (runner instanceof Fault) throw new Error(runner.message);
  console.log(`reading the line table, once: ${seconds(performance.now() - opened)}`);
  const folder = await temporaryFolder('gcov');
  try {
    const formula = parseScript(text);
    const taken: Record<'culprit' | 'gcov', number[]> = { culprit: [], gcov: [] };
    const gcov = new GcovCoverage(folder);
    const asked = join(folder, 'formula.smt2');
    writeFileSync(asked, text);
    for (let round = 0; round <= rounds; round++) {
      let start = performance.now();
      const done = await runner.runPacked({ formula, version, limits: limitsFor(10_000) }, signal);
      if (done instanceof Fault) throw new Error(done.message);
      const own = performance.now() - start;
      start = performance.now();
      const executed = await gcov.executed((env) => spawnSync(program, [asked], { env, stdio: 'ignore' }));
      const lines = executed.size;
      const theirs = performance.now() - start;
      // The first round starts with cold caches.
      if (round === 0) {
        console.log(`lines executed: ${done.executed.lines}, by gcov ${lines}`);
        continue;
      }
      taken.culprit.push(own);
      taken.gcov.push(theirs);
      console.log(`culprit ${seconds(own)}, gcov ${seconds(theirs)}`);
    }
    const [own, theirs] = [median(taken.culprit), median(taken.gcov)];
    console.log(
      `culprit ${seconds(own)}, gcov ${seconds(theirs)}: ${(theirs / own).toFixed(0)} times as fast`,
    );
  } finally {
    await runner.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
