import { CoverageRunner, type PackedCounts, similarity } from '../src/coverage/index.js';
import { Fault, limitsFor, Random } from '../src/machine/index.js';
import { generate } from '../src/smtlib/index.js';
import { versionOf } from './version-of.js';

const wanted = 1000;
/** Time limit of a run, in milliseconds of processor time. The coverage up to the limit counts too. */
const longest = 300;

/**
 * Measures the memory of the packed coverages of a thousand random formulas, and how many are compared per second: on
 * $CULPRIT_BENCH_COUNTING, a version that counts, or on an embedded one.
 */
export async function coverageMemoryBench(): Promise<void> {
  const version = await versionOf(process.env.CULPRIT_BENCH_COUNTING ?? 'z3@5.2.0');
  const runner = await CoverageRunner.open([version], 1);
  if (runner instanceof Fault) throw new Error(runner.message);
  const random = Random.fromSeed(1);
  const { signal } = new AbortController();
  const kept: PackedCounts[] = [];
  try {
    while (kept.length < wanted) {
      const formula = generate(random, {
        logic: 'QF_SLIA',
        assertions: 3,
        depth: 3,
        variables: 5,
        literalLength: 5,
      });
      const done = await runner.runPacked({ formula, version, limits: limitsFor(longest) }, signal);
      if (done instanceof Fault) throw new Error(done.message);
      kept.push(done.executed);
    }
  } finally {
    await runner.close();
  }
  const bytes = kept.reduce((sum, one) => sum + one.bytes.byteLength, 0);
  const lines = kept.reduce((sum, one) => sum + one.lines, 0);
  const start = performance.now();
  let compared = 0;
  for (const one of kept.slice(0, 20))
    for (const other of kept) compared += similarity(one, other) <= 1 ? 1 : 0;
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${kept.length} coverages on ${version.name}: ${(bytes / 1e6).toFixed(1)} MB packed, ` +
      `${Math.round(lines / kept.length)} lines or functions each; the whole process ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB; ` +
      `${Math.round(compared / seconds)} compared a second`,
  );
}
