import { describe, expect, it } from 'vitest';
import { measure } from '../../src/smtlib/measure.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';

/** Individuals C and D of MulStringFuzz Fig. 1. */
const declarations = `(set-logic QF_S) (declare-fun var3 () Int) (declare-fun var0 () String) (declare-fun var2 () String)`;
const searching = '(assert (> (str.indexof "+]YAPKJ8b8" var2 var3) (str.to.int var0)))';
const individualC = `${declarations} (assert (< (str.to.int "8b8") 9)) ${searching} (check-sat)`;
const individualD = `${declarations} ${searching} (check-sat)`;

const measured = (text: string) => measure(parseScript(text));

describe('complexity', () => {
  it("complexity equals the values in MulStringFuzz's example for individuals C and D", () => {
    expect(measured(individualC).complexity).toBe(16);
    expect(measured(individualD).complexity).toBe(11);
  });

  it('complexity is 1 for an assertion of one name and 0 without assertions', () => {
    expect(measured('(declare-const p Bool) (assert p)').complexity).toBe(1);
    expect(measured('(check-sat)').complexity).toBe(0);
  });

  it('complexity does not depend on annotations', () => {
    const plain = measured('(declare-const p Bool) (assert (not (and p true)))');
    const named = measured('(declare-const p Bool) (assert (! (not (! (and p true) :named b)) :named a))');
    expect(named).toEqual(plain);
  });
});

describe('other measures', () => {
  it('measure counts nodes, depth, assertions, variables and operators', () => {
    const { nodes, depth, assertions, variables, operators } = measured(individualC);
    expect({ nodes, depth, assertions, variables }).toEqual({
      nodes: 11,
      depth: 2,
      assertions: 2,
      variables: 3,
    });
    expect(Object.fromEntries(operators)).toEqual({ '<': 1, '>': 1, 'str.to_int': 2, 'str.indexof': 1 });
  });

  it('measure counts binders as operators, and excludes functions from variables', () => {
    const { operators, variables } = measured(
      '(declare-fun f (Int) Int) (declare-const x Int) (assert (forall ((y Int)) (let ((z (f y))) (> z x))))',
    );
    expect([...operators.keys()].sort()).toEqual(['>', 'f', 'forall', 'let']);
    expect(variables).toBe(1);
  });

  it('measure handles terms nested 100,000 deep', () => {
    const deep = 100_000;
    const { depth, nodes } = measured(
      `(declare-const p Bool) (assert ${'(not '.repeat(deep)}p${')'.repeat(deep)})`,
    );
    expect(depth).toBe(deep);
    expect(nodes).toBe(deep + 1);
  });
});
