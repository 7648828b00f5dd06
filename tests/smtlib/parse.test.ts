import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocatedFault } from '../../src/machine/index.js';
import { printScript, printSort, printTerm } from '../../src/smtlib/printing/print.js';
import { parseScript, parseSort, parseTerm, readScript } from '../../src/smtlib/reading/parse.js';
import { scripts, sorts, terms } from './arbitrary.js';

const fault = (text: string): string => {
  const result = readScript(text);
  return result instanceof LocatedFault ? `${result.at.line}:${result.at.column} ${result.message}` : 'fine';
};

describe('parsing printed text', () => {
  it('printed scripts parse to the same tree', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        expect(parseScript(printScript(script))).toEqual(script);
      }),
      { numRuns: 1000 },
    );
  });

  it('printed terms and sorts parse to the same tree', () => {
    fc.assert(
      fc.property(terms, sorts, (term, sort) => {
        expect(parseTerm(printTerm(term))).toEqual(term);
        expect(parseSort(printSort(sort))).toEqual(sort);
      }),
      { numRuns: 1000 },
    );
  });

  it('unknown commands are kept unchanged', () => {
    const text =
      '(declare-pool p Int 1 2)\n(set-option :print-success false)\n(dbg-x (a "b" |c d|) :k #b01 (_ x))\n';
    expect(printScript(parseScript(text))).toBe(text);
  });

  it('comments are kept, and moved before the command that contains them', () => {
    expect(printScript(parseScript('; first\n(assert ; why\n true)\n; last'))).toBe(
      '; first\n; why\n(assert true)\n; last\n',
    );
  });

  it('a quoted symbol equals the plain symbol', () => {
    expect(parseTerm('|abc|')).toEqual(parseTerm('abc'));
    expect(printTerm(parseTerm('(|and| |a b| |let|)'))).toBe('(and |a b| |let|)');
  });

  it('older forms of declare-datatypes and of check-sat with assumptions are parsed', () => {
    const text = '(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))';
    expect(printScript(parseScript(text))).toBe(
      '(declare-datatypes (T) ((List (nil) (cons (head T) (tail List)))))\n',
    );
    expect(printScript(parseScript('(check-sat a b)'))).toBe('(check-sat-assuming (a b))\n');
  });
});

describe('text that is not SMT-LIB', () => {
  it.each([
    ['(assert', '1:8 expected a term, found the end of the text'],
    ['(assert true', "1:13 expected ')' after the asserted term, found the end of the text"],
    ['(assert true))', "1:14 expected '(' of a command, found )"],
    ['(check-sat)\nfoo', "2:1 expected '(' of a command, found foo"],
    ['(assert "abc)', "1:9 the string's closing quote is missing"],
    ['(assert |abc)', "1:9 the symbol's closing '|' is missing"],
    ['(assert (f))', '1:11 expected an argument, found )'],
    ['(assert ())', "1:10 expected a function's name, found )"],
    ['(assert (let ((x 1))))', '1:21 expected a term, found )'],
    ['(assert (+ 1 (let ((x 2)))))', '1:26 expected a term, found )'],
    ['(assert (let ((x 1)) x y))', "1:24 expected ')' after a body, found y"],
    ['(assert (! x :named))', 'fine'],
    ['(assert (! :named x))', '1:12 expected a term, found :named'],
    ['(assert 12abc)', "1:9 '12abc' is neither a number nor a symbol"],
    ['(assert #xyz)', "1:9 '#xyz' is neither #x… nor #b…"],
    ['(assert \u0001)', '1:9 unexpected character U+0001'],
    ['(assert let)', '1:9 expected a term, found let'],
    ['(push x)', '1:7 expected a number of levels, found x'],
  ])('%s: %s', (text, message) => {
    expect(fault(text)).toBe(message);
  });

  it('arbitrary text is parsed or gives a fault with line and column', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '"',
      '|',
      'assert',
      ' let ',
      '!',
      '_',
      ':x',
      '1',
      '#b1',
      ';',
      '\n',
      '\\',
      'é',
    );
    const soup = fc
      .array(fc.oneof(pieces, fc.string({ maxLength: 3 }), fc.constant('(assert (and ')))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        const result = readScript(text);
        if (result instanceof LocatedFault) {
          expect(result.at.line).toBeGreaterThan(0);
          expect(result.at.column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('truncated scripts never make readScript throw', () => {
    fc.assert(
      fc.property(scripts, fc.double({ min: 0, max: 1, noNaN: true }), (script, where) => {
        const text = printScript(script);
        readScript(text.slice(0, Math.floor(where * text.length)));
      }),
    );
  });

  it('parseScript throws an error with line and column', () => {
    expect(() => parseScript('\n (assert')).toThrow(
      'line 2, column 9: expected a term, found the end of the text',
    );
  });
});
