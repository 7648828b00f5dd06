/** Functions as values, and the forms of terms for them in SMT-LIB 2.7, Z3 and cvc5. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { checkText, remarksOn } from '../../src/smtlib/checking/check.js';
import { printScript, printSort, printTerm } from '../../src/smtlib/printing/print.js';
import { parseScript, parseTerm } from '../../src/smtlib/reading/parse.js';
import type { Term } from '../../src/smtlib/tree.js';

const verdict = (text: string): string => {
  const result = checkText(text);
  return result instanceof LocatedFault ? result.located : 'well-sorted';
};

describe('applied terms', () => {
  it.each([
    '((f x) y)',
    '(((f x) y) z)',
    '((lambda ((x Int)) (+ x 1)) 3)',
    '((let ((g f)) g) 1 2)',
    '(((_ is cons) x) y)',
    '((ite p f g) ((as nil (List Int)) x))',
    '(choice ((x U)) (p x))',
    '(set.comprehension ((z Int)) (> z 4) (* 5 z))',
    '(set.comprehension ((z Int)) (> z 4))',
    '(= #f2m5 #f-1m5 1/3)',
  ])('%s is parsed and printed unchanged', (text) => {
    expect(printTerm(parseTerm(text))).toBe(text);
  });

  it('a comment inside a bracket that is read twice is kept once', () => {
    const script = parseScript('(assert ( ; one\n ( ; two\n f x) y))');
    expect(script.commands.filter(({ kind }) => kind === 'comment')).toHaveLength(2);
  });

  it('nested applied terms print and parse to the same tree', () => {
    const leaf: fc.Arbitrary<Term> = fc
      .constantFrom('x', 'f', 'choice!', 'lambda?')
      .map((symbol) => ({ kind: 'name', id: { symbol, indices: [], sort: undefined } }));
    const variables = [{ name: 'v', sort: { symbol: 'Int', indices: [], args: [] } }];
    // The head of a call is never a bare name, not even at the innermost level.
    const plainHead = leaf.map((body): Term => ({ kind: 'lambda', variables, body }));
    const { term } = fc.letrec<{ term: Term; head: Term }>((tie) => {
      const some = fc.array(tie('term'), { minLength: 1, maxLength: 3 });
      const call = fc.tuple(tie('head'), some).map(([head, args]): Term => ({ kind: 'call', head, args }));
      const bound = fc
        .tuple(fc.constantFrom('lambda' as const, 'choice' as const), tie('term'))
        .map(([kind, body]): Term => ({ kind, variables, body }));
      const sets = fc
        .tuple(tie('term'), fc.option(tie('term'), { nil: undefined }))
        .map(([condition, element]): Term => ({ kind: 'comprehension', variables, condition, element }));
      const nested = { depthSize: 'small', withCrossShrink: true } as const;
      return {
        term: fc.oneof(nested, leaf, call, bound, sets),
        head: fc.oneof(nested, plainHead, call, bound, sets),
      };
    });
    fc.assert(
      fc.property(term, (made) => {
        expect(parseTerm(printTerm(made))).toEqual(made);
      }),
    );
  });

  it('applied terms may be nested 100,000 deep', () => {
    const depth = 100_000;
    const text = `(assert ${'('.repeat(depth)}(f x)${' y)'.repeat(depth)})`;
    const script = parseScript(text);
    expect(printScript(script)).toBe(`${text}\n`);
    expect(remarksOn(script).map(({ message }) => message)).toEqual([
      'x is not declared',
      'f is not declared',
      'y is not declared',
    ]);
  });
});

describe('keywords of later versions', () => {
  it('keywords of later versions are names in formulas that declare them', () => {
    const script = parseScript('(declare-fun lambda () Bool)(assert (and lambda (not lambda)))');
    expect(printScript(script)).toContain('(and |lambda| (not |lambda|))');
    expect(parseScript(printScript(script))).toEqual(script);
  });

  it('keywords of later versions bind nothing in formulas that declare them', () => {
    const text = '(declare-fun choice (Int) Bool)(assert (choice 1))';
    expect(verdict(text)).toBe('well-sorted');
  });
});

describe('well-sorted', () => {
  it.each([
    [
      'functions as values',
      '(declare-fun f (Int Int) Int)(declare-const g (-> Int Int Int))(assert (= f g))',
    ],
    ['functions of functions', '(declare-const g (-> Int (-> Int Bool)))(assert ((g 1) 2))(assert (g 1 2))'],
    ['fewer arguments', '(declare-fun f (Int Int) Int)(declare-const g (-> Int Int))(assert (= (f 1) g))'],
    ['more arguments', '(declare-fun f (Int) (-> Int Bool))(assert (f 1 2))'],
    ['applied variables', '(assert (forall ((p (-> Int Bool))) (p 3)))'],
    ['cvc5 operator for it', '(declare-const p (-> Int Bool))(assert (@ p 3))'],
    ['functions that Z3 takes for arrays', '(declare-const p (-> Int Bool))(assert (select p 3))'],
    ['lambdas as arrays', '(declare-const a (Array Int Int))(assert (= a (lambda ((x Int)) (+ x 1))))'],
    ['lambdas as functions', '(declare-const g (-> Int Int Int))(assert (= g (lambda ((x Int) (y Int)) x)))'],
    ['applied lambdas', '(assert ((lambda ((x Int)) (> x 1)) 2))'],
    [
      'sorts as F* writes them',
      '(declare-sort T)(declare-fun h (T (=> T Bool)) T)(declare-const t T)(assert (= (h t (lambda ((x T)) true)) t))',
    ],
    [
      'patterns as F* writes them',
      '(declare-fun f (Int Int) Bool)(assert (forall ((x Int)) (! (f x x) :pattern (f x x))))',
    ],
    [
      'mapped functions',
      '(declare-fun f (Int) Bool)(declare-const a (Array Int Int))(assert (select ((_ map f) a) 1))',
    ],
    ['mapped sets', '(declare-fun f (Int) Bool)(assert (set.member true (set.map f (set.singleton 3))))'],
    ['folds', '(declare-fun f (Int Int) Int)(assert (= 0 (bag.fold f 0 (bag 1 2))))'],
    [
      'sort parameters',
      '(declare-sort-parameter A)(declare-fun id (A) A)(assert (= (id 1) (id 2)))(assert (id true))',
    ],
    ['choices', '(assert (= 1 (choice ((x Int)) (> x 0))))'],
    [
      'declared relations of fixed points',
      '(declare-var x Int)(declare-rel p (Int))(rule (=> (> x 1) (p x)))(query p)',
    ],
  ])('%s', (_, text) => {
    expect(verdict(text)).toBe('well-sorted');
  });

  it.each([
    ['(declare-const p (-> Int Bool))(assert (p true))', 'p'],
    ['(assert ((lambda ((x Int)) true) "a"))', 'a term of'],
    ['(declare-const x Int)(assert (x 1))', 'x expects'],
  ])('does not include %s', (text, message) => {
    expect(verdict(text)).toContain(message);
  });
});

it('nested function sorts are flattened', () => {
  const script = parseScript('(declare-const g (-> Int (-> Bool (-> Int Real))))(assert (= g g))');
  const sorts: string[] = [];
  remarksOn(script, (visited) => sorts.push(printSort(visited.sort)));
  expect(sorts[0]).toBe('(-> Int Bool Int Real)');
});
