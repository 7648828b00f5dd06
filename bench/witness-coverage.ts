import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { median } from 'simple-statistics';
import { CoverageRunner } from '../src/coverage/index.js';
import { Fault, temporaryFolder } from '../src/machine/index.js';
import { parseScript } from '../src/smtlib/index.js';
import { limitsFor, parseSpecList, resolveVersions, surroundings } from '../src/solver/index.js';

const rounds = 5;

const text = `(declare-fun E () String)
(assert (= (str.++ E "aa" E "ab" E) (str.++ "a" E E "aabaa")))
(check-sat)
`;

/**
 * What a solver executes for one formula: culprit's way and gcov's, in turns. $CULPRIT_BENCH_COUNTING is a program that
 * culprit built to count lines, in its cache; $CULPRIT_BENCH_GCOV one of the same objects linked with --coverage.
 */
export async function witnessCoverageBench(): Promise<void> {
  const { CULPRIT_BENCH_COUNTING: counting, CULPRIT_BENCH_GCOV: program } = process.env;
  if (counting === undefined || program === undefined)
    throw new Error('name programs in CULPRIT_BENCH_COUNTING and CULPRIT_BENCH_GCOV');
  const { signal } = new AbortController();
  const around = await surroundings();
  const specs = parseSpecList(`path:${counting}`, []);
  if (around instanceof Fault || specs instanceof Fault) throw new Error(`${counting} is no version`);
  const resolved = await resolveVersions(specs, around);
  if (resolved instanceof Fault) throw new Error(resolved.message);
  const [version] = resolved.versions;
  if (version === undefined) throw new Error(`${counting} is no version`);
  const opened = performance.now();
  const runner = await CoverageRunner.open([version], 1);
  if (runner instanceof Fault) throw new Error(runner.message);
  console.log(`reading the table, once: ${seconds(performance.now() - opened)}`);
  const folder = await temporaryFolder('gcov');
  try {
    const formula = parseScript(text);
    const taken: Record<'culprit' | 'gcov', number[]> = { culprit: [], gcov: [] };
    const gcov = new GcovsWay(program, folder);
    for (let round = 0; round <= rounds; round++) {
      let start = performance.now();
      const done = await runner.runPacked({ formula, version, limits: limitsFor(10_000) }, signal);
      if (done instanceof Fault) throw new Error(done.message);
      const own = performance.now() - start;
      start = performance.now();
      const lines = gcov.executed();
      const theirs = performance.now() - start;
      // The first one finds nothing in memory.
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

/** libgcov writes a file for every source, and gcov reads each with the compiler's notes on it. */
class GcovsWay {
  readonly #counters: string;
  #hasNotes = false;

  constructor(
    private readonly program: string,
    private readonly folder: string,
  ) {
    this.#counters = join(folder, 'counters');
    mkdirSync(join(folder, 'told'));
    writeFileSync(join(folder, 'formula.smt2'), text);
  }

  /** How many lines were executed. */
  executed(): number {
    for (const file of this.#files()) rmSync(file);
    spawnSync(this.program, [join(this.folder, 'formula.smt2')], {
      env: { GCOV_PREFIX: this.#counters },
      stdio: 'ignore',
    });
    const files = this.#files();
    if (!this.#hasNotes) for (const file of files) this.#putNotes(file);
    this.#hasNotes = true;
    const printed = execFileSync('gcov', ['-t', ...files], {
      cwd: join(this.folder, 'told'),
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = new Set<string>();
    let source = '';
    for (const line of printed.toString('latin1').split('\n')) {
      const [, count = '', number = '', rest = ''] = /^ *([^:]+): *(\d+):(.*)$/.exec(line) ?? [];
      if (number === '0' && rest.startsWith('Source:')) source = rest;
      else if (/^\d/.test(count)) lines.add(`${source}:${number}`);
    }
    return lines.size;
  }

  #files(): readonly string[] {
    mkdirSync(this.#counters, { recursive: true });
    return readdirSync(this.#counters, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.gcda'))
      .map((name) => join(this.#counters, name));
  }

  #putNotes(file: string): void {
    const notes = file.replace(/\.gcda$/, '.gcno');
    mkdirSync(dirname(notes), { recursive: true });
    symlinkSync(notes.slice(this.#counters.length), notes);
  }
}
