import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseScript } from '../../../src/smtlib/index.js';
import { textFor } from '../../../src/solver/families/formula-text.js';
import type { Run, WarmableRunner } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import { WasmEngine } from '../../../src/solver/wasm/engine.js';
import { functionNames } from '../../../src/solver/wasm/function-names.js';
import { needsTools } from '../../needs.js';
import { someOf } from '../../rounds.js';
import { embedded, embeddedNumbers, hard, packageDirOf, runsOn, small } from './embedded.js';

needsTools('build');

describe.each(someOf(embeddedNumbers))('Z3 %s as WASM', (number) => {
  const version = embedded(number);
  let runner: WarmableRunner;
  const run = runsOn(() => runner, version);

  beforeAll(async () => {
    runner = openRunner();
    await runner.prepare([version]);
  });
  afterAll(() => runner.close());

  it('answers and reports its measurements', async () => {
    expect(await run(small)).toEqual({
      outcome: 'sat',
      answers: ['sat'],
      wallMs: expect.any(Number),
      cpuMs: expect.any(Number),
      peakMemoryBytes: expect.any(Number),
      effort: expect.any(Number),
    });
    expect((await run(small.replace('3', '1'))).outcome).toBe('unsat');
  });

  it('gives the same answers with the same effort in untimed mode', async () => {
    const untimed = openRunner({ isUntimed: true });
    const runUntimed = runsOn(() => untimed, version);
    for (const text of [small, small.replace('3', '1')]) {
      const { outcome, answers, effort } = await run(text, { fresh: true });
      expect(await runUntimed(text, { fresh: true })).toMatchObject({ outcome, answers, effort });
    }
    await untimed.close();
  });

  it('counts function calls on request, also of a run that times out', async () => {
    const plain = await run(small);
    const counted = await run(small, { calls: true, fresh: true });
    expect(plain.called).toBeUndefined();
    expect(counted).toMatchObject({ outcome: 'sat', effort: plain.effort });
    const calls = (done: Run, part: string): number => {
      const names = functionNames(readFileSync(join(packageDirOf(number), 'build', 'z3-built.wasm')));
      const { functions = [], calls: counts = [] } = done.called ?? {};
      return functions.reduce(
        (sum, index, at) => sum + (names[index]?.includes(part) ? (counts[at] ?? 0) : 0),
        0,
      );
    };
    expect(calls(counted, 'seq_rewriter')).toBeGreaterThan(0);
    // Times and memory vary, but the results are equal.
    const again = await run(small, { calls: true, fresh: true });
    for (const part of ['seq_rewriter', 'theory_seq', 'rewriter'])
      expect(calls(again, part)).toBe(calls(counted, part));
    const late = await run(hard, { calls: true, limits: { wallMs: 60_000, cpuMs: 300 } });
    expect(late.outcome).toBe('timeout');
    expect(calls(late, 'arith')).toBeGreaterThan(0);
  });

  it('answers every check-sat and separates levels', async () => {
    const done = await run(
      '(declare-const p Bool)(push 1)(assert (and p (not p)))(check-sat)(pop 1)(check-sat)',
    );
    expect(done).toMatchObject({ outcome: 'sat', answers: ['unsat', 'sat'] });
  });

  it('ignores everything after an exit', async () => {
    expect(await run('(check-sat)(exit)(check-sat)')).toMatchObject({ outcome: 'sat', answers: ['sat'] });
  });

  it('never reads an error as an answer', async () => {
    expect(await run('(assert (> x 0))(check-sat)')).toMatchObject({
      outcome: expect.stringMatching(/error|unsupported/),
      message: expect.stringContaining('unknown constant x'),
    });
    expect(await run('(declare-const x Int)(assert (str.frobnicate x))(check-sat)')).toMatchObject({
      outcome: 'unsupported',
    });
  });

  it('returns a model on request if there is one', async () => {
    expect((await run(small, { model: true })).model).toContain('define-fun s');
    expect((await run(small)).model).toBeUndefined();
    const unsat = await run(small.replace('3', '1'), { model: true });
    expect([unsat.outcome, unsat.model]).toEqual(['unsat', undefined]);
  });

  it('accepts options, and reports unknown ones', async () => {
    const seeded = await run(small, { version: { ...version, options: { 'smt.random_seed': '7' } } });
    expect([seeded.outcome, seeded.effort]).toEqual(['sat', (await run(small, { seed: 7 })).effort]);
    expect(await run(small, { version: { ...version, options: { 'smt.frobnicate': '1' } } })).toMatchObject({
      outcome: 'unsupported',
      message: expect.stringContaining("unknown parameter 'frobnicate'"),
    });
    expect(await run(small, { version: { ...version, options: { 'smt.random_seed': 'x' } } })).toMatchObject({
      outcome: 'error',
    });
  });

  it('accepts a seed, which changes the search and is reported', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map((seed) => run(small, { seed })));
    expect(runs.map(({ seed }) => seed)).toEqual([1, 2, 3, 4]);
    expect(new Set(runs.map(({ effort }) => effort)).size).toBeGreaterThan(1);
  });

  it('returns an unsat core although its context cannot enable them', async () => {
    const text =
      '(set-option :produce-unsat-cores true)(set-logic QF_LIA)(declare-const a Int)' +
      '(assert (! (> a 0) :named p))(assert (! (< a 0) :named q))(check-sat)(get-unsat-core)';
    expect((await run(text)).outcome).toBe('unsat');
  });

  it('keeps its time limits', async () => {
    expect((await run(hard, { limits: { wallMs: 100 } })).outcome).toBe('timeout');
    expect((await run(hard, { limits: { wallMs: 60_000, cpuMs: 100 } })).outcome).toBe('timeout');
  });

  it('reports work counters on request, also of a run that times out', async () => {
    const answered = await run(small, { work: true });
    expect(answered).toMatchObject({ outcome: 'sat', work: { 'seq-add-axiom': expect.any(Number) } });
    expect((await run(small)).work).toBeUndefined();
    // Both loop here, and react to an interrupt.
    const looping =
      '(declare-const a String)(declare-const b String)(declare-const p Bool)' +
      '(assert (str.prefixof a (str.++ b (ite p a ""))))(check-sat)';
    // Limits processor time, because wall time may run out on a busy machine before Z3 starts. The limit leaves room
    // for compilation.
    const cut = await run(looping, { work: true, limits: { wallMs: 60_000, cpuMs: 1000 } });
    expect(cut).toMatchObject({ outcome: 'timeout', answers: [] });
    expect(Object.keys(cut.work ?? {})[0]).toBe('seq-branch');
  });

  it('keeps its memory limit', async () => {
    const wide = (bits: number) =>
      `(set-logic QF_BV)(declare-const a (_ BitVec ${bits}))(declare-const b (_ BitVec ${bits}))` +
      '(assert (= (bvmul a b) (bvudiv a (bvadd b b))))(check-sat)';
    const limits = { wallMs: 60_000, memoryBytes: 40 << 20 };
    expect((await run(wide(2000), { limits })).outcome).toBe('memout');
    expect((await run(wide(2), { limits })).outcome).toBe('sat');
  });

  if (number === '4.8.17')
    it('runs z3str3, which later versions lack', async () => {
      const other = await run(small, { version: embedded(number, { family: 'z3str3' }) });
      expect(other.outcome).toBe('sat');
      expect(other.effort).not.toBe((await run(small)).effort);
    });

  it('keeps its output limit on both streams', async () => {
    const limits = { wallMs: 60_000, outputBytes: 200 };
    const exceeded = { outcome: 'error', message: 'printed more than the output limit' };
    const sum = `(+ ${'a '.repeat(200)})`;
    expect(await run(`(declare-const a Int)(check-sat)(get-value (${sum}))`, { limits })).toMatchObject(
      exceeded,
    );
    expect(await run(`(set-option :verbosity 100)${small}`, { limits })).toMatchObject(exceeded);
  });
});

it('a WASM runner reports formulas that a version cannot express as unsupported', async () => {
  const version = embedded('4.8.17');
  const runner = openRunner();
  const formula = parseScript('(declare-const s String)(assert (= s "\\u{1f600}"))(check-sat)');
  const done = await runner.run({
    formula,
    version: { ...version, dialect: { name: '2.6x', names: '2.6', escapes: 'x' } },
    limits: { wallMs: 1000 },
  });
  await runner.close();
  expect(done.outcome).toBe('unsupported');
});

it('a WASM runner reports a package that does not load', async () => {
  const runner = openRunner();
  const version = embedded('5.2.0', { program: { kind: 'wasm', packageDir: '/nowhere' } });
  await expect(runsOn(() => runner, version)(small)).rejects.toThrow(
    /^cannot start the Z3 in \/nowhere: Error: Cannot find module/,
  );
  await runner.close();
});

it('a WASM runner rejects native versions', async () => {
  const engine = new WasmEngine({ print: textFor, workers: 1 });
  const version = embedded('5.2.0', { program: { kind: 'native', command: ['z3'] } });
  const lease = { slot: 0, signal: new AbortController().signal, release: () => {} };
  const request = { formula: parseScript(small), version, limits: { wallMs: 1000 } };
  await expect(engine.run(request, lease)).rejects.toThrow('z3@5.2.0 is not a WASM package');
  await engine.close(Promise.resolve());
});
