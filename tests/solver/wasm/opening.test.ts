import { expect, it } from 'vitest';
import { parseScript, printScript } from '../../../src/smtlib/index.js';
import { divide, join } from '../../../src/solver/wasm/opening.js';

function divided(text: string) {
  const { opening, rest, parameters } = divide(parseScript(text));
  return { text: join(printScript(opening), printScript(rest)), parameters };
}

it('a new solver is made after the options and the logic', () => {
  expect(
    divided('(set-info :status sat)(set-option :smt.x 1)(set-logic QF_LIA)(declare-const a Int)(check-sat)')
      .text,
  ).toBe(
    '(set-info :status sat)\n(set-option :smt.x 1)\n(set-logic QF_LIA) (reset-assertions)\n' +
      '(declare-const a Int)\n(check-sat)\n',
  );
});

it('a new solver is made first where there are no options', () => {
  expect(divided('(check-sat)').text).toBe('(reset-assertions)\n(check-sat)\n');
  expect(divided('(set-logic ALL)').text).toBe('(set-logic ALL) (reset-assertions)\n');
});

it('options set later stay where they are', () => {
  const text = '(check-sat)\n(set-option :produce-proofs true)\n(check-sat)\n';
  expect(divided(text)).toEqual({ text: `(reset-assertions)\n${text}`, parameters: {} });
});

it('options a context refuses become parameters', () => {
  expect(
    divided('(set-option :produce-unsat-cores true)(set-option :produce-proofs false)(check-sat)'),
  ).toEqual({
    text: '(reset-assertions)\n(check-sat)\n',
    parameters: { unsat_core: 'true', proof: 'false' },
  });
});

it('a comment at the end of the opening does not swallow the new solver', () => {
  const { text } = divided('(set-logic ALL)\n; a remark\n(check-sat)');
  expect(text).toBe('(set-logic ALL) (reset-assertions)\n(check-sat)\n');
});
