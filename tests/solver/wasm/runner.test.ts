import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../../src/smtlib/dialect.js';
import { parseScript } from '../../../src/smtlib/parse.js';
import { textFor } from '../../../src/solver/formula-text.js';
import type { Run, RunRequest } from '../../../src/solver/run.js';
import type { Version } from '../../../src/solver/version.js';
import { WasmRunner } from '../../../src/solver/wasm/runner.js';

const require = createRequire(import.meta.url);

function embedded(number: string, more: Partial<Version> = {}): Version {
  const packageDir = dirname(require.resolve(`z3-${number}/package.json`));
  return {
    name: `z3@${number}`,
    family: 'z3',
    number,
    source: 'embedded',
    program: { kind: 'wasm', packageDir },
    options: {},
    dialect: dialects['2.6'],
    ...more,
  };
}

const small = '(declare-const s String)(assert (= (str.len s) 3))(assert (str.contains s "ab"))(check-sat)';
const hard =
  '(declare-const a Int)(declare-const b Int)(declare-const c Int)' +
  '(assert (= (+ (* a a a) (* b b b) (* c c c)) 114))(check-sat)';

/** The hosts that are children of this process. */
function hosts(): string[] {
  const hostFile = 'wasm/host.js';
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(hostFile) &&
        readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`)
      );
    } catch {
      return false;
    }
  });
}

describe.each(['4.8.17', '5.2.0'])('Z3 %s as WASM', (number) => {
  const version = embedded(number);
  let runner: WasmRunner;
  const run = (text: string, more: Partial<RunRequest> = {}): Promise<Run> =>
    runner.run({ formula: parseScript(text), version, limits: { wallMs: 20_000 }, ...more });

  beforeAll(async () => {
    runner = new WasmRunner({ print: textFor });
    await runner.prepare([version]);
  });
  afterAll(() => runner.close());

  it('answers, and says what it took', async () => {
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

  it('answers every check-sat and keeps levels apart', async () => {
    const done = await run(
      '(declare-const p Bool)(push 1)(assert (and p (not p)))(check-sat)(pop 1)(check-sat)',
    );
    expect(done).toMatchObject({ outcome: 'sat', answers: ['unsat', 'sat'] });
  });

  it('never takes an error for an answer', async () => {
    expect(await run('(assert (> x 0))(check-sat)')).toMatchObject({
      outcome: expect.stringMatching(/error|unsupported/),
    });
    expect(await run('(declare-const x Int)(assert (str.frobnicate x))(check-sat)')).toMatchObject({
      outcome: 'unsupported',
    });
  });

  it('gives a model when asked and there is one', async () => {
    expect((await run(small, { model: true })).model).toContain('define-fun s');
    const unsat = await run(small.replace('3', '1'), { model: true });
    expect([unsat.outcome, unsat.model]).toEqual(['unsat', undefined]);
  });

  it('takes options and seeds, and complains of options there are not', async () => {
    const options = { 'smt.random_seed': '7' };
    expect((await run(small, { version: { ...version, options } })).outcome).toBe('sat');
    expect((await run(small, { seed: 7 })).seed).toBe(7);
    const wrong = await run(small, { version: { ...version, options: { 'smt.frobnicate': '1' } } });
    expect(wrong.outcome).toMatch(/error|unsupported/);
  });

  it('is not disturbed by what ran before: same effort, no options or definitions left over', async () => {
    const fresh = new WasmRunner({ print: textFor });
    const first = await fresh.run({ formula: parseScript(small), version, limits: { wallMs: 20_000 } });
    await fresh.close();
    const disturbances = [
      '(set-option :smt.random_seed 99)(set-option :smt.arith.solver 2)(declare-const z Int)(assert (> z 1))(check-sat)',
      '(declare-fun s () Int)(define-fun f ((x Int)) Int (+ x 1))(assert (= (f s) 2))(check-sat)',
      '(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(assert ((_ is cons) l))(check-sat)',
      '(this is no command)(assert',
    ];
    for (const text of disturbances) {
      const formula = text.endsWith('assert') ? { commands: [] } : parseScript(text);
      await runner.run({ formula, version, limits: { wallMs: 20_000 } });
      const again = await run(small);
      expect([again.outcome, again.effort]).toEqual([first.outcome, first.effort]);
    }
    // A formula cut off at its time limit, and one at its memory limit.
    expect((await run(hard, { limits: { wallMs: 100 } })).outcome).toBe('timeout');
    expect((await run(small)).effort).toBe(first.effort);
    await run(hard, { limits: { wallMs: 2000, memoryBytes: 1 << 20 } });
    expect((await run(small)).effort).toBe(first.effort);
  });

  it('keeps its time and memory limits', async () => {
    const late = await run(hard, { limits: { wallMs: 300 } });
    expect(late.outcome).toBe('timeout');
    expect((await run(hard, { limits: { wallMs: 20_000, cpuMs: 200 } })).outcome).toBe('timeout');
    expect((await run(hard, { limits: { wallMs: 20_000, memoryBytes: 1 << 20 } })).outcome).toBe('memout');
  });

  it('ends early when told to', async () => {
    const controller = new AbortController();
    const running = run(hard, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
    expect((await run(small)).outcome).toBe('sat');
  });

  it('survives a host that is killed', async () => {
    const before = hosts();
    const running = run(hard);
    setTimeout(() => {
      for (const pid of before) process.kill(Number(pid), 'SIGKILL');
    }, 100);
    expect(await running).toMatchObject({ outcome: 'crash', signal: 'SIGKILL' });
    expect((await run(small)).outcome).toBe('sat');
  });

  it('uses one host for one run after the other', async () => {
    for (let i = 0; i < 40; i++) expect((await run(small)).outcome).toBe('sat');
    expect(hosts()).toHaveLength(1);
  });
});

it('runs z3str3 where the version still has it', async () => {
  const runner = new WasmRunner({ print: textFor });
  const version = embedded('4.8.17', { family: 'z3str3' });
  const done = await runner.run({ formula: parseScript(small), version, limits: { wallMs: 20_000 } });
  await runner.close();
  expect(done.outcome).toBe('sat');
});

it('leaves no host behind when it is closed, also in the middle of a run', async () => {
  const runner = new WasmRunner({ print: textFor, workers: 2 });
  const request = { formula: parseScript(hard), version: embedded('5.2.0'), limits: { wallMs: 60_000 } };
  const running = [runner.run(request), runner.run(request)].map((one) =>
    one.catch((error: Error) => error.message),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  await runner.close();
  expect(await Promise.all(running)).toEqual(['the runner was closed', 'the runner was closed']);
  expect(hosts()).toEqual([]);
});

it('says so when a package does not load', async () => {
  const runner = new WasmRunner({ print: textFor });
  const version = embedded('5.2.0', { program: { kind: 'wasm', packageDir: '/nowhere' } });
  const running = runner.run({ formula: parseScript(small), version, limits: { wallMs: 1000 } });
  await expect(running).rejects.toThrow(/cannot start the Z3 in \/nowhere: Error: Cannot find module/);
  await runner.close();
});

it('hosts end by themselves when their parent is gone', async () => {
  const program = fileURLToPath(new URL('./abandoning-parent.mjs', import.meta.url));
  const parent = spawn(process.execPath, [program, dirname(require.resolve('z3-5.2.0/package.json'))]);
  const [chunk] = await once(parent.stdout, 'data');
  const pid = String(chunk).trim();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await expect.poll(() => readdirSync('/proc').includes(pid), { timeout: 10_000 }).toBe(false);
});
