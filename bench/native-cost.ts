import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { dialects } from '../src/smtlib/dialect.js';
import { parseScript } from '../src/smtlib/parse.js';
import { printScript } from '../src/smtlib/print.js';
import type { Script } from '../src/smtlib/tree.js';
import { ProcessRunner, type ProcessRunnerOptions } from '../src/solver/process/runner.js';
import type { Version } from '../src/solver/version.js';

const formulaCount = 200;
const rounds = 7;
const seed = 1;

/** Words the runner puts behind `z3` for these formulas, so that the loop runs the very same command. */
const z3Arguments = ['-in', '-st', `smt.random_seed=${seed}`, `sat.random_seed=${seed}`];

/**
 * What running formulas through `ProcessRunner` costs over a bare shell loop of the same command on the same
 * formulas, and what a second worker gains. The ways take turns, so that what else the machine does hits all alike.
 */
export async function nativeCost(): Promise<void> {
  const version = systemZ3();
  if (version === undefined) {
    console.log('native-cost: there is no z3 on the PATH; skipped');
    return;
  }
  const formulas = Array.from({ length: formulaCount }, (_, i) => smallFormula(i));
  const folder = mkdtempSync(join(tmpdir(), 'native-cost-'));
  try {
    const files = formulas.map((formula, i) => {
      const file = join(folder, `${i}.smt2`);
      writeFileSync(file, printScript(formula, { dialect: version.dialect }));
      return file;
    });
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      loop: async () => shellLoop(files),
      'one worker': () => throughRunner(formulas, version, { workers: 1 }),
      'two workers': () => throughRunner(formulas, version, { workers: 2 }),
      'two workers, pinned': () => throughRunner(formulas, version, { workers: 2, pin: true }),
      'one worker, no cgroups': () => throughRunner(formulas, version, { workers: 1, cgroups: false }),
    };
    const times = await measured(ways);
    const typical = (way: string) => median([...(times.get(way) ?? [])]);
    console.log(
      `native-cost: ${formulaCount} small formulas on z3 ${version.number}, median of ${rounds} rounds`,
    );
    for (const way of Object.keys(ways)) {
      const milliseconds = typical(way);
      const ratio = milliseconds / typical('loop');
      console.log(
        `  ${way.padEnd(24)} ${milliseconds.toFixed(0).padStart(6)} ms  ${ratio.toFixed(3)} x the loop`,
      );
    }
    console.log(
      `  cost over the loop       ${(typical('one worker') / typical('loop')).toFixed(3)} (at most 1.15)`,
    );
    const gain = typical('one worker') / typical('two workers');
    console.log(`  gain of a second worker  ${gain.toFixed(2)} (at least 1.7)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(ways: Readonly<Record<string, () => Promise<void>>>): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, go] of Object.entries(ways)) {
      const start = performance.now();
      await go();
      // The first round only warms up.
      if (round > 0) times.set(way, [...(times.get(way) ?? []), performance.now() - start]);
    }
  }
  return times;
}

function shellLoop(files: readonly string[]): void {
  const script = 'for file in "$@"; do z3 $ARGUMENTS <"$file" >/dev/null; done';
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...files], {
    env: { ...process.env, ARGUMENTS: z3Arguments.join(' ') },
  });
  if (status !== 0) throw new Error('the shell loop failed');
}

async function throughRunner(
  formulas: readonly Script[],
  version: Version,
  options: ProcessRunnerOptions,
): Promise<void> {
  const runner = new ProcessRunner(options);
  const limits = { wallMs: 10_000, memoryBytes: 1 << 30 };
  try {
    const runs = await Promise.all(formulas.map((formula) => runner.run({ formula, version, limits, seed })));
    const odd = runs.find((run) => run.outcome !== 'sat' && run.outcome !== 'unsat');
    if (odd !== undefined) throw new Error(`a run ended as ${JSON.stringify(odd)}`);
  } finally {
    await runner.close();
  }
}

function systemZ3(): Version | undefined {
  try {
    const banner = execFileSync('z3', ['--version'], { encoding: 'utf8' });
    return {
      name: 'z3',
      family: 'z3',
      number: /\d+(?:\.\d+)+/.exec(banner)?.[0] ?? 'unknown',
      source: 'path',
      program: { kind: 'native', command: ['z3'] },
      options: {},
      dialect: dialects['2.6'],
    };
  } catch {
    return undefined;
  }
}

/** Answered in an instant, each a little different. */
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
