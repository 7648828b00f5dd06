import { afterAll, describe, expect, it } from 'vitest';
import { parseScript } from '../../../src/smtlib/index.js';
import { checkClaim } from '../../../src/solver/measure/claimed-model.js';
import type { WarmableRunner } from '../../../src/solver/run/run.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import type { Version } from '../../../src/solver/version/version.js';
import { needsTools } from '../../needs.js';
import { embedded } from './embedded.js';

needsTools('build');

/** Satisfiable, and outside culprit's own evaluation. */
const formulas = [
  '(declare-const x (_ BitVec 8))(assert (= (bvmul x #x03) #x21))(check-sat)',
  '(declare-const x Real)(assert (= (* x 3.0) 2.0))(check-sat)',
  '(declare-fun f (Int) Int)(assert (and (= (f 1) 2) (= (f 2) 5)))(check-sat)',
  '(declare-const a (Array Int Int))(assert (= (select (store a 1 2) 3) 4))(check-sat)',
  '(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)(assert ((_ is cons) l))(check-sat)',
  '(declare-const x (_ FloatingPoint 8 24))(assert (fp.lt x (fp.neg x)))(check-sat)',
];

describe('models of other theories', () => {
  const [older, newer] = [embedded('4.8.17'), embedded('5.2.0')];
  const runner: WarmableRunner = openRunner();
  afterAll(() => runner.close());

  const checked = (text: string, claimer: Version, judge: Version) =>
    checkClaim(runner, parseScript(text), claimer, [claimer, judge], { wallMs: 60_000 });

  it.each(formulas)('%s: are confirmed by another version', async (text) => {
    expect(await checked(text, older, newer)).toEqual({ kind: 'holds' });
    expect(await checked(text, newer, older)).toEqual({ kind: 'holds' });
  });

  it('are not called wrong if the standard leaves the result open', async () => {
    const byZero = '(declare-const x Int)(declare-const y Int)(assert (= (div x y) 5 (+ y 5)))(check-sat)';
    expect((await checked(byZero, older, newer)).kind).not.toBe('wrong');
    expect((await checked(byZero, newer, older)).kind).not.toBe('wrong');
  });
});
