import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/smtlib/dialect.js';
import {
  oldStringCodes,
  quoteOldString,
  quoteString,
  stringCodes,
  stringText,
} from '../../src/smtlib/literals.js';
import { prettyScript } from '../../src/smtlib/printing/pretty.js';
import { printScript, printTerm } from '../../src/smtlib/printing/print.js';
import { parseScript, parseTerm } from '../../src/smtlib/reading/parse.js';
import type { Term } from '../../src/smtlib/tree.js';
import { codes } from './arbitrary.js';

describe('names of a dialect', () => {
  const old =
    '(assert (str.in.re x (re.union (str.to.re "a") (re.complement re.nostr))))\n' +
    '(assert (= (str.to.int x) (str.len (int.to.str 3))))\n' +
    '(assert (str.in.re x (re.loop (str.to.re "b") 1 3)))\n';
  const modern =
    '(assert (str.in_re x (re.union (str.to_re "a") (re.comp re.none))))\n' +
    '(assert (= (str.to_int x) (str.len (str.from_int 3))))\n' +
    '(assert (str.in_re x ((_ re.loop 1 3) (str.to_re "b"))))\n';

  it('names of 2.5 and 2.6 parse to one tree, which prints in either dialect', () => {
    expect(parseScript(old)).toEqual(parseScript(modern));
    expect(printScript(parseScript(old), { dialect: dialects['2.6'] })).toBe(modern);
    expect(printScript(parseScript(modern), { dialect: dialects['2.5'] })).toBe(old);
  });

  it('2.7 conversions are parsed, and printed in dialect 2.7', () => {
    expect(parseTerm('(ubv_to_int #x0f)')).toEqual(parseTerm('(bv2nat #x0f)'));
    expect(printTerm(parseTerm('((_ nat2bv 8) 3)'), { dialect: dialects['2.7'] })).toBe(
      '((_ int_to_bv 8) 3)',
    );
  });

  it('names that a formula declares itself are not translated', () => {
    const text = '(declare-fun str.in.re (Int) Bool)\n(assert (str.in.re 1))\n';
    expect(printScript(parseScript(text))).toBe(text);
  });
});

describe('string literals', () => {
  it('string literals keep their characters when printed and parsed in 2.6', () => {
    fc.assert(
      fc.property(codes, (value) => {
        expect(stringCodes(stringText(value))).toEqual(value);
        expect(parseTerm(quoteString(stringText(value)))).toEqual({
          kind: 'string',
          text: stringText(value),
        });
      }),
    );
  });

  it('string literals keep their characters when printed and parsed in 2.5', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(bytes, (value) => {
        const term: Term = { kind: 'string', text: stringText(value) };
        const quoted = quoteOldString(term.text);
        expect(typeof quoted === 'string' && parseTerm(quoted, { dialect: '2.5' })).toEqual(term);
      }),
    );
  });

  it('string literals with the same characters have one canonical form', () => {
    const forms = ['"\\u0041\\u{7}"', '"A\\u{00007}"', '"A\\u0007"'];
    expect(new Set(forms.map((text) => printTerm(parseTerm(text))))).toEqual(new Set(['"A\\u{7}"']));
  });

  it('backslashes that start no escape are kept', () => {
    expect(stringCodes('\\x41')).toHaveLength(4);
    expect(stringCodes('\\u{}\\u12\\u{3ffff}')).toHaveLength('\\u{}\\u12\\u{3ffff}'.length);
    expect(printTerm(parseTerm('"a\\b""c"'))).toBe('"a\\b""c"');
  });

  it('two surrogates stay distinct from the character that they encode', () => {
    expect(parseTerm('"\\u{d83d}\\u{de00}"')).not.toEqual(parseTerm('"\\u{1f600}"'));
    expect(parseTerm('"😀"')).toEqual(parseTerm('"\\u{1f600}"'));
  });

  it('2.5 literals have hexadecimal, octal and control escapes', () => {
    expect(oldStringCodes('\\x41\\n\\101\\\\\\q')).toEqual([0x41, 10, 0x41, 0x5c, 0x71]);
  });

  it('literals have 2.5 escapes if the formula uses a 2.5 name or version anywhere', () => {
    const text = '(assert (= x "\\x41"))(assert (str.in.re x re.nostr))';
    expect(printScript(parseScript(text))).toContain('(= x "A")');
    expect(printScript(parseScript(text, { dialect: '2.6' }))).toContain('"\\x41"');
    expect(printScript(parseScript('(set-info :smt-lib-version 2.5)(assert (= x "\\x41"))'))).toContain(
      '"A"',
    );
  });

  it('printing in 2.5 fails for characters that 2.5 lacks', () => {
    const term = parseTerm('"\\u{100}"');
    const fault = {
      kind: 'text',
      message: 'the character \\u{100} does not exist in SMT-LIB 2.5 strings',
    };
    const script = parseScript('(assert (= "\\u{100}" "a"))');
    for (const dialect of [dialects['2.5'], dialects['2.6x']]) {
      expect(printTerm(term, { dialect })).toMatchObject(fault);
      expect(printScript(script, { dialect })).toMatchObject(fault);
      expect(prettyScript(script, { dialect })).toMatchObject(fault);
      // The fault does not affect the next call.
      expect(printTerm(parseTerm('"a"'), { dialect })).toBe('"a"');
    }
    expect(printTerm(parseTerm('"\\u{ff}\\"'), { dialect: dialects['2.6x'] })).toBe('"\\xff\\x5c"');
  });
});

it('literals with 2.6 escapes are read as 2.6 in spite of 2.5 names', () => {
  const mixed = '(declare-const x String)(assert (str.in.re x (re.range "\\u{0}" "\\u{7F}")))';
  expect(printScript(parseScript(mixed))).toContain('(re.range "\\u{0}" "\\u{7f}")');
});

it('printing a 2.5 formula in 2.6 changes its version, and both texts parse to the same tree', () => {
  const script = parseScript('(set-info :smt-lib-version 2.5)(assert (= x "\\x01\\x41"))');
  expect(printScript(script)).toBe('(set-info :smt-lib-version 2.6)\n(assert (= x "\\u{1}A"))\n');
  expect(parseScript(printScript(script))).toEqual(script);
  const old = printScript(script, { dialect: dialects['2.5'] });
  expect(old).toContain('(set-info :smt-lib-version 2.5)');
  expect(parseScript(old as string)).toEqual(script);
});
