import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/machine/index.js';
import {
  checkScript,
  generate,
  logicNames,
  parseScript,
  printScript,
  variantRules,
  variants,
} from '../../../src/smtlib/index.js';

function changesOf(text: string): readonly string[] {
  return [...variants(parseScript(text))].map(
    ({ change, before, after }) => `${change}: ${before} to ${after}`,
  );
}

describe('variants', () => {
  it('change a constant by one, or empty it', () => {
    const of = (term: string, sort: string): readonly string[] =>
      changesOf(`(declare-const x ${sort}) (assert (= x ${term})) (check-sat)`)
        .filter((change) => change.startsWith('constant'))
        .map((change) => change.replace(/^.* to /, ''));
    expect(of('3', 'Int')).toEqual(['4', '2']);
    expect(of('0', 'Int')).toEqual(['1', '(- 1)']);
    expect(of('(- 1)', 'Int')).toEqual(['0', '(- 2)']);
    expect(of('0.5', 'Real')).toEqual(['1.5', '(- 0.5)']);
    expect(of('"ab"', 'String')).toEqual(['""']);
    expect(of('""', 'String')).toEqual([]);
    expect(of('#b11', '(_ BitVec 2)')).toEqual(['#b00', '#b10']);
    expect(of('true', 'Bool')).toEqual(['false']);
  });

  it('replace a variable by declared and bound variables of its sort only', () => {
    const text = '(declare-const x Int) (declare-const y Int) (declare-const s String)';
    expect(changesOf(`${text} (assert (forall ((z Int)) (> x z))) (check-sat)`)).toEqual(
      expect.arrayContaining([
        'variable: x to y',
        'variable: x to z',
        'variable: z to x',
        'variable: z to y',
      ]),
    );
    expect(changesOf(`${text} (assert (> x 0)) (check-sat)`)).not.toContain('variable: x to s');
  });

  it('replace an operator within its class, and a function by one of the same type', () => {
    const changes = changesOf(
      '(declare-const s String) (declare-const x Int) (assert (or (str.contains s "a") (< (+ x 1) 3))) (check-sat)',
    );
    expect(changes).toContain(
      'operator: (or (str.contains s "a") (< (+ x 1) 3)) to (and (str.contains s "a") (< (+ x 1) 3))',
    );
    expect(changes).toContain('function: (str.contains s "a") to (str.prefixof s "a")');
    expect(changes).toContain('operator: (< (+ x 1) 3) to (>= (+ x 1) 3)');
    expect(changes).toContain('operator: (+ x 1) to (- x 1)');
    expect(changes.some((change) => change.startsWith('operator: (+ x 1) to (str'))).toBe(false);
  });

  it('replace operators with three or more arguments', () => {
    const bools = 'abcde'.split('').map((letter) => `(declare-const ${letter} Bool)`);
    expect(changesOf(`${bools.join(' ')} (assert (and a b c d e)) (check-sat)`)).toContain(
      'operator: (and a b c d e) to (or a b c d e)',
    );
  });

  it('prune a node to the simplest value, unless it binds a variable', () => {
    const changes = changesOf(
      '(declare-const s String) (declare-const a (Array Int Int)) ' +
        '(assert (exists ((i Int)) (= (select (store a i 1) (str.len (str.++ s s))) i))) (check-sat)',
    ).filter((change) => change.startsWith('pruning'));
    expect(changes).toEqual([
      'pruning: (= (select (store a i 1) (str.len (str.++ s s))) i) to true',
      'pruning: (= (select (store a i 1) (str.len (str.++ s s))) i) to false',
      'pruning: (select (store a i 1) (str.len (str.++ s s))) to 0',
      'pruning: (store a i 1) to a',
      'pruning: (str.len (str.++ s s)) to 0',
      'pruning: (str.++ s s) to ""',
    ]);
  });

  it('come breadth first, one assertion after the other', () => {
    const befores = [
      ...variants(
        parseScript('(declare-const p Bool) (assert (not (xor p true))) (assert (not p)) (check-sat)'),
      ),
    ].map(({ before }) => before);
    expect([...new Set(befores)]).toEqual(['(not (xor p true))', '(xor p true)', 'true', '(not p)']);
  });

  it('are well-sorted in formulas with binders and named terms', () => {
    const script = parseScript(`
      (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
      (declare-const x Int) (declare-const l L) (define-fun f ((y Int)) Int (+ y x))
      (assert (let ((z (+ x 1)) (w 2)) (forall ((x Int) (v Int)) (=> (< x z) (> (f v) w)))))
      (assert (! (match l ((nil true) ((cons h t) (= h (head l))))) :named n))
      (assert (=> n (distinct l (tail l)))) (check-sat)`);
    expect(checkScript(script)).toBeUndefined();
    const found = [...variants(script)];
    expect(found.length).toBeGreaterThan(30);
    for (const { formula } of found) expect(checkScript(formula)).toBeUndefined();
  });

  it('are well-sorted, differ from the formula, and leave it unchanged', () => {
    const seed = fc.integer({ min: 0, max: 1e6 });
    fc.assert(
      fc.property(seed, fc.constantFrom(...logicNames), (number, logic) => {
        const script = generate(Random.fromSeed(number), { logic, assertions: 2, depth: 3 });
        const text = printScript(script);
        for (const { formula } of variants(script)) {
          expect(checkScript(formula)).toBeUndefined();
          expect(printScript(formula)).not.toBe(text);
        }
        expect(printScript(script)).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

describe('variantRules', () => {
  const rulesOf = (theory: string) => variantRules().find((rules) => rules.theory === theory);

  it('lists the paper’s fourteen replacements for Bool', () => {
    expect(rulesOf('Bool')?.replacements).toHaveLength(14);
    expect(rulesOf('Bool')?.replacements).toContain('and to or');
    expect(rulesOf('Bool')?.prunings).toContain('and to true');
  });

  it('excludes the rules of Bool from other theories', () => {
    expect(rulesOf('Ints')?.replacements).toContain('< to >=');
    expect(rulesOf('Ints')?.replacements).not.toContain('and to or');
    expect(rulesOf('Strings')?.replacements).toContain('str.contains to str.prefixof');
    expect(rulesOf('Strings')?.replacements).not.toContain('+ to -');
    expect(rulesOf('Strings')?.prunings).toContain('str.++ to ""');
    expect(rulesOf('bit-vectors')?.replacements).toContain('bvadd to bvsub');
  });
});
