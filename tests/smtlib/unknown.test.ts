/** Sorts and operators that culprit does not know: they fit everywhere, and it says so. */

import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import {
  checkScript,
  checkText,
  examineText,
  isAsSoundAs,
  remarksOn,
} from '../../src/smtlib/checking/check.js';
import { mutate } from '../../src/smtlib/mutations/mutate.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { Random } from '../../src/smtlib/random.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import { simplificationRuleNames, simplifications } from '../../src/smtlib/simplifications/simplify.js';

const remarks = (text: string): readonly string[] =>
  remarksOn(parseScript(text)).map(({ message }) => message);

describe('what is not known', () => {
  it.each([
    ['an operator', '(declare-const x Int)(assert (frobbed x (> x 1)))', ['frobbed is not declared']],
    ['a sort', '(declare-const x Quux)(assert (= x 1))', ['there is no sort Quux']],
    [
      'a sort within one',
      '(declare-const a (Array Int Quux))(assert (= (select a 1) "s"))',
      ['there is no sort Quux'],
    ],
    [
      'under operators of any sort',
      '(assert (and (> (odd 1) 2) (str.contains (odd 1) "a") (bvult (odd 1) #x01)))',
      ['odd is not declared'],
    ],
    [
      'under binders',
      '(assert (forall ((x Quux)) (let ((y (odd x))) (and y (= (+ y 1) 2)))))',
      ['there is no sort Quux', 'odd is not declared'],
    ],
    ['in what is applied', '(assert ((odd 1) 2))', ['odd is not declared']],
    [
      'in matches',
      '(assert (match (odd 1) (((pair a b) (> a b)) (c true))))',
      ['odd is not declared', 'pair is not a constructor'],
    ],
  ])('%s has a sort that fits everywhere', (_, text, expected) => {
    expect(remarks(text)).toEqual(expected);
  });

  it('does not hide what is wrong', () => {
    expect(remarks('(assert (and (odd 1) (not 3)))')).toEqual([
      'odd is not declared',
      'not expects Bool as argument 1, but Int stands here',
    ]);
  });

  it('is said once, with its place, and told from what is wrong', () => {
    const examined = examineText('(assert (odd 1))\n(assert (odd 2))\n(assert (not 3))');
    if (examined instanceof LocatedFault) throw new Error(examined.located);
    expect(examined.remarks.map(({ fault, isUnknown }) => [fault.at.line, fault.message, isUnknown])).toEqual(
      [
        [1, 'odd is not declared', true],
        [3, 'not expects Bool as argument 1, but Int stands here', false],
      ],
    );
  });

  it('is a fault to those who ask for known sorts', () => {
    expect(checkScript(parseScript('(assert (odd 1))'))?.message).toBe('odd is not declared');
    expect(checkText('(assert (odd 1))')).toBeInstanceOf(LocatedFault);
  });

  it('does not excuse what is not SMT-LIB', () => {
    expect(examineText('(assert (odd 1)')).toBeInstanceOf(LocatedFault);
  });
});

const strange =
  '(declare-const x Quux)(declare-const n Int)(declare-const s String)(assert (frobbed x n (> n 3)))' +
  '(assert (and (= (str.len s) n) (> n (- 5 2)) (frobbed x 4 true)))(check-sat)';

describe('a formula that is not understood whole', () => {
  it('is mutated around what is not known', () => {
    const script = parseScript(strange);
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const mutant = mutate(script, Random.fromSeed(seed));
      if (mutant === undefined) continue;
      expect(isAsSoundAs(mutant.script, script)).toBe(true);
      seen.add(printScript(mutant.script));
    }
    expect(seen.size).toBeGreaterThan(100);
    // What stands under an operator nobody knows stays what it is, or goes with it.
    for (const text of seen) if (text.includes('(frobbed x 4')) expect(text).toContain('(frobbed x 4 true)');
  });

  it('has simplifications, of which none is less sound', () => {
    const script = parseScript(strange);
    const steps = simplifications(script, simplificationRuleNames);
    expect(steps.length).toBeGreaterThan(10);
    for (const { make } of steps) {
      const smaller = make();
      if (smaller !== undefined) expect(printScript(smaller)).not.toBe(printScript(script));
    }
    const without = steps.map(({ make }) => make()).filter((made) => made !== undefined);
    // A declaration that is needed stays: without it there would be one thing more that nobody knows.
    expect(
      without.every((made) => remarksOn(made).every(({ message }) => !/^[xns] is not/.test(message))),
    ).toBe(true);
  });

  it('is simplified to parts of it whose sorts nobody knows', () => {
    const texts = simplifications(parseScript('(assert (or (odd (> 2 1)) (> 3 1)))'), ['replace-by-child'])
      .map(({ make }) => make())
      .map((made) => (made === undefined ? '' : printScript(made)));
    expect(texts).toContain('(assert (odd (> 2 1)))\n');
  });
});
