import { describe, expect, it } from 'vitest';
import { isTrueUnder, parseScript } from '../../src/smtlib/index.js';

const declared = '(declare-const x Int)(declare-fun s () String)(declare-const b Bool)';
const under = (assertions: string, model: string, rest = '(check-sat)') =>
  isTrueUnder(parseScript(`(set-logic QF_SLIA)${declared}${assertions}${rest}`), parseScript(model));

describe('a formula under a model', () => {
  it('is true where every assertion is', () => {
    const model = '(define-fun x () Int (- 3))(define-fun s () String "ab")(define-fun b () Bool true)';
    expect(under('(assert (= (str.len s) 2))(assert (and b (< x 0)))', model)).toBe(true);
  });

  it('is false where one assertion is, whatever is known of the others', () => {
    const model = '(define-fun x () Int 3)';
    expect(under('(assert (< x 3))', model)).toBe(false);
    expect(under('(assert (= (div x 0) 1))(assert (< x 3))', model)).toBe(false);
  });

  it('takes any value for what the model leaves out, and ignores what the solver made up', () => {
    expect(under('(assert (or b (not b)))', '(define-fun fresh!0 ((y Int)) Int y)')).toBe(true);
  });

  it('is not judged where something is not known', () => {
    // A division by zero is whatever the solver likes.
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
