import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import { type FamilyCall, familyArguments } from '../../src/solver/families/family.js';
import { families } from '../../src/solver/families/index.js';
import type { RunRequest } from '../../src/solver/run/run.js';
import { openRunner } from '../../src/solver/runners/chain.js';
import type { FamilyName, Version } from '../../src/solver/version/version.js';

const plain: FamilyCall = { strings: false, incremental: false, model: false, seed: undefined, options: {} };
const full: FamilyCall = {
  strings: true,
  incremental: true,
  model: true,
  seed: 7,
  options: { a: '1', b: 'x y' },
};

describe('familyArguments', () => {
  it.each<[FamilyName, string]>([
    ['z3', '-in -st'],
    ['z3str3', '-in -st smt.string_solver=z3str3'],
    ['cvc4', '--lang=smt2 --quiet --stats --stats-hide-zeros'],
    ['cvc5', '--lang=smt2 --quiet --stats --stats-internal'],
    ['custom', ''],
  ])('%s: keep the solver’s defaults unless requested', (family, expected) => {
    expect(familyArguments(families[family], plain).join(' ')).toBe(expected);
  });

  it.each<[FamilyName, string[]]>([
    ['z3', ['dump_models=true', 'smt.random_seed=7', 'sat.random_seed=7', 'a=1', 'b=x y']],
    [
      'cvc4',
      [
        '--strings-exp',
        '--incremental',
        '--produce-models',
        '--dump-models',
        '--seed=7',
        '--random-seed=7',
        '--a=1',
        '--b=x y',
      ],
    ],
    [
      'cvc5',
      [
        '--strings-exp',
        '--incremental',
        '--produce-models',
        '--dump-models',
        '--seed=7',
        '--sat-random-seed=7',
        '--a=1',
        '--b=x y',
      ],
    ],
  ])('%s: carry every requested setting', (name, expected) => {
    const family = families[name];
    expect(familyArguments(family, full)).toEqual([...family.always, ...expected]);
  });
});

const programs: Readonly<Record<Exclude<FamilyName, 'custom'>, string>> = {
  z3: 'z3',
  z3str3: 'z3',
  cvc4: 'cvc4',
  cvc5: 'cvc5',
};
const installed = Object.entries(programs).filter(
  ([, program]) => spawnSync(program, ['--version']).status === 0,
) as [FamilyName, string][];

describe.skipIf(installed.length === 0).each(installed)('a real %s', (family, program) => {
  const runner = openRunner();
  afterAll(() => runner.close());

  const version: Version = {
    name: family,
    spec: `path:${family}=${program}`,
    family,
    number: '0',
    source: 'path',
    program: { kind: 'native', command: [program] },
    options: {},
    dialect: dialects['2.6'],
  };
  const run = (text: string, more: Partial<RunRequest> = {}) =>
    runner.run({
      formula: parseScript(text),
      version,
      limits: { wallMs: 30_000, memoryBytes: 1 << 30 },
      ...more,
    });
  const strings = '(declare-fun x () String)(assert (= (str.len x) 3))';

  it('answers, counts its effort and is measured', async () => {
    const measured = await run(`(set-logic QF_SLIA)${strings}(check-sat)`);
    expect(measured).toMatchObject({ outcome: 'sat', answers: ['sat'] });
    expect(measured.effort).toBeGreaterThan(0);
    expect(measured.cpuMs).toBeGreaterThan(0);
    expect(measured.wallMs).toBeGreaterThan(0);
    expect(measured.peakMemoryBytes).toBeGreaterThan(100_000);
    expect(measured.model).toBeUndefined();
    expect(measured.seed).toBeUndefined();
  });

  it('counts the same effort in a second run', async () => {
    const text = `(set-logic QF_SLIA)${strings}(check-sat)`;
    const [first, second] = [await run(text, { seed: 5 }), await run(text, { seed: 5 })];
    expect(first.seed).toBe(5);
    expect(first.effort).toBe(second.effort);
  });

  it('answers every check-sat, and no echo counts as an answer', async () => {
    const text = `${strings}(check-sat)(echo "sat")(push 1)(assert (= x "ab"))(check-sat)(pop 1)(check-sat)`;
    expect(await run(text)).toMatchObject({ outcome: 'sat', answers: ['sat', 'unsat', 'sat'] });
  });

  it('prints a model after sat and no error after unsat', async () => {
    const model = await run(`${strings}(check-sat)`, { model: true });
    expect(model).toMatchObject({ outcome: 'sat' });
    expect(model.model).toMatch(/define-fun x \(\) String\s+"/);
    const none = await run(`${strings}(assert (= x "ab"))(check-sat)`, { model: true });
    expect(none).toMatchObject({ outcome: 'unsat' });
    expect(none.model).toBeUndefined();
  });

  it('reports an unknown operator as unsupported', async () => {
    expect(await run('(declare-fun y () (Frob Int))(check-sat)')).toMatchObject({ outcome: 'unsupported' });
    expect(await run(`${strings}(assert (str.frob x))(check-sat)`)).toMatchObject({ outcome: 'unsupported' });
  });

  it('does not receive unknown commands', async () => {
    expect(await run('(set-logic QF_LIA)(frobnicate)(check-sat)')).toMatchObject({ outcome: 'sat' });
  });

  it('reports an error in the formula', async () => {
    expect(await run(`${strings}(assert (= x 3))(check-sat)`)).toMatchObject({ outcome: 'error' });
  });

  it('ends at its limits', async () => {
    const hard = `(set-logic QF_BV)
      (declare-fun a () (_ BitVec 64))(declare-fun b () (_ BitVec 64))
      (assert (= (bvmul a b) #x7fffffffffffffe7))
      (assert (bvugt a #x0000000000000001))(assert (bvugt b #x0000000000000001))
      (assert (bvult a #x00000000ffffffff))(assert (bvult b #x00000000ffffffff))
      (check-sat)`;
    expect(await run(hard, { limits: { wallMs: 300 } })).toMatchObject({ outcome: 'timeout' });
    expect(await run(hard, { limits: { wallMs: 60_000, cpuMs: 300 } })).toMatchObject({ outcome: 'timeout' });
    expect(await run(hard, { limits: { wallMs: 60_000, memoryBytes: 6 << 20 } })).toMatchObject({
      outcome: 'memout',
    });
  });
});
