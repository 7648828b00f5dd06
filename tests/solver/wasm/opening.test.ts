import { expect, it } from 'vitest';
import { parseScript, printScript } from '../../../src/smtlib/index.js';
import { joinParts, splitFormula } from '../../../src/solver/wasm/opening.js';

function divided(text: string) {
  const { opening, rest, parameters } = splitFormula(parseScript(text));
  return { text: joinParts(printScript(opening), printScript(rest)), parameters };
}

it('splitFormula makes a new solver after the options and the logic', () => {
  expect(
    divided('(set-info :status sat)(set-option :smt.x 1)(set-logic QF_LIA)(declare-const a Int)(check-sat)')
      .text,
  ).toBe(
    '(set-info :status sat)\n(set-option :smt.x 1)\n(set-logic QF_LIA) (reset-assertions)\n' +
      '(declare-const a Int)\n(check-sat)\n',
  );
});

it('splitFormula makes a new solver first if there are no options', () => {
  expect(divided('(check-sat)').text).toBe('(reset-assertions)\n(check-sat)\n');
  expect(divided('(set-logic ALL)').text).toBe('(set-logic ALL) (reset-assertions)\n');
});

it('splitFormula leaves later options in place', () => {
  const text = '(check-sat)\n(set-option :produce-proofs true)\n(check-sat)\n';
  expect(divided(text)).toEqual({ text: `(reset-assertions)\n${text}`, parameters: {} });
});

it('splitFormula turns options that a context rejects into parameters', () => {
  expect(
    divided('(set-option :produce-unsat-cores true)(set-option :produce-proofs false)(check-sat)'),
  ).toEqual({
    text: '(reset-assertions)\n(check-sat)\n',
    parameters: { unsat_core: 'true', proof: 'false' },
  });
});

it('splitFormula drops a comment that would hide the new solver', () => {
  const { text } = divided('(set-logic ALL)\n; a remark\n(check-sat)');
  expect(text).toBe('(set-logic ALL) (reset-assertions)\n(check-sat)\n');
});
