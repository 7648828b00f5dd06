import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/random.js';
import { isPossible } from '../../src/smtlib/generating/possible.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';
import { type Sort, sort, type Term } from '../../src/smtlib/tree.js';

const sorts = new Map<string, Sort>([
  ['s', sort('String')],
  ['t', sort('String')],
  ['n', sort('Int')],
  ['p', sort('Bool')],
  ['r', sort('Real')],
]);

const termOf = (text: string): Term => {
  const [command] = parseScript(`(assert ${text})`).commands;
  return (command as { readonly term: Term }).term;
};

const areAll = (isTrue: boolean, text: string): boolean =>
  [1, 2, 3, 4, 5].every((seed) => isPossible(termOf(text), sorts, Random.fromSeed(seed)) === isTrue);

describe('isPossible', () => {
  it.each([
    '(str.< s s)',
    '(= "a" "b")',
    '(and p (not p))',
    '(< (str.len s) 0)',
    '(distinct n n)',
    '(str.in_re s re.none)',
    'false',
  ])('is false for %s', (text) => expect(areAll(false, text)).toBe(true));

  it.each([
    'p',
    '(= s "some text")',
    '(= n 12345)',
    '(= s t)',
    '(str.prefixof s "xyz")',
    '(< n (str.len s))',
    '(str.in_re s (re.+ (str.to_re "ab")))',
    'true',
  ])('is true for %s', (text) => expect(areAll(true, text)).toBe(true));

  it.each([
    '(< r 0.0)',
    '(= (div n 0) 5)',
    '(= (bvadd #x0 #x1) #x3)',
  ])('is true for the unevaluable %s', (text) => expect(areAll(true, text)).toBe(true));
});
