import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CoverageRunner, type Executed } from '../src/coverage/index.js';
import { Fault, limitsFor } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { spentMs } from '../src/solver/index.js';
import { versionOf } from './version-of.js';

/** Time limit of a run, in milliseconds of processor time. */
const longest = 60_000;
/** Moments at which runs are killed, as shares of their full time. */
const instants = [0.25, 0.5, 0.75];

/**
 * Compares the coverage of killed runs with that of complete runs: no line may be executed more often.
 * $CULPRIT_BENCH_COUNTING is a version that culprit built to count lines, $CULPRIT_BENCH_FORMULAS a folder of
 * formulas.
 */
export async function killedCoverageBench(): Promise<void> {
  const { CULPRIT_BENCH_COUNTING: counting, CULPRIT_BENCH_FORMULAS: formulas } = process.env;
  if (counting === undefined || formulas === undefined)
    throw new Error('set CULPRIT_BENCH_COUNTING to a version and CULPRIT_BENCH_FORMULAS to a folder');
  const version = await versionOf(counting);
  const runner = await CoverageRunner.open([version], 1);
  if (runner instanceof Fault) throw new Error(runner.message);
  const { signal } = new AbortController();
  try {
    for (const name of readdirSync(formulas).toSorted()) {
      if (!name.endsWith('.smt2')) continue;
      const formula = parseScript(readFileSync(join(formulas, name), 'utf8'));
      const ran = async (limitMs: number) => {
        const done = await runner.run({ formula, version, limits: limitsFor(limitMs) }, signal);
        if (done instanceof Fault) throw new Error(done.message);
        return done;
      };
      const whole = await ran(longest);
      for (const share of instants) {
        const killed = await ran(Math.round(share * spentMs(whole.run)));
        console.log(
          `${name}: ${whole.run.outcome} after ${spentMs(whole.run).toFixed(0)} ms, ${killed.run.outcome} at ${share} of it: ` +
            `${linesIn(killed.executed)} of ${linesIn(whole.executed)} lines, ` +
            `${linesBeyond(killed.executed, whole.executed)} executed more often than in the whole run`,
        );
      }
    }
  } finally {
    await runner.close();
  }
}

function linesIn({ files }: Executed): number {
  return [...files.values()].reduce((sum, lines) => sum + lines.size, 0);
}

function linesBeyond(part: Executed, whole: Executed): number {
  let beyond = 0;
  for (const [file, lines] of part.files)
    for (const [line, count] of lines) if (count > (whole.files.get(file)?.get(line) ?? 0)) beyond++;
  return beyond;
}
