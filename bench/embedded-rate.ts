import { mean, median, min } from 'simple-statistics';
import { Fault } from '../src/machine/index.js';
import { parseScript, type Script } from '../src/smtlib/index.js';
import {
  openRunner,
  parseSpecList,
  type Runner,
  resolveVersions,
  surroundings,
  type Version,
} from '../src/solver/index.js';

const formulasOfAKind = 20;
const rounds = 12;
const wanted = 40;

/** Formulas that are solved instantly, each slightly different. */
const kinds: Readonly<Record<string, (i: number) => string>> = {
  strings: (i) => `(set-logic QF_SLIA)
(declare-fun x () String) (declare-fun y () String) (declare-fun n () Int)
(assert (= (str.len x) ${2 + (i % 3)})) (assert (= (str.++ x y) (str.++ y x)))
(assert (= n (+ (str.len y) ${i}))) (assert (${i % 2 === 0 ? '<' : '>'} n ${i + 2})) (check-sat)`,
  integers: (i) => `(set-logic QF_LIA)
(declare-const a Int) (declare-const b Int)
(assert (= (+ (* 3 a) (* ${2 + (i % 5)} b)) ${40 + i})) (assert (and (> a 0) (> b a))) (check-sat)`,
  reals: (i) => `(set-logic QF_LRA)
(declare-const x Real) (declare-const y Real) (declare-const p Bool)
(assert (< (+ (* 2.5 x) y) ${i}.5)) (assert (ite p (> x ${i}.0) (> y (* 3.0 x)))) (check-sat)`,
  'bit-vectors': (i) => `(set-logic QF_BV)
(declare-const p (_ BitVec 8)) (declare-const q (_ BitVec 8))
(assert (= (bvmul p q) (_ bv${33 + i} 8))) (assert (bvugt p (_ bv${1 + (i % 5)} 8))) (check-sat)`,
  arrays: (i) => `(set-logic QF_ALIA)
(declare-const m (Array Int Int)) (declare-const i Int) (declare-const j Int)
(assert (not (= (select (store (store m i ${i}) j 4) i) ${i}))) (check-sat)`,
};

/** Measures the start of the embedded versions, and how many small formulas a warm worker solves per second. */
export async function embeddedRate(): Promise<void> {
  const versions = await embeddedVersions();
  if (versions instanceof Fault) {
    console.log(`embedded-rate: ${versions.message}; skipped`);
    return;
  }
  for (const version of versions) await report(version);
}

async function report(version: Version): Promise<void> {
  const runner = openRunner();
  try {
    const started = performance.now();
    await runner.prepare([version]);
    const startMs = performance.now() - started;
    console.log(`embedded-rate: ${version.name}, one worker, best and median of ${rounds} rounds`);
    console.log(`  ${'start and warm up'.padEnd(18)} ${startMs.toFixed(0).padStart(5)} ms`);
    const times = await measureRounds(runner, version);
    for (const [kind, all] of times) console.log(line(kind, min(all), median(all)));
    const together = (typical: (all: number[]) => number) => mean([...times.values()].map(typical));
    console.log(`${line('all', together(min), together(median))}  (at least ${wanted})`);
  } finally {
    await runner.close();
  }
}

/**
 * Milliseconds per formula in each round, by kind. Other load only adds to them. The best round shows the possible
 * rate, the median the actual one.
 */
async function measureRounds(runner: Runner, version: Version): Promise<ReadonlyMap<string, number[]>> {
  const formulas = Object.entries(kinds).map(
    ([kind, text]) =>
      [kind, Array.from({ length: formulasOfAKind }, (_, i) => parseScript(text(i)))] as const,
  );
  const times = new Map(formulas.map(([kind]) => [kind, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, scripts] of formulas) {
      const started = performance.now();
      for (const formula of scripts) await answered(runner, formula, version);
      times.get(kind)?.push((performance.now() - started) / scripts.length);
    }
  }
  return times;
}

async function answered(runner: Runner, formula: Script, version: Version): Promise<void> {
  const { outcome } = await runner.run({ formula, version, limits: { wallMs: 10_000 } });
  if (outcome !== 'sat' && outcome !== 'unsat') throw new Error(`${version.name} came to ${outcome}`);
}

function line(what: string, bestMs: number, medianMs: number): string {
  const rate = (ms: number) => (1000 / ms).toFixed(1).padStart(6);
  return `  ${what.padEnd(18)} ${rate(bestMs)} ${rate(medianMs)} formulas a second`;
}

async function embeddedVersions(): Promise<readonly Version[] | Fault> {
  const around = await surroundings();
  if (around instanceof Fault) return around;
  const specs = parseSpecList('embedded:z3@4.8.17,embedded:z3@5.2.0');
  if (specs instanceof Fault) return specs;
  const resolved = await resolveVersions(specs, around);
  return resolved instanceof Fault ? resolved : resolved.versions;
}
