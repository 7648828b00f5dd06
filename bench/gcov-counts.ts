import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CoverageRunner, type Executed } from '../src/coverage/index.js';
import { Fault, limitsFor, temporaryFolder } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { openRunner } from '../src/solver/index.js';
import { GcovCoverage } from './gcov-coverage.js';
import { versionOf } from './version-of.js';

/** Time limit of a run, in milliseconds of processor time. */
const longest = 60_000;

/** Runs of each formula, to find lines whose counts vary. Hashing by address differs from run to run. */
const rounds = 5;

/**
 * Compares execution counts of culprit and gcov line by line, for each formula of a folder. $CULPRIT_BENCH_COUNTING
 * is a program that culprit built to count lines, in its cache. $CULPRIT_BENCH_GCOV is a program from the same
 * objects, linked with --coverage. $CULPRIT_BENCH_FORMULAS is the folder.
 */
export async function gcovCountsBench(): Promise<void> {
  const {
    CULPRIT_BENCH_COUNTING: counting,
    CULPRIT_BENCH_GCOV: program,
    CULPRIT_BENCH_FORMULAS: formulas,
  } = process.env;
  if (counting === undefined || program === undefined || formulas === undefined)
    throw new Error('set CULPRIT_BENCH_COUNTING, CULPRIT_BENCH_GCOV and CULPRIT_BENCH_FORMULAS');
  const { signal } = new AbortController();
  const version = await versionOf(`path:${counting}`);
  const folder = await temporaryFolder('gcov');
  const runner = await CoverageRunner.open([version], 1);
  if (runner instanceof Fault) throw new Error(runner.message);
  // Called the same way, since the option parser counts too.
  const plain = openRunner({ workers: 1, writable: [folder] });
  try {
    const gcov = new GcovCoverage(folder);
    const names = new Set(runner.executableOf(version).files?.keys());
    for (const name of readdirSync(formulas).toSorted()) {
      if (!name.endsWith('.smt2')) continue;
      const formula = parseScript(readFileSync(join(formulas, name), 'utf8'));
      const request = { formula, version, limits: limitsFor(longest) };
      const runs: ReadonlyMap<string, number>[] = [];
      for (let round = 0; round < rounds; round++) {
        const done = await runner.run(request, signal);
        if (done instanceof Fault) throw new Error(done.message);
        runs.push(countsIn(done.executed));
      }
      const [own = new Map<string, number>()] = runs;
      const isSteady = (place: string): boolean => runs.every((run) => run.get(place) === own.get(place));
      const printed = await gcov.executed(({ GCOV_PREFIX }) => {
        const command = ['env', `GCOV_PREFIX=${GCOV_PREFIX}`, program];
        return plain.run(
          { ...request, version: { ...version, program: { kind: 'native', command } } },
          signal,
        );
      });
      const theirs = new Map([...printed].map(([place, count]) => [nameOf(place), count]));
      const others = [...theirs].filter(
        ([place, count]) => names.has(fileOf(place)) && isSteady(place) && own.get(place) !== count,
      );
      const missing = [...own.keys()].filter((place) => isSteady(place) && !theirs.has(place));
      const unsteady = [...own.keys()].filter((place) => !isSteady(place)).length;
      console.log(
        `${name}: ${own.size} lines, ${unsteady} of them with counts that differ between ${rounds} runs; of the others ` +
          `${others.length} have other counts by gcov, ${missing.length} none`,
      );
      for (const [place, count] of others.slice(0, 5))
        console.log(`  ${place}: ${own.get(place)}, by gcov ${count}`);
      for (const place of missing.slice(0, 5)) console.log(`  ${place}: ${own.get(place)}`);
    }
  } finally {
    await runner.close();
    await plain.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsIn({ files }: Executed): ReadonlyMap<string, number> {
  return new Map(
    [...files].flatMap(([file, lines]) =>
      [...lines].map(([line, count]) => [`${file}:${line}`, count] as const),
    ),
  );
}

/** The name that culprit gives a file: relative to the sources, or to the build. */
function nameOf(place: string): string {
  return place.replace(/^.*?\/source\//, '').replace(/^\/.*?\/build\//, 'build/');
}

function fileOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}
