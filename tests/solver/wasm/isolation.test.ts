import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRequest, WarmableRunner } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import { needsTools } from '../../needs.js';
import { rounds, someOf } from '../../rounds.js';
import { embedded, embeddedNumbers, hard, oneHost, runsOn, small } from './embedded.js';

needsTools('build');

/** Formulas that could leave state in Z3, with the other fields of their requests. */
const disturbances: Readonly<Record<string, readonly [text: string, more?: Partial<RunRequest>]>> = {
  'options of the search': [
    '(set-option :smt.random_seed 99)(set-option :smt.arith.solver 2)(set-option :auto_config false)' +
      '(declare-const z Int)(assert (> z 1))(check-sat)',
  ],
  'options of the printer': [
    '(set-option :pp.max_depth 1)(set-option :print-success true)(set-option :verbosity 3)(check-sat)',
  ],
  'another meaning of its names': [
    '(declare-fun s () Int)(define-fun f ((x Int)) Int (+ x 1))(assert (= (f s) 2))(check-sat)',
  ],
  'a datatype': [
    '(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(assert ((_ is cons) l))(check-sat)',
  ],
  'an unfinished push': ['(push 3)(declare-const p Bool)(assert p)(assert (not p))(check-sat)'],
  'an error': ['(assert (> nobody 0))(check-sat)'],
  'a seed': [small, { seed: 12_345 }],
  'a model': [small, { model: true }],
  'a limit of its own': ['(set-option :rlimit 10)(set-option :timeout 1)(check-sat)'],
  'unsat cores': ['(set-option :produce-unsat-cores true)(assert (! false :named p))(check-sat)'],
  'an end by time': [hard, { limits: { wallMs: 150 } }],
  'an end by memory': [hard, { limits: { wallMs: 60_000, memoryBytes: 12 << 20 } }],
};

describe.each(someOf(embeddedNumbers))('on Z3 %s', (number) => {
  const version = embedded(number);
  let runner: WarmableRunner;
  let undisturbed: number | undefined;
  const run = runsOn(() => runner, version);

  beforeAll(async () => {
    runner = openRunner();
    undisturbed = (await run(small)).effort;
  });
  afterAll(() => runner.close());

  it.each(Object.keys(disturbances))('%s does not affect the next formula', async (name) => {
    const [text, more] = disturbances[name] ?? [small];
    await run(text, more);
    expect(await run(small)).toMatchObject({ outcome: 'sat', answers: ['sat'], effort: undisturbed });
  });

  it('the last of many formulas takes the same effort as the first, in the same host', async () => {
    await run(small);
    const host = await oneHost();
    const efforts = new Set<number | undefined>();
    for (let i = 0; i < rounds(200); i++) efforts.add((await run(small)).effort);
    expect([...efforts]).toEqual([undisturbed]);
    expect(await oneHost()).toBe(host);
  });
});
