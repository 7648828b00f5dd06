import { describe, expect, it } from 'vitest';
import { isTrueUnder, parseScript } from '../../src/smtlib/index.js';

const declared = '(declare-const x Int)(declare-fun s () String)(declare-const b Bool)';
const under = (assertions: string, model: string, rest = '(check-sat)') =>
  isTrueUnder(parseScript(`(set-logic QF_SLIA)${declared}${assertions}${rest}`), parseScript(model));

describe('isTrueUnder', () => {
  it('is true if every assertion is true', () => {
    const model = '(define-fun x () Int (- 3))(define-fun s () String "ab")(define-fun b () Bool true)';
    expect(under('(assert (= (str.len s) 2))(assert (and b (< x 0)))', model)).toBe(true);
  });

  it('is false if one assertion is false, even if others are not evaluable', () => {
    const model = '(define-fun x () Int 3)';
    expect(under('(assert (< x 3))', model)).toBe(false);
    expect(under('(assert (= (div x 0) 1))(assert (< x 3))', model)).toBe(false);
  });

  it('uses any value for omitted constants, and ignores auxiliary functions of the solver', () => {
    expect(under('(assert (or b (not b)))', '(define-fun fresh!0 ((y Int)) Int y)')).toBe(true);
  });

  it('is undefined if the formula or the model is not evaluable', () => {
    // A solver may choose any value for a division by zero.
    expect(under('(assert (= (div x 0) 1))', '(define-fun x () Int 3)')).toBeUndefined();
    expect(under('(assert (forall ((y Int)) (= y y)))', '')).toBeUndefined();
    expect(under('(assert (< x 3))', '(define-fun x () Int 3)(declare-sort U 0)')).toBeUndefined();
    expect(under('(assert (< x 3))', '(define-fun x () Int (f 3))')).toBeUndefined();
    expect(under('(push 1)(assert (< x 3))', '(define-fun x () Int 3)')).toBeUndefined();
    expect(under('(assert (< x 3))', '(define-fun x () Int 3)', '(check-sat)(check-sat)')).toBeUndefined();
    expect(under('(assert (< x 3))', '(define-fun x () Int 3)', '(check-sat)(assert b)')).toBeUndefined();
    const shadowed = parseScript('(declare-const str.len Int)(assert (= str.len 3))(check-sat)');
    expect(isTrueUnder(shadowed, parseScript('(define-fun str.len () Int 2)'))).toBeUndefined();
  });
});
