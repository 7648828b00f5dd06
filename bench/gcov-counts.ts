import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countersIn } from '../src/coverage/native/counters-file.js';
import { tablePath } from '../src/coverage/native/coverage-files.js';
import { CoverageTable } from '../src/coverage/table.js';
import { readTable } from '../src/coverage/table-file.js';
import { Fault, temporaryFolder } from '../src/machine/index.js';
import { GcovsWay } from './gcovs-way.js';

/**
 * How often lines are executed, by culprit's counters and by gcov, line by line, for each formula of a folder.
 * $CULPRIT_BENCH_COUNTING is a program that culprit built to count lines, in its cache; $CULPRIT_BENCH_GCOV one of the same
 * objects linked with --coverage; $CULPRIT_BENCH_FORMULAS the folder.
 */
export async function gcovCountsBench(): Promise<void> {
  const {
    CULPRIT_BENCH_COUNTING: counting,
    CULPRIT_BENCH_GCOV: program,
    CULPRIT_BENCH_FORMULAS: formulas,
  } = process.env;
  if (counting === undefined || program === undefined || formulas === undefined)
    throw new Error('name CULPRIT_BENCH_COUNTING, CULPRIT_BENCH_GCOV and CULPRIT_BENCH_FORMULAS');
  const parts = readTable(readFileSync(tablePath(counting)));
  if (parts instanceof Fault) throw new Error(parts.message);
  const table = new CoverageTable(parts);
  const folder = await temporaryFolder('gcov');
  try {
    const gcov = new GcovsWay(program, folder);
    for (const name of readdirSync(formulas).toSorted()) {
      if (!name.endsWith('.smt2')) continue;
      const path = join(formulas, name);
      const file = join(folder, 'counters.bin');
      rmSync(file, { force: true });
      spawnSync(counting, [path], { env: { CULPRIT_COUNTERS: file }, stdio: 'ignore' });
      const counters = await countersIn(file, parts.counterBytes);
      if (counters instanceof Fault) throw new Error(counters.message);
      const { lines, counts } = table.countsOf(counters);
      const own = new Map(
        [...lines].map((line, at) => [
          `${parts.files[parts.lineFiles[line] ?? -1]}:${parts.lineNumbers[line]}`,
          counts[at] ?? 0,
        ]),
      );
      const theirs = new Map([...gcov.executed(path)].map(([place, count]) => [nameOf(place), count]));
      const others = [...theirs].filter(
        ([place, count]) => isOwn(place, parts.files) && own.get(place) !== count,
      );
      const missing = [...own.keys()].filter((place) => !theirs.has(place));
      console.log(
        `${name}: ${own.size} lines, ${others.length} counted otherwise by gcov, ${missing.length} not by it`,
      );
      for (const [place, count] of others.slice(0, 5))
        console.log(`  ${place}: ${own.get(place)}, by gcov ${count}`);
      for (const place of missing.slice(0, 5)) console.log(`  ${place}: ${own.get(place)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As culprit names files: below the sources, or below what is built from them. */
function nameOf(place: string): string {
  return place.replace(/^.*?\/source\//, '').replace(/^\/.*?\/build\//, 'build/');
}

function isOwn(place: string, files: readonly string[]): boolean {
  return files.includes(place.slice(0, place.lastIndexOf(':')));
}
