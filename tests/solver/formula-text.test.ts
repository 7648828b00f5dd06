import { expect, it } from 'vitest';
import { dialects, parseScript } from '../../src/smtlib/index.js';
import { textFor } from '../../src/solver/families/formula-text.js';
import { simulatedVersion } from '../simulated/solver.js';

it('textFor prints the dialect of the version', () => {
  const formula = parseScript('(assert (str.in_re x (str.to_re "a\\u{7}")))');
  const version = { ...simulatedVersion('z3'), dialect: dialects['2.5'] };
  expect(textFor(formula, version)).toBe('(assert (str.in.re x (str.to.re "a\\x07")))\n');
});

it('textFor removes options that make a solver write files', () => {
  const formula = parseScript(
    '(set-option :regular-output-channel "/tmp/x")(set-option :diagnostic_output_channel "y")' +
      '(set-option :produce-models true)(check-sat)',
  );
  expect(textFor(formula, simulatedVersion('z3'))).toBe('(set-option :produce-models true)\n(check-sat)\n');
});

it('textFor widens a logic that the family reads more narrowly', () => {
  const formula = parseScript('(set-logic QF_S)');
  expect(textFor(formula, { ...simulatedVersion('c'), family: 'cvc5' })).toBe('(set-logic QF_SLIA)\n');
  expect(textFor(formula, simulatedVersion('z'))).toBe('(set-logic QF_S)\n');
});
