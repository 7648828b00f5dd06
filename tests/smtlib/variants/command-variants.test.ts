import { describe, expect, it } from 'vitest';
import { commandVariants, parseScript, printScript } from '../../../src/smtlib/index.js';

const oneLine = (text: string): string => printScript(parseScript(text)).replaceAll('\n', '');

const changed = (text: string): readonly string[] =>
  [...commandVariants(parseScript(text))].map(({ formula }) => printScript(formula).replaceAll('\n', ''));

describe('commandVariants', () => {
  it('deletes assertions, options, logics and objectives, and negates assertions', () => {
    expect(changed('(declare-const a Bool)(assert a)(check-sat)')).toEqual([
      oneLine('(declare-const a Bool)(check-sat)'),
      oneLine('(declare-const a Bool)(assert (not a))(check-sat)'),
    ]);
    expect(changed('(assert (not true))(check-sat)')).toContain('(assert true)(check-sat)');
    expect(changed('(set-logic QF_LIA)(check-sat)')).toEqual(['(check-sat)']);
    expect(changed('(declare-const x Int)(minimize x)(check-sat)')).toEqual([
      oneLine('(declare-const x Int)(check-sat)'),
    ]);
  });

  it('inverts Boolean options', () => {
    expect(changed('(set-option :sat.prob_search true)(check-sat)')).toEqual([
      '(check-sat)',
      '(set-option :sat.prob_search false)(check-sat)',
    ]);
    expect(changed('(set-option :timeout 5)(check-sat)')).toEqual(['(check-sat)']);
  });

  it('replaces special forms of check-sat by the plain one, and keeps at least one', () => {
    expect(changed('(check-sat-using smt)')).toEqual(['(check-sat)']);
    expect(changed('(check-sat (not false))')).toEqual(['(check-sat)']);
    expect(changed('(check-sat)')).toEqual([]);
    expect(changed('(check-sat)(check-sat)')).toEqual(['(check-sat)', '(check-sat)']);
  });
});
