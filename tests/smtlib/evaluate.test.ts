import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, type Value } from '../../src/smtlib/evaluation/evaluate.js';
import { operatorsOf } from '../../src/smtlib/generating/generate.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import type { Script, Term } from '../../src/smtlib/tree.js';
import { terms } from './arbitrary.js';

const assertionsIn = ({ commands }: Script): readonly Term[] =>
  commands.flatMap((command) => (command.kind === 'assert' ? [command.term] : []));

const termOf = (text: string): Term => assertionsIn(parseScript(`(assert ${text})`))[0] as Term;

const operatorNames = operatorsOf('QF_SLIA').filter((name) => name !== 're.^' && name !== 're.loop');

const values = new Map<string, Value>([
  ['s', 'abcab'],
  ['n', 3n],
  ['p', true],
]);

describe('evaluate', () => {
  it.each<[string, Value]>([
    ['(and p (not (xor p p)) (=> p true false true))', true],
    ['(ite (distinct s "a" "b") n 0)', 3n],
    ['(= n 3 3)', true],
    ['(- (+ n 4) 1 1)', 5n],
    ['(- n)', -3n],
    ['(+ (div (- 7) 2) (mod (- 7) (- 2)) (div 7 (- 2)))', -6n],
    ['(<= 1 n 3)', true],
    ['(str.++ s (str.at s 9) (str.at s 1))', 'abcabb'],
    ['(str.substr s 3 100)', 'ab'],
    ['(str.substr s (- 1) 2)', ''],
    ['(str.indexof s "ab" 1)', 3n],
    ['(str.indexof s "" 5)', 5n],
    ['(str.indexof s "a" 6)', -1n],
    ['(str.replace s "" "x")', 'xabcab'],
    ['(str.replace s "b" "$&")', 'a$&cab'],
    ['(str.replace_all s "ab" "x")', 'xcx'],
    ['(str.replace_all s "" "x")', 'abcab'],
    ['(str.replace_re s (re.++ (str.to_re "b") re.all) "-")', 'a-cab'],
    ['(str.replace_re_all s (re.* (str.to_re "a")) "-")', '-bc-b'],
    ['(str.to_int "012")', 12n],
    ['(str.to_int "")', -1n],
    ['(str.from_int (- 1))', ''],
    ['(str.to_code (str.from_code 97))', 97n],
    ['(str.< "" "a" "aa" "b")', true],
    ['(str.in_re s ((_ re.loop 1 2) (re.++ (str.to_re "ab") (re.opt (str.to_re "c")))))', true],
    ['(str.in_re s ((_ re.loop 2 1) re.all))', false],
    ['(str.in_re s (re.comp (re.inter re.all (re.+ (re.range "a" "c")))))', false],
    ['(str.in_re "aaa" ((_ re.^ 3) (re.diff re.allchar (str.to_re "b"))))', true],
  ])('evaluates %s', (text, value) => {
    expect(evaluate(termOf(text), values)).toBe(value);
  });

  it.each([
    '(div n 0)',
    '(bvadd #x0 #x1)',
    '(let ((x 1)) x)',
    'other',
    '(+ n true)',
    '(str.from_code 131072)',
    '(str.in_re s (re.loop (str.to_re "a") n n))',
    '(str.in_re s ((_ re.loop 1 x) re.all))',
    '(str.in_re s ((_ re.^ 1000000000000) re.all))',
    '(str.in_re s (re.^ re.all))',
    '(= re.all re.all)',
  ])('is undefined for %s', (text) => {
    expect(evaluate(termOf(text), values)).toBeUndefined();
  });

  it('is undefined for values and terms beyond its limits', () => {
    const doubled = (times: number): string =>
      times === 0 ? 's' : `(str.++ ${doubled(times - 1)} ${doubled(times - 1)})`;
    expect(evaluate(termOf(doubled(3)), values)).toBe('abcab'.repeat(8));
    expect(evaluate(termOf(doubled(12)), values)).toBeUndefined();
    const wide = `(str.replace_all "${'a'.repeat(60_000)}" "a" "${'b'.repeat(10_000)}")`;
    expect(evaluate(termOf(wide), values)).toBeUndefined();
    expect(evaluate(termOf(`(and${' p'.repeat(200_000)})`), values)).toBeUndefined();
    expect(evaluate(termOf(`(* ${'99999999999999999999 '.repeat(900)})`), values)).toBeUndefined();
    expect(evaluate(termOf(`${'(- '.repeat(5000)}n${')'.repeat(5000)}`), values)).toBeUndefined();
  });

  it('evaluates membership in deeply nested regular languages', () => {
    const nested = (times: number): string =>
      times === 0 ? '(str.to_re "b")' : `(re.comp (re.* (re.++ re.all ${nested(times - 1)})))`;
    const text = 'a'.repeat(60);
    expect(evaluate(termOf(`(str.in_re "${text}" ${nested(1)})`), values)).toBe(true);
    expect(evaluate(termOf(`(str.in_re "${text}" ${nested(12)})`), values)).toBe(false);
    const often = (times: number): string => (times === 0 ? 're.all' : `((_ re.^ 200) ${often(times - 1)})`);
    expect(evaluate(termOf(`(str.in_re "${text}" ${often(100)})`), values)).toBe(true);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(terms, (term) => {
        evaluate(term, values);
      }),
      { numRuns: 1000 },
    );
    for (const name of operatorNames)
      for (const args of [' s', ' n', ' p', ' s s', ' n n', ' re.all', ' s re.all n s'])
        expect(() => evaluate(termOf(`(${name}${args})`), values), name).not.toThrow();
  });
});
