import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { checkScript, checkText } from '../../src/smtlib/checking/check.js';
import { printSort, printTerm } from '../../src/smtlib/printing/print.js';
import { parseScript } from '../../src/smtlib/reading/parse.js';

const verdict = (text: string): string => {
  const result = checkText(text);
  if (!(result instanceof LocatedFault)) return 'well-sorted';
  return `${result.at.line}:${result.at.column} ${result.message}`;
};

const list = '(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))';

describe('checkText accepts well-sorted scripts', () => {
  it.each([
    ['strings', '(declare-const x String)(assert (str.in_re (str.++ x "a") (re.* (re.range "a" "z"))))'],
    ['names of 2.5', '(declare-const x String)(assert (= (str.to.int x) (str.indexof x "a" 0)))'],
    ['several arguments', '(declare-const x Int)(assert (< 1 x (+ x 1 2) 9))(assert (distinct 1 x 3))'],
    ['numerals as reals', '(set-logic QF_LRA)(declare-const x Real)(assert (> x 1))'],
    [
      'integers where reals stand',
      '(declare-const x Real)(assert (= (+ x 1) (/ 1 3)))(assert (> (ite true x 2) 0))',
    ],
    [
      'bit-vectors',
      '(declare-const a (_ BitVec 8))(assert (= (concat ((_ extract 7 4) a) #b1010) (_ bv3 8)))',
    ],
    [
      'arrays',
      '(declare-const a (Array Int String))(assert (= (store a 1 "x") ((as const (Array Int String)) "")))',
    ],
    ['floats', '(declare-const x Float32)(assert (fp.lt (fp.add RNE x x) ((_ to_fp 8 24) RNE 1.5)))'],
    ['sequences', '(declare-const s (Seq Int))(assert (= (seq.++ s (seq.unit 1)) (as seq.empty (Seq Int))))'],
    ['sequence operators on strings', '(assert (= (seq.len "abc") (str.len (seq.++ "a" "b"))))'],
    ['sets', '(declare-const s (Set Int))(assert (set.member 1 (set.union s (set.singleton 2))))'],
    [
      'datatypes',
      `${list}(declare-const l (List Int))(assert (= (head (tail l)) 3))(assert ((_ is cons) l))`,
    ],
    ['qualified constants', `${list}(declare-const l (List Int))(assert (= l (cons 1 (as nil (List Int)))))`],
    ['match', `${list}(declare-const l (List Int))(assert (match l ((nil true) ((cons h t) (> h 2)))))`],
    [
      'older datatypes',
      '(declare-datatypes (T) ((L nl (cns (hd T) (tl L)))))(declare-const l (L Int))(assert (= (hd l) 3))',
    ],
    ['binders', '(assert (forall ((x Int)) (exists ((y Int)) (let ((z (+ x y))) (= z x)))))'],
    ['let in parallel', '(declare-const x Int)(assert (let ((x true) (y x)) (and x (= y 1))))'],
    ['names given to terms', '(declare-const p Bool)(assert (! p :named q))(assert (not q))'],
    [
      'defined functions and sorts',
      '(define-sort M (T) (Array Int T))(declare-const m (M Bool))(define-fun f ((i Int)) Bool (select m i))(assert (f 1))',
    ],
    ['recursion', '(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (* n (f (- n 1)))))(assert (= (f 3) 6))'],
    ['levels', '(push 1)(declare-const x Int)(assert (> x 0))(pop 1)(declare-const x Bool)(assert x)'],
    ['a reset', '(declare-const x Int)(assert (> x 0))(reset)(declare-const x Bool)(assert x)'],
    [
      'levels left by reset-assertions',
      '(push 2)(declare-const x Int)(reset-assertions)(declare-const x Bool)(assert x)',
    ],
    ['three bit-vectors joined', '(assert (= (concat #x1 #b01 #xff) #b00010111111111))'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(verdict(text)).toBe('well-sorted');
  });
});

describe('checkText locates and explains a fault', () => {
  it.each([
    [
      '(declare-const x Int)\n(assert (= (str.len x) 3))',
      '2:21 str.len expects String as argument 1, found Int',
    ],
    ['(assert (and true (not 1)))', '1:24 not expects Bool as argument 1, found Int'],
    ['(assert 1)', '1:9 assert expects Bool, found Int'],
    ['(assert x)', '1:9 x is not declared'],
    ['(assert (foo 1))', '1:9 foo is not declared'],
    ['(assert (let ((x 1) (y 2)) (and (= x y) (not x))))', '1:46 not expects Bool as argument 1, found Int'],
    ['(assert (let ((y (not 3))) y))', '1:23 not expects Bool as argument 1, found Int'],
    ['(assert (forall ((x Int)) x))', '1:9 forall expects Bool, found Int'],
    ['(assert (forall ((x Foo)) true))', '1:9 unknown sort Foo'],
    ['(declare-const x (Array Int))', '1:1 the sort Array takes 2 arguments, not 1'],
    ['(declare-const x Int)(declare-const x Int)', '1:22 x is already declared'],
    [
      '; a comment\n(declare-const a (_ BitVec 8))\n(assert (= a #b1))',
      '3:9 = expects (X X …) Bool, but is applied to (_ BitVec 8) (_ BitVec 1)',
    ],
    [
      '(declare-const a (_ BitVec 8))(assert (= ((_ extract 8 4) a) #xF))',
      '1:42 extract expects ((_ BitVec m)) (_ BitVec i-j+1), but is applied to (_ BitVec 8)',
    ],
    [
      `${list}(declare-const l (List Int))(assert (match l ((nil true) ((cons h) (> h 2)))))`,
      '1:150 cons has 2 fields, but its pattern names 1',
    ],
    ['(push 1)(declare-const x Int)(pop 1)(assert (> x 0))', '1:48 x is not declared'],
    ['(pop 1)', '1:1 pop 1 exceeds the 0 open levels'],
    ['(define-fun f ((x Int)) Bool (+ x 1))', '1:30 f expects Bool, found Int'],
    [
      '(assert (! (> 1 "a") :pattern (3)))',
      '1:12 > expects (Int Int …) Bool or (Real Real …) Bool, but is applied to Int String',
    ],
  ])('in %s', (text, message) => {
    expect(verdict(text)).toBe(message);
  });
});

it.each([
  ['(assert 1)', 'Bool', 'Int'],
  ['(declare-fun f (Int) Bool)(assert (f "a"))', 'Int', 'String'],
  ['(assert (> 1 "a"))', '(Int Int …) Bool or (Real Real …) Bool', 'Int String'],
  ['(declare-const a Bool)(assert (= a ((as const (Array Int Int)) "b")))', 'Int', 'String'],
  ['(assert (nothing))', 'an argument', ')'],
  ['(assert', 'a term', 'the end of the text'],
  ['(assert missing)', undefined, undefined],
])('the fault in %s has the expected and the found text', (text, expected, found) => {
  expect(checkText(text)).toMatchObject({ kind: 'text', expected, found });
});

it('checkScript visits every term with its sort, path and bound variables', () => {
  const script = parseScript('(declare-const s String)(assert (exists ((n Int)) (= (str.len s) n)))');
  const seen: string[] = [];
  checkScript(script, (visited) => {
    const locals = visited.locals().map((variable) => variable.name);
    seen.push(
      `${printTerm(visited.term)} : ${printSort(visited.sort)} at ${visited.path().join('.')} [${locals.join(' ')}]`,
    );
  });
  expect(seen).toEqual([
    's : String at 0.0.0 [n]',
    '(str.len s) : Int at 0.0 [n]',
    'n : Int at 0.1 [n]',
    '(= (str.len s) n) : Bool at 0 [n]',
    '(exists ((n Int)) (= (str.len s) n)) : Bool at  []',
  ]);
});

it('the shipped example formulas are well-sorted', () => {
  const folder = new URL('../../examples/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.smt2'));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect([file, verdict(readFileSync(new URL(file, folder), 'utf8'))]).toEqual([file, 'well-sorted']);
  }
});
