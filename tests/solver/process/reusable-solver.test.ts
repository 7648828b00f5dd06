import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/machine/index.js';
import { parseScript } from '../../../src/smtlib/index.js';
import type { Run, Runner, RunRequest } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import type { Version } from '../../../src/solver/version/version.js';
import { leftovers } from '../../machine/processes/leftovers.js';
import { needsTools } from '../../needs.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { custom, standin } from '../standins/standin.js';

needsTools('solvers');

const limits = { wallMs: 20_000, memoryBytes: 1 << 30 };

describe.each([{ cgroups: true }, { cgroups: false }])('reusable solvers with $cgroups cgroups', ({
  cgroups,
}) => {
  let directory: string;
  let started: string;
  let runner: Runner;
  beforeEach(() => {
    directory = temporaryFolder('staying');
    started = join(temporaryFolder('staying-log'), 'started');
    runner = openRunner({ workers: 2, cgroups, directory, writable: [join(started, '..')] });
  });
  afterEach(async () => {
    await runner.close();
    expect(leftovers(directory)).toEqual([]);
    removeFolder(directory);
    removeFolder(join(started, '..'));
  });

  /** The number of started processes. */
  const starts = (): number => readFileSync(started, 'utf8').trim().split('\n').length;
  const glance = (
    text: string,
    version: Version,
    more: Partial<RunRequest> = {},
    signal?: AbortSignal,
  ): Promise<Run> =>
    runner.run({ formula: parseScript(text), version, limits, glance: true, ...more }, signal);
  const talk = (): Version => ({ ...standin('talk', started), family: 'z3' });
  const plain = '(declare-const a Bool)\n(assert a)\n(check-sat)\n';
  const doing = (word: string): string =>
    plain.replace('a Bool', `${word} Bool`).replace('assert a', `assert ${word}`);

  it('answer many formulas with one process', async () => {
    for (let i = 0; i < 20; i++) expect(await glance(plain, talk())).toMatchObject({ outcome: 'sat' });
    expect(starts()).toBe(1);
    expect(await glance(plain, talk(), { glance: false })).toMatchObject({ outcome: 'sat' });
    expect(starts()).toBe(2);
  });

  it('have one process for each worker', async () => {
    const both = await Promise.all([glance(plain, talk()), glance(plain, talk()), glance(plain, talk())]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['sat', 'sat', 'sat']);
    expect(starts()).toBe(2);
  });

  it('are replaced after some formulas', async () => {
    for (let i = 0; i < 510; i++) await glance(plain, talk());
    expect(starts()).toBe(2);
  });

  it('are killed with their children at the limit, and the next formula has a new one', async () => {
    await glance(doing('daemon'), talk());
    const late = await glance(doing('hang'), talk(), { limits: { ...limits, wallMs: 150 } });
    expect(late).toMatchObject({ outcome: 'timeout', answers: [] });
    expect(late.wallMs).toBeGreaterThanOrEqual(150);
    expect(await glance(plain, talk())).toMatchObject({ outcome: 'sat' });
    expect(starts()).toBe(2);
  });

  it.each([
    ['crash', 'crash'],
    ['leave', 'error'],
    ['complain', 'error'],
  ])('leave the outcome to a new process if a formula makes them %s', async (word, outcome) => {
    expect(await glance(doing(word), talk())).toMatchObject({ outcome });
    expect(await glance(plain, talk())).toMatchObject({ outcome: 'sat' });
  });

  it('are killed if they flood their output', async () => {
    const flooded = await glance(doing('flood'), talk(), { limits: { ...limits, outputBytes: 1 << 20 } });
    expect(flooded).toMatchObject({ outcome: 'error', message: 'printed more than the output limit' });
    expect(await glance(plain, talk())).toMatchObject({ outcome: 'sat' });
    // The flooding one, the deciding new process, and the next reusable one.
    expect(starts()).toBe(3);
  });

  it('stop when aborted', async () => {
    const stop = new AbortController();
    const hanging = glance(doing('hang'), talk(), {}, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(hanging).rejects.toThrow('enough');
    expect(await glance(plain, talk())).toMatchObject({ outcome: 'sat' });
  });

  it('report a missing program like a new process does', async () => {
    const nowhere: Version = { ...custom('nowhere', [join(directory, 'nowhere')]), family: 'z3' };
    expect((await glance(plain, nowhere)).outcome).toBe(
      (await glance(plain, nowhere, { glance: false })).outcome,
    );
  });

  it('are not started again after repeated failures', async () => {
    const mute: Version = { ...standin('talk', started, 'mute'), family: 'z3' };
    for (let i = 0; i < 5; i++) expect(await glance(plain, mute)).toMatchObject({ outcome: 'error' });
    // Two failed reusable ones, and one for each formula.
    expect(starts()).toBe(2 + 5);
  });

  it('get no formulas that a reset cannot undo or that do not fit into a pipe', async () => {
    await glance(`(set-option :produce-models true)\n${plain}`, talk());
    await glance(`(set-option :produce-models true)\n${plain}`, talk());
    expect(starts()).toBe(2);
    const long = `${'(assert true)\n'.repeat(10_000)}${plain}`;
    expect(await glance(long, talk())).toMatchObject({ outcome: 'sat' });
    expect(starts()).toBe(3);
  });

  it('give the answers of new processes and keep no state', async () => {
    const z3: Version = { ...custom('z3', [findProgram('z3') ?? 'z3']), family: 'z3' };
    const formulas = [
      '(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 3))(check-sat)',
      '(set-logic QF_S)(declare-fun x () String)(assert (= (str.len x) 3))(assert (= x "ab"))(check-sat)',
      '(declare-datatypes ((T 0)) (((c) (d (e T)))))(declare-fun x () T)(assert ((_ is d) x))(check-sat)',
      '(declare-datatypes ((T 0)) (((f))))(declare-fun x () T)(assert (not (= x f)))(check-sat)',
      '(define-fun x () Bool false)(assert x)(check-sat)',
      '(assert y)(check-sat)',
      '(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x #x01))(check-sat)',
    ];
    let glances = 0;
    for (const text of [...formulas, ...formulas.toReversed()]) {
      const seen = await glance(text, z3);
      // A glance measures no processor time.
      if (seen.cpuMs === undefined) glances++;
      expect(seen.outcome).toBe((await glance(text, z3, { glance: false })).outcome);
    }
    // One of them is not understood, and a new process reports it.
    expect(glances).toBe(2 * (formulas.length - 1));
  });
});
