/** Pages of `run` and `bisect` with realistically long names. */

import { caseId } from '../../src/campaign/index.js';
import type { Standing } from '../../src/history/index.js';
import { bisectionHtml } from '../../src/report/bisection/bisection-page.js';
import type { RunResult, VersionResult } from '../../src/report/runs/run-result.js';
import { runsHtml } from '../../src/report/runs/runs-page.js';

export const runResults: readonly RunResult[] = Array.from({ length: 40 }, (_, at): RunResult => {
  const [referenceMs, newestMs] = [10 + 3 * at, at % 7 === 0 ? 2000 : 12 + 2 * at];
  const on = (version: string, ms: number): VersionResult => ({
    ...{ version, number: '1', source: 'pypi', program: 'native' },
    ...{
      outcome: ms === 2000 ? 'timeout' : 'sat',
      ms,
      wallMs: ms,
      effort: 1000 * ms,
      peakMemoryBytes: 2 ** 24,
    },
    runs: [],
  });
  return {
    formula: `queries/of/a/project/with/long/names/formula-${at}.smt2`,
    verdict: { kind: at % 7 === 0 ? 'slower' : 'same', referenceMs, newestMs },
    reference: 'z3@4.8.17',
    ...(at === 5 ? { disagreement: { check: 0, sat: ['z3@4.8.17'], unsat: ['z3@5.2.0'] } } : {}),
    versions: [on('z3@4.8.17', referenceMs), on('z3@5.2.0', newestMs)],
  };
});

export function runs(): string {
  return runsHtml(runResults, '1');
}

const commits = Array.from({ length: 30 }, (_, at) => `${at}`.padStart(40, '0123456789abcdef'));
const [good = '', bad = ''] = [commits[0], commits.at(-1)];

/** A bisection of two cases; one became slow at the tenth commit. */
export function bisection(): string {
  const formula = '(declare-const x String)\n(assert (str.in_re x (re.* (str.to_re "ab"))))\n(check-sat)\n';
  const cases = ['a.smt2', 'a/long/path/to/a/formula/that/became/slow.smt2'].map((name) => ({
    name,
    text: formula,
  }));
  const standing = {
    isFinished: true,
    settings: {
      ...{
        culprit: '1',
        good,
        bad,
        cases,
        by: 'time',
        isPrinted: false,
        strategy: 'batch',
        timeoutMs: 10_000,
      },
      recipe: { build: ['cmake -S . -B build', 'cmake --build build'] },
    },
    line: commits,
    looked: commits
      .filter((_, at) => at % 3 === 0)
      .map((commit, at) => ({
        commit,
        observations: [at < 3 ? 20 : 900, 15].map((ms) => ({ kind: 'measured', samples: [ms] })),
      })),
    steps: [],
    // Only the fields that a page shows.
  } as unknown as Standing;
  const culprit = {
    ...{ case: caseId(0), commit: commits[9] ?? '', before: commits[8] ?? '', others: [], isVerified: true },
    ...{ direction: 'slower' as const, beforeLevel: 20, afterLevel: 900 },
  };
  const without = [{ case: caseId(1), why: 'it is as quick at the bad commit as at the good one' }];
  return bisectionHtml({
    standing,
    bisection: { culprits: [culprit], looked: 10, built: 10, failed: [], ends: [], without },
  });
}
