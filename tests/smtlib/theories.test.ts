/** Theories of cvc5 and Z3 beyond the standard. */

import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { Random } from '../../src/machine/random.js';
import { checkText } from '../../src/smtlib/checking/check.js';
import { generate } from '../../src/smtlib/generating/generate.js';
import { printScript } from '../../src/smtlib/printing/print.js';

const verdict = (text: string): string => {
  const result = checkText(text);
  return result instanceof LocatedFault ? result.located : 'well-sorted';
};

describe('well-sorted', () => {
  it.each([
    [
      'tuples',
      '(declare-const t (Tuple Int String))(assert (= t (tuple 1 "a")))(assert (= 1 ((_ tuple.select 0) t)))',
    ],
    [
      'parts of tuples',
      '(declare-const t (Tuple Int String Bool))(assert (= ((_ tuple.project 2 0) t) (tuple true 1)))',
    ],
    ['the empty tuple', '(declare-const t UnitTuple)(assert (= t tuple.unit))'],
    [
      'joined relations',
      '(declare-const r (Relation Int String))(declare-const q (Relation String Bool))(assert (set.member (tuple 1 true) (rel.join r q)))',
    ],
    ['products', '(declare-const r (Relation Int))(assert (set.member (tuple 1 2) (rel.product r r)))'],
    [
      'transposed relations',
      '(declare-const r (Relation Int Bool))(assert (set.member (tuple true 1) (rel.transpose r)))',
    ],
    ['closures', '(declare-const r (Relation Int Int))(assert (set.subset r (rel.tclosure r)))'],
    [
      'tables',
      '(declare-const t (Table Int String))(assert (= 1 (bag.count (tuple "a") ((_ table.project 1) t))))',
    ],
    ['groups', '(declare-const t (Table Int String))(assert (bag.member t ((_ table.group 0) t)))'],
    [
      'nullables',
      '(declare-const n (Nullable Int))(assert (= n (nullable.some 1)))(assert (= (nullable.val n) 1))',
    ],
    [
      'lifted functions',
      '(declare-fun f (Int Int) Bool)(declare-const n (Nullable Int))(assert (nullable.val ((_ nullable.lift f) n n)))',
    ],
    [
      'finite fields',
      '(define-sort F () (_ FiniteField 52435875175126190479447740508185965837690552500527637822603658699938581184513))(declare-const a F)(assert (= (ff.mul a a) (as ff1 F)))',
    ],
    ['their literals', '(declare-const a (_ FiniteField 5))(assert (= (ff.add a #f3m5) (ff.neg #f1m5)))'],
    [
      'separation logic',
      '(declare-heap (Int Int))(declare-const x Int)(assert (sep (pto x 1) (wand sep.emp (pto x (as sep.nil Int)))))',
    ],
    ['operators of one argument', '(assert (and (or true)))(assert (and (xor false)))'],
    ['a real made one', '(assert (= (to_real 1.5) 1.5))'],
    ['negative numbers as Z3 reads them', '(assert (< -1 0))(assert (= -1.5 (- 1.5)))'],
    ['decimals as Z3 reads them', '(assert (= 1. 1.0))'],
    [
      'constructors of one name',
      '(declare-datatype A ((none) (a)))(declare-datatype B ((none) (b)))(assert (distinct (as none A) a))(assert (= b (as none B)))',
    ],
    [
      'codatatypes',
      '(declare-codatatypes ((Stream 0)) (((cons (head Int) (tail Stream)))))(declare-const s Stream)(assert (= (head (tail s)) 1))',
    ],
    [
      'subterm relations',
      '(declare-datatype N ((z) (s (p N))) :subterm sub)(declare-const n N)(assert (= n z))',
    ],
    ['string operators on sequences', '(declare-const s (Seq Int))(assert (= (str.len s) 2))'],
    ['sets of several elements', '(declare-const s (Set Int))(assert (= s (set.insert 1 2 3 4 5 s)))'],
    ['bounded cardinality', '(declare-sort U 0)(assert (_ fmf.card U 3))'],
    ['counted Booleans', '(declare-const a Bool)(assert ((_ at-most 1) a a a))(assert ((_ pbge 2 1 1) a a))'],
    ['lists of Z3', '(declare-const l (List Int))(assert (= l (insert 1 (as nil (List Int)))))'],
    [
      'sorts of other theories that are declared',
      '(declare-sort Set 1)(declare-sort List 0)(declare-const s (Set List))(assert (= s s))',
    ],
    [
      'declarations that outlive their level',
      '(set-option :global-declarations true)(push 1)(declare-const x Int)(pop 1)(assert (= x 1))',
    ],
  ])('%s', (_, text) => {
    expect(verdict(text)).toBe('well-sorted');
  });

  it.each([
    ['(declare-const t (Tuple Int String))(assert (= "a" ((_ tuple.select 0) t)))', '= expects'],
    [
      '(declare-const t (Tuple Int String))(assert (= t ((_ tuple.select 7) t)))',
      'tuple.select cannot be applied',
    ],
    ['(declare-const r (Relation Int String))(assert (= r (rel.join r r)))', 'rel.join cannot be applied'],
    ['(declare-const a (_ FiniteField 5))(assert (= a #f1m7))', '= expects'],
  ])('does not include %s', (text, message) => {
    expect(verdict(text)).toContain(message);
  });
});

it('generate writes no forms that only some solvers accept', () => {
  for (let seed = 0; seed < 50; seed++) {
    const text = printScript(generate(Random.fromSeed(seed), { logic: 'QF_BV', depth: 3 }));
    expect(text).not.toMatch(/\((?:and|or|xor|bvadd|bvand) (?:[^\s()]+|\([^()]*\))\)/);
  }
});
