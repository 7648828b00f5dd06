import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { findProgram } from '../src/machine/index.js';
import { dialects, parseScript, printScript, type Script } from '../src/smtlib/index.js';
import {
  families,
  familyArguments,
  openRunner,
  type RunnerOptions,
  type Version,
} from '../src/solver/index.js';

const formulaCount = 200;
/** Number of formulas between turns, so that other load affects all methods equally. */
const turn = 20;
const passes = 5;
const seed = 1;

/** A method of running formulas. The time to open and close it counts. */
interface RunMethod {
  run(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Measures the overhead of `openRunner` over a shell loop of the same command on the same formulas, and the gain of a
 * second worker.
 */
export async function nativeCost(): Promise<void> {
  const version = systemZ3();
  if (version === undefined) {
    console.log('native-cost: skipped; z3 is not on the PATH');
    return;
  }
  const formulas = Array.from({ length: formulaCount }, (_, i) => smallFormula(i));
  const folder = mkdtempSync(join(tmpdir(), 'native-cost-'));
  try {
    const files = formulas.map((formula, i) => {
      const file = join(folder, `${i}.smt2`);
      writeFileSync(file, printScript(formula));
      return file;
    });
    const through = (options: RunnerOptions) => () => throughRunner(formulas, version, options);
    const ways: Readonly<Record<string, () => RunMethod>> = {
      'shell loop': () => shellLoop(files),
      'one worker': through({ workers: 1 }),
      'one worker, no cgroups': through({ workers: 1, cgroups: false }),
      'two workers': through({ workers: 2 }),
      'two workers, pinned': through({ workers: 2, pin: true }),
    };
    await onePass(ways);
    const measured: Map<string, number>[] = [];
    for (let pass = 0; pass < passes; pass += 1) measured.push(await onePass(ways));

    const typical = (value: (times: Map<string, number>) => number) => median(measured.map(value));
    const ratio = (way: string, other: string) =>
      typical((times) => (times.get(way) ?? 0) / (times.get(other) ?? 1));
    console.log(
      `native-cost: ${formulaCount} small formulas on z3 ${version.number}, median of ${passes} passes`,
    );
    for (const way of Object.keys(ways)) {
      const milliseconds = typical((times) => times.get(way) ?? 0);
      const times = ratio(way, 'shell loop').toFixed(3);
      console.log(`  ${way.padEnd(24)} ${milliseconds.toFixed(0).padStart(6)} ms  ${times} x the loop`);
    }
    console.log(`  cost over the loop       ${ratio('one worker', 'shell loop').toFixed(3)} (at most 1.15)`);
    console.log(`  gain of a second worker  ${ratio('one worker', 'two workers').toFixed(2)} (at least 1.7)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds that each method took for all formulas. */
async function onePass(ways: Readonly<Record<string, () => RunMethod>>): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const timed = async <Result>(name: string, act: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await act();
    times.set(name, (times.get(name) ?? 0) + performance.now() - start);
    return result;
  };
  const open = new Map<string, RunMethod>();
  for (const [name, make] of Object.entries(ways)) open.set(name, await timed(name, async () => make()));
  for (let from = 0; from < formulaCount; from += turn) {
    for (const [name, way] of open) await timed(name, () => way.run(from, from + turn));
  }
  for (const [name, way] of open) await timed(name, () => way.close());
  return times;
}

function shellLoop(files: readonly string[]): RunMethod {
  const call = { strings: true, incremental: false, model: false, seed, options: {} };
  const words = familyArguments(families.z3, call).join(' ');
  const script = `for file; do z3 ${words} <"$file" >/dev/null; done`;
  return {
    run: async (from, to) => {
      const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...files.slice(from, to)]);
      if (status !== 0) throw new Error('the shell loop failed');
    },
    close: async () => {},
  };
}

function throughRunner(formulas: readonly Script[], version: Version, options: RunnerOptions): RunMethod {
  const runner = openRunner(options);
  const limits = { wallMs: 10_000, memoryBytes: 1 << 30 };
  return {
    run: async (from, to) => {
      const runs = await Promise.all(
        formulas.slice(from, to).map((formula) => runner.run({ formula, version, limits, seed })),
      );
      const unexpected = runs.find((run) => run.outcome !== 'sat' && run.outcome !== 'unsat');
      if (unexpected !== undefined) throw new Error(`a run ended as ${JSON.stringify(unexpected)}`);
    },
    close: () => runner.close(),
  };
}

function systemZ3(): Version | undefined {
  const file = findProgram('z3');
  if (file === undefined) return undefined;
  const banner = execFileSync(file, ['--version'], { encoding: 'utf8' });
  return {
    name: 'z3',
    spec: 'path:z3',
    family: 'z3',
    number: /\d+(?:\.\d+)+/.exec(banner)?.[0] ?? 'unknown',
    source: 'path',
    program: { kind: 'native', command: ['z3'] },
    options: {},
    dialect: dialects['2.6'],
  };
}

/** Solved instantly, each slightly different. */
function smallFormula(i: number): Script {
  const length = 2 + (i % 7);
  return parseScript(`(set-logic QF_SLIA)
(declare-fun x () String)
(declare-fun y () String)
(declare-fun n () Int)
(assert (= (str.len x) ${length}))
(assert (= (str.++ x y) (str.++ y x)))
(assert (= n (+ (str.len y) ${i})))
(assert (${i % 2 === 0 ? '<' : '>'} n ${i + length}))
(check-sat)
`);
}
