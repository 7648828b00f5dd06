import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { checkScript } from '../../src/smtlib/checking/check.js';
import { generate } from '../../src/smtlib/generating/generate.js';
import { logicNames } from '../../src/smtlib/generating/logics.js';
import { measure } from '../../src/smtlib/measure.js';
import { mutate } from '../../src/smtlib/mutations/mutate.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import {
  type SimplificationRule,
  simplificationRuleNames,
  simplifications,
  weight,
} from '../../src/smtlib/simplifications/simplify.js';
import type { Script } from '../../src/smtlib/tree.js';
import { rounds } from '../rounds.js';
import { formulasByHand } from './formulas-by-hand.js';

function expectAllSmaller(script: Script): void {
  const own = weight(script);
  for (const { rule, make } of simplifications(script, simplificationRuleNames)) {
    const smaller = make();
    if (smaller === undefined) continue;
    const story = `${rule}\n${printScript(script)}\n${printScript(smaller)}`;
    expect(checkScript(smaller), story).toBeUndefined();
    expect(weight(smaller), story).toBeLessThan(own);
    expect(parseScript(printScript(smaller)), story).toEqual(smaller);
  }
}

describe('simplifications', () => {
  it('are well-sorted and lower in weight for random formulas', () => {
    const shapes = fc.record({
      logic: fc.constantFrom(...logicNames),
      assertions: fc.integer({ min: 1, max: 4 }),
      depth: fc.integer({ min: 1, max: 4 }),
      variables: fc.integer({ min: 1, max: 3 }),
      literals: fc.constantFrom('random' as const, 'meaningful' as const),
    });
    fc.assert(
      fc.property(fc.integer(), shapes, (seed, shape) => {
        const random = Random.fromSeed(seed);
        const made = generate(random, shape);
        expectAllSmaller(mutate(made, random)?.script ?? made);
      }),
      { numRuns: rounds(200) },
    );
  });

  it.each(Object.entries(formulasByHand))('keep binders, names and push levels intact: %s', (_, text) => {
    expectAllSmaller(parseScript(text));
  });

  it('lead to a formula without assertions when repeated', () => {
    let script = generate(Random.fromSeed(3), { assertions: 5, depth: 5 });
    for (let steps = simplifications(script); steps.length > 0; steps = simplifications(script)) {
      script = steps.at(-1)?.make() as Script;
    }
    expect(measure(script)).toMatchObject({ assertions: 0, nodes: 0 });
  });

  const madeBy = (rule: SimplificationRule, text: string): readonly string[] =>
    simplifications(parseScript(text), [rule]).flatMap(({ make }) => {
      const script = make();
      return script === undefined ? [] : [printScript(script).replaceAll('\n', '')];
    });

  it('merge-all-variables replaces all variables and literals of a sort by one variable', () => {
    expect(
      madeBy(
        'merge-all-variables',
        '(declare-const a String)(declare-const b String)(assert (= (str.++ a "x" b) (str.++ b a)))(check-sat)',
      ),
    ).toEqual(['(declare-const a String)(assert (= (str.++ a a a) (str.++ a a)))(check-sat)']);
  });

  it('split-conjunction asserts the conjuncts separately', () => {
    expect(
      madeBy('split-conjunction', '(declare-const p Bool)(assert (and p (not p) p))(check-sat)'),
    ).toEqual(['(declare-const p Bool)(assert p)(assert (not p))(assert p)(check-sat)']);
  });

  it('change-relation deletes an assertion and changes a relation in another', () => {
    const declared = '(declare-const i Int)(declare-const p Bool)';
    expect(madeBy('change-relation', `${declared}(assert (= i 1))(assert p)(check-sat)`)).toEqual([
      `${declared}(assert (< i 1))(check-sat)`,
      `${declared}(assert (> i 1))(check-sat)`,
    ]);
    expect(madeBy('change-relation', `${declared}(assert (= i 1))(check-sat)`)).toEqual([]);
  });

  it('delete-arguments turns a difference into a negation', () => {
    expect(madeBy('delete-arguments', '(declare-const i Int)(assert (= 1 (- 0 i)))(check-sat)')).toContain(
      '(declare-const i Int)(assert (= 1 (- i)))(check-sat)',
    );
  });

  it('unify-letters alone makes all letters equal', () => {
    const text = '(declare-const a String)(assert (str.contains a "xyz"))(check-sat)';
    expect(madeBy('unify-letters', text)).toEqual([text.replace('xyz', 'aaa')]);
    expect(madeBy('shorten-literal', text).filter((formula) => formula.includes('"aaa"'))).toEqual([]);
  });

  describe('single rules', () => {
    const text = '(declare-const a String)(declare-const i Int)(declare-const j Int)(declare-const p Bool)';
    const assertions = (rule: SimplificationRule, asserted: string): readonly string[] =>
      madeBy(rule, `${text}(assert ${asserted})(check-sat)`).map((made) =>
        made
          .replace(text, '')
          .replace(/^\(assert /, '')
          .replace(/\)\(check-sat\)$/, ''),
      );

    it('flatten-arguments merges arguments of the same operator', () => {
      expect(assertions('flatten-arguments', '(and p (and (not p) p) p)')).toEqual(['(and p (not p) p p)']);
      expect(assertions('flatten-arguments', '(and p (or p p))')).toEqual([]);
    });

    it('negate-relation replaces a negated relation by its opposite', () => {
      expect(assertions('negate-relation', '(not (< i j))')).toEqual(['(>= i j)']);
      expect(assertions('negate-relation', '(not (distinct i j))')).toEqual(['(= i j)']);
      // With three arguments, distinct is not the negation of =.
      expect(assertions('negate-relation', '(not (= i j 3))')).toEqual([]);
    });

    it('drop-truth-value removes equations with true and false', () => {
      expect(assertions('drop-truth-value', '(= p true)')).toEqual(['p']);
      expect(assertions('drop-truth-value', '(= false p)')).toEqual(['(not p)']);
      expect(assertions('drop-truth-value', '(xor p true)')).toEqual(['(not p)']);
    });

    it('shorten-literal halves a number, and tries the largest number with one digit less', () => {
      expect(assertions('shorten-literal', '(= i 3599)')).toEqual(
        expect.arrayContaining(['(= i 1799)', '(= i 999)', '(= i 35)']),
      );
    });

    it('shorten-literal deletes single letters', () => {
      expect(assertions('shorten-literal', '(= a "xyz")')).toContain('(= a "xz")');
    });

    it('shorten-literals-together changes all occurrences of a literal', () => {
      expect(assertions('shorten-literals-together', '(and (= a "xy") (= "xy" (str.++ a a)))')).toContain(
        '(and (= a "x") (= "x" (str.++ a a)))',
      );
      expect(assertions('shorten-literals-together', '(and (= a "xy") (= "x" (str.++ a a)))')).toEqual([]);
    });

    it('repeat-without-count replaces re.loop and re.^', () => {
      expect(assertions('repeat-without-count', '(str.in_re a ((_ re.loop 2 9) re.allchar))')).toEqual([
        '(str.in_re a (re.* re.allchar))',
        '(str.in_re a (re.+ re.allchar))',
      ]);
      expect(assertions('repeat-without-count', '(str.in_re a ((_ re.^ 0) re.allchar))')).toEqual([
        '(str.in_re a (re.* re.allchar))',
      ]);
    });

    it('replace-by-other-variable offers variables other than the first', () => {
      expect(assertions('replace-by-other-variable', '(< i (+ i i))')).toEqual(['(< i j)']);
    });

    it('introduce-variable replaces a term by a new variable', () => {
      const large = '(* i (+ i i) (- i) (+ i 1) (+ i 2))';
      expect(madeBy('introduce-variable', `(declare-const i Int)(assert (= i ${large}))(check-sat)`)).toEqual(
        ['(declare-const i Int)(declare-const a Int)(assert (= i a))(check-sat)'],
      );
      // Replacing a short term would make the formula larger.
      expect(madeBy('introduce-variable', '(declare-const i Int)(assert (= i (- i)))(check-sat)')).toEqual(
        [],
      );
    });

    it('drop-optional-argument drops the last argument of str.indexof', () => {
      expect(assertions('drop-optional-argument', '(= i (str.indexof a a j))')).toEqual([
        '(= i (str.indexof a a))',
      ]);
    });

    it('instantiate-quantifier replaces a bound variable by a constant', () => {
      const declared = '(declare-sort S 0)(declare-const c S)(declare-fun f (S) Bool)';
      expect(
        madeBy('instantiate-quantifier', `${declared}(assert (forall ((x S)) (f x)))(check-sat)`),
      ).toEqual([`${declared}(assert (f c))(check-sat)`]);
    });

    it('simplify-logic offers logics with fewer theories', () => {
      expect(madeBy('simplify-logic', '(set-logic QF_SLIA)(check-sat)')).toEqual(
        ['ALL', 'QF_LIA', 'QF_S'].map((logic) => `(set-logic ${logic})(check-sat)`),
      );
      expect(madeBy('simplify-logic', '(set-logic ALL)(check-sat)')).toEqual([]);
    });

    it('replace-by-value writes bit-vectors in the shorter form', () => {
      const values = (width: number): readonly string[] =>
        madeBy('replace-by-value', `(declare-const x (_ BitVec ${width}))(assert (= x (bvneg x)))`).filter(
          (made) => made.endsWith('(assert (= x (_ bv0 10)))') || made.endsWith('(assert (= x #x00))'),
        );
      expect(values(10)).toHaveLength(1);
      expect(values(8)).toHaveLength(1);
    });
  });

  describe('inline-variable', () => {
    const made = (text: string): readonly string[] => madeBy('inline-variable', text);
    const declared = '(declare-const a String)(declare-const b String)';

    it('inlines either side of an equation', () => {
      const rest = '(declare-const b String)(assert (str.contains b "xy"))(check-sat)';
      expect(made(`${declared}(assert (= a "xy"))(assert (str.contains b a))(check-sat)`)).toEqual([rest]);
      expect(made(`${declared}(assert (= "xy" a))(assert (str.contains b a))(check-sat)`)).toEqual([rest]);
    });

    it('skips recursive equations, bound variables, uses before the declaration, and other sorts', () => {
      expect(made(`${declared}(assert (= a (str.++ a b)))(check-sat)`)).toEqual([]);
      expect(made(`${declared}(assert (= a "xy"))(assert (forall ((a String)) (= a b)))(check-sat)`)).toEqual(
        [],
      );
      expect(
        made(
          '(declare-const a String)(assert (str.< a "x"))(declare-const b String)(assert (= a (str.++ b b)))',
        ),
      ).toEqual([]);
      expect(made('(declare-const x Real)(declare-const n Int)(assert (= x n))(assert (< x 1.0))')).toEqual(
        [],
      );
    });
  });
});
