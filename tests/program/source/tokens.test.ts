import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodeToken, tokensOf } from '../../../src/program/source/tokens.js';

const shown = (text: string): string[] => tokensOf(text).map((token) => `${token.kind} ${token.text}`);
const texts = (text: string): string[] => tokensOf(text).map((token) => token.text);
const lines = (text: string): string[] =>
  tokensOf(text).map(({ text: own, line, endLine }) => `${own} ${line}-${endLine}`);

/** Characters and fragments that the scanner treats specially, in any order. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['"', "'", '\\', '\n', '\r\n', '/', '*', '/*', '*/', '//', '#', '\\\n', '\\ \n', 'R"x(', ')x"'],
        ...['u8', 'L', '0x1f', '1e+5', "1'000", '.5', '...', '->*', '<::', '<%', '%:', '\0', '@', '`', 'é'],
        ...['name', ' ', '\t', '(', ')', '#define X', '#if', ';'],
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** White space, line continuations and comments, which may contain line continuations. */
const gapless =
  /^(?:[\s\p{Cc}]|\\[\s\p{Cc}]*?\n|\/(?:\\[\s\p{Cc}]*?\n)*(?:\*[\s\S]*?(?:\*\/|$)|\/(?:\\[\s\p{Cc}]*?\n|[^\n\r])*))*$/u;

describe('tokens', () => {
  it('are those of a compiler', () => {
    expect(shown(`int x = 0x1F + .5e-3L; // no\nchar *s = L"a\\"b" 'c';`)).toEqual([
      'name int',
      'name x',
      'punctuation =',
      'number 0x1F',
      'punctuation +',
      'number .5e-3L',
      'punctuation ;',
      'name char',
      'punctuation *',
      'name s',
      'punctuation =',
      `string L"a\\"b"`,
      `character 'c'`,
      'punctuation ;',
    ]);
  });

  it('have the longest punctuation', () => {
    expect(texts('a<<=b->*c...d<=>e::f##g>>=h--i')).toEqual(
      'a <<= b ->* c ... d <=> e :: f ## g >>= h -- i'.split(' '),
    );
  });

  it('replace digraphs, except in C++ template arguments', () => {
    expect(texts('<% a<:1:> %> %:')).toEqual(['{', 'a', '[', '1', ']', '}', '#']);
    expect(texts('v<::T> w')).toEqual(['v', '<', '::', 'T', '>', 'w']);
  });

  it('keep numbers with separators whole', () => {
    expect(shown("1'000'000u 0b1'0 'a'")).toEqual(["number 1'000'000u", "number 0b1'0", "character 'a'"]);
  });

  it('keep raw strings whole, whatever they contain', () => {
    expect(shown('u8R"x(a " )" \n // b)x" R"(c)";')).toEqual([
      'string u8R"x(a " )" \n // b)x"',
      'string R"(c)"',
      'punctuation ;',
    ]);
  });

  it('continue across line continuations', () => {
    expect(texts('fo\\\no +\\\n= "a\\\nb" // c \\\n d\ne')).toEqual(['foo', '+=', '"ab"', 'e']);
    expect(lines('a \\\n b\n"c\\\nd"')).toEqual(['a 1-1', 'b 2-2', '"cd" 3-4']);
  });

  it('have the right lines with either line ending', () => {
    expect(lines('a\r\nb\r\n/* \r\n */ c')).toEqual(['a 1-1', 'b 2-2', 'c 4-4']);
  });

  it('exclude comments', () => {
    expect(texts('a /* b // */ c // d /* e\nf "/*" g')).toEqual(['a', 'c', 'f', '"/*"', 'g']);
  });

  it('end at the end of the line if a quote is missing', () => {
    expect(texts(`"abc\nd 'e\nf`)).toEqual(['"abc', 'd', "'e", 'f']);
    expect(texts('a /* b')).toEqual(['a']);
    expect(texts('R"x(a)y" b')).toEqual(['R', '"x(a)y"', 'b']);
  });

  it('of a directive are one over all its lines, with single spaces', () => {
    expect(shown('a\n  #  define F(x)\\\n   x /* why */  + 1 // all\nb')).toEqual([
      'name a',
      'directive #define F(x) x + 1',
      'name b',
    ]);
    expect(lines('#if X \\\n && Y /* a\n b */ && Z\nc')).toEqual(['#if X && Y && Z 1-3', 'c 4-4']);
    expect(shown('%:include <a>\na # b')).toEqual([
      'directive #include <a>',
      'name a',
      'punctuation #',
      'name b',
    ]);
  });

  it('are the same for texts that differ only in white space and comments', () => {
    const dense = '#define A  1 /* x */\nint  f(int a){return a;}';
    const loose = '# define A 1\nint f (int a) { // y\n return a; }';
    expect(shown(dense)).toEqual(shown(loose));
  });

  it('rejoin to the text apart from white space and comments', () => {
    fc.assert(
      fc.property(soup, (text) => {
        let end = 0;
        const gaps: string[] = [];
        for (const token of tokensOf(text)) {
          gaps.push(text.slice(end, token.offset));
          end = token.end;
        }
        gaps.push(text.slice(end));
        for (const gap of gaps) expect(gap).toMatch(gapless);
      }),
      { numRuns: 3000 },
    );
  });

  it('are in order, with the offsets and lines of their text', () => {
    fc.assert(
      fc.property(soup, (text) => {
        let before: CodeToken | undefined;
        for (const token of tokensOf(text)) {
          expect(token.offset).toBeGreaterThanOrEqual(before?.end ?? 0);
          expect(token.end).toBeGreaterThan(token.offset);
          expect(token.line).toBe(text.slice(0, token.offset).split('\n').length);
          expect(token.endLine).toBe(text.slice(0, token.end).split('\n').length);
          const written = text.slice(token.offset, token.end);
          const isPlain = token.kind !== 'directive' && !/[\\<%:]/.test(written);
          if (isPlain) expect(token.text).toBe(written);
          before = token;
        }
      }),
      { numRuns: 3000 },
    );
  });
});
