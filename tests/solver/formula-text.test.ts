import { expect, it } from 'vitest';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import { textFor } from '../../src/solver/families/formula-text.js';
import { fakeVersion } from './fake.js';

it('speaks the dialect of the version', () => {
  const formula = parseScript('(assert (str.in_re x (str.to_re "a\\u{7}")))');
  const version = { ...fakeVersion('z3'), dialect: dialects['2.5'] };
  expect(textFor(formula, version)).toBe('(assert (str.in.re x (str.to.re "a\\x07")))\n');
});

it('does not let a formula name files for the solver to write', () => {
  const formula = parseScript(
    '(set-option :regular-output-channel "/tmp/x")(set-option :diagnostic_output_channel "y")' +
      '(set-option :produce-models true)(check-sat)',
  );
  expect(textFor(formula, fakeVersion('z3'))).toBe('(set-option :produce-models true)\n(check-sat)\n');
});

it('widens a logic that the family understands more narrowly', () => {
  const formula = parseScript('(set-logic QF_S)');
  expect(textFor(formula, { ...fakeVersion('c'), family: 'cvc5' })).toBe('(set-logic QF_SLIA)\n');
  expect(textFor(formula, fakeVersion('z'))).toBe('(set-logic QF_S)\n');
});
