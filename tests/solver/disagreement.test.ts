import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/machine/index.js';
import { parseScript, printScript } from '../../src/smtlib/index.js';
import { checkModel, withModel } from '../../src/solver/measure/disagreement.js';
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';

const formula = parseScript('(declare-const x Int)(declare-fun f (Int) Int)(assert (= (f x) 3))(check-sat)');

describe('a claimed model', () => {
  it.each([
    ['as Z3 4.8 prints it', '(model\n  (define-fun x () Int 2)\n  (define-fun f ((x!0 Int)) Int 3)\n)'],
    ['as newer solvers print it', '(\n  (define-fun x () Int 2)\n  (define-fun f ((x!0 Int)) Int 3)\n)'],
  ])('%s replaces the declarations', (_, model) => {
    const grounded = withModel(formula, model);
    expect(grounded instanceof Fault ? grounded.message : printScript(grounded)).toBe(
      '(define-fun x () Int 2)\n(define-fun f ((x!0 Int)) Int 3)\n(assert (= (f x) 3))\n(check-sat)\n',
    );
  });

  it('is confirmed or refuted by another version, or left unchecked', async () => {
    const model = '((define-fun x () Int 2))';
    const by = simulatedVersion('other');
    const check = (run: Parameters<typeof timedOut>[0] | 'sat' | 'unsat') =>
      checkModel(
        new SimulatedRunner(() => (typeof run === 'number' ? timedOut(run) : ended(run, 1))),
        formula,
        model,
        by,
        { wallMs: 1000 },
      );
    expect(await check('sat')).toEqual({ kind: 'confirmed', by });
    expect(await check('unsat')).toEqual({ kind: 'refuted', by });
    expect(await check(1000)).toEqual({ kind: 'unchecked', reason: 'other ended with timeout' });
  });

  it('is not checked for a formula with several checks or levels', () => {
    expect(withModel(parseScript('(check-sat)(check-sat)'), '()')).toMatchObject({
      message: 'a model can be checked only for a formula with one check-sat',
    });
    expect(withModel(parseScript('(push 1)(check-sat)'), '()')).toMatchObject({
      message: 'the formula uses push or pop',
    });
    expect(withModel(formula, '((declare-sort U 0))')).toMatchObject({
      message: 'the model declares values of its own',
    });
    expect(withModel(formula, '((define-fun')).toMatchObject({
      message: expect.stringMatching(/^the model cannot be read/),
    });
  });
});
