/** Sorts and operators that culprit does not know fit everywhere and cause a remark. */

import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { Random } from '../../src/machine/random.js';
import {
  checkScript,
  checkText,
  examineText,
  isAsSoundAs,
  remarksOn,
} from '../../src/smtlib/checking/check.js';
import { mutate } from '../../src/smtlib/mutations/mutate.js';
import { printScript } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import { simplificationRuleNames, simplifications } from '../../src/smtlib/simplifications/simplify.js';

const remarks = (text: string): readonly string[] =>
  remarksOn(parseScript(text)).map(({ message }) => message);

describe('unknown sorts and operators', () => {
  it.each([
    ['an operator', '(declare-const x Int)(assert (frobbed x (> x 1)))', ['frobbed is not declared']],
    ['a sort', '(declare-const x Quux)(assert (= x 1))', ['unknown sort Quux']],
    [
      'a sort within one',
      '(declare-const a (Array Int Quux))(assert (= (select a 1) "s"))',
      ['unknown sort Quux'],
    ],
    [
      'under operators of any sort',
      '(assert (and (> (odd 1) 2) (str.contains (odd 1) "a") (bvult (odd 1) #x01)))',
      ['odd is not declared'],
    ],
    [
      'under binders',
      '(assert (forall ((x Quux)) (let ((y (odd x))) (and y (= (+ y 1) 2)))))',
      ['unknown sort Quux', 'odd is not declared'],
    ],
    ['in what is applied', '(assert ((odd 1) 2))', ['odd is not declared']],
    [
      'in matches',
      '(assert (match (odd 1) (((pair a b) (> a b)) (c true))))',
      ['odd is not declared', 'pair is not a constructor'],
    ],
  ])('fit everywhere: %s', (_, text, expected) => {
    expect(remarks(text)).toEqual(expected);
  });

  it('do not hide other faults', () => {
    expect(remarks('(assert (and (odd 1) (not 3)))')).toEqual([
      'odd is not declared',
      'not expects Bool as argument 1, found Int',
    ]);
  });

  it('cause one located remark each, marked as unknown', () => {
    const examined = examineText('(assert (odd 1))\n(assert (odd 2))\n(assert (not 3))');
    if (examined instanceof LocatedFault) throw new Error(examined.located);
    expect(examined.remarks.map(({ fault, isUnknown }) => [fault.at.line, fault.message, isUnknown])).toEqual(
      [
        [1, 'odd is not declared', true],
        [3, 'not expects Bool as argument 1, found Int', false],
      ],
    );
  });

  it('are faults for checkScript and checkText', () => {
    expect(checkScript(parseScript('(assert (odd 1))'))?.message).toBe('odd is not declared');
    expect(checkText('(assert (odd 1))')).toBeInstanceOf(LocatedFault);
  });

  it('do not make examineText accept text that is not SMT-LIB', () => {
    expect(examineText('(assert (odd 1)')).toBeInstanceOf(LocatedFault);
  });
});

const strange =
  '(declare-const x Quux)(declare-const n Int)(declare-const s String)(assert (frobbed x n (> n 3)))' +
  '(assert (and (= (str.len s) n) (> n (- 5 2)) (frobbed x 4 true)))(check-sat)';

describe('formulas with unknown operators', () => {
  it('mutate leaves the arguments of unknown operators unchanged', () => {
    const script = parseScript(strange);
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const mutant = mutate(script, Random.fromSeed(seed));
      if (mutant === undefined) continue;
      expect(isAsSoundAs(mutant.script, script)).toBe(true);
      seen.add(printScript(mutant.script));
    }
    expect(seen.size).toBeGreaterThan(100);
    // Arguments of an unknown operator stay unchanged, unless the whole application is replaced.
    for (const text of seen) if (text.includes('(frobbed x 4')) expect(text).toContain('(frobbed x 4 true)');
  });

  it('simplifications of a formula with unknown sorts cause no new remarks about its constants', () => {
    const script = parseScript(strange);
    const steps = simplifications(script, simplificationRuleNames);
    expect(steps.length).toBeGreaterThan(10);
    for (const { make } of steps) {
      const smaller = make();
      if (smaller !== undefined) expect(printScript(smaller)).not.toBe(printScript(script));
    }
    const without = steps.map(({ make }) => make()).filter((made) => made !== undefined);
    // Deleting a declaration that is needed would cause a new remark.
    expect(
      without.every((made) => remarksOn(made).every(({ message }) => !/^[xns] is not/.test(message))),
    ).toBe(true);
  });

  it('replace-by-child offers subterms of unknown sort', () => {
    const texts = simplifications(parseScript('(assert (or (odd (> 2 1)) (> 3 1)))'), ['replace-by-child'])
      .map(({ make }) => make())
      .map((made) => (made === undefined ? '' : printScript(made)));
    expect(texts).toContain('(assert (odd (> 2 1)))\n');
  });
});
