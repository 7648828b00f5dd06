import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBranches } from '../../../src/program/source/flow/branches.js';
import { readSource } from '../../../src/program/source/read-source.js';
import { tokensOf } from '../../../src/program/source/tokens.js';
import { namesIn } from './shown.js';

const kept = (text: string): string =>
  chooseBranches(tokensOf(text))
    .code.map((token) => token.text)
    .join(' ');

const faults = (text: string): string[] =>
  chooseBranches(tokensOf(text)).faults.map(({ line, message }) => `${line} ${message}`);

describe('branches of #if', () => {
  it('are all kept if each consists of whole statements or declarations', () => {
    expect(kept('a;\n#if X\nb;\n#elif Y\n{ c; }\n#else\nd: \n#endif\ne;')).toBe('a ; b ; { c ; } d : e ;');
    expect(kept('#ifdef X\nint f (void) { }\n#else\nint f (int a) { }\n#endif')).toBe(
      'int f ( void ) { } int f ( int a ) { }',
    );
    expect(kept('int x[] = {\n#if X\n1,\n#else\n2,\n#endif\n3 };')).toBe('int x [ ] = { 1 , 2 , 3 } ;');
  });

  it.each([
    ['a bracket stays open', 'a;\n#if X\nif (a) {\n#else\nif (b) {\n#endif\nc; }', 'a ; if ( a ) { c ; }'],
    ['a bracket is closed', 'f (a\n#if X\n, b);\n#else\n);\n#endif', 'f ( a , b ) ;'],
    ['a bracket is closed and opened', '{ a;\n#if X\n} {\n#else\nb;\n#endif\n}', '{ a ; } { }'],
    ['a statement begins outside', 'x =\n#if X\n1;\n#else\n2;\n#endif', 'x = 1 ;'],
    ['a statement ends outside', 'a;\n#if X\nb\n#else\nc\n#endif\n;', 'a ; b ;'],
    ['an else follows', 'if (a) b;\n#if X\nelse c;\n#else\nelse d;\n#endif', 'if ( a ) b ; else c ;'],
    ['a condition waits', 'if (a)\n#if X\nb;\n#else\nc;\n#endif', 'if ( a ) b ;'],
  ])('only the first is kept if %s', (_, text, code) => {
    expect(kept(text)).toBe(code);
  });

  it('exclude #if 0 and everything after #if 1', () => {
    expect(kept("#if 0\nit isn't code {\n#else\na;\n#endif")).toBe('a ;');
    expect(kept('#if 0\n#if X\na;\n#else\nb;\n#endif\n#elif Y\nc;\n#endif')).toBe('c ;');
    expect(kept('#if (0) /* off */\na;\n#endif\n#if 0 && X\nb;\n#endif\nc;')).toBe('c ;');
    expect(kept('#if 1\na;\n#else\nb;\n#endif')).toBe('a ;');
    expect(kept('x =\n#if 0\n1\n#elif X\n2\n#else\n3\n#endif\n;')).toBe('x = 2 ;');
  });

  it('may be nested', () => {
    expect(kept('#if X\na;\n#if Y\nb (\n#else\nc (\n#endif\nd);\n#else\ne;\n#endif')).toBe(
      'a ; b ( d ) ; e ;',
    );
  });

  it('are chosen consistently for equal conditions', () => {
    const text = '#ifdef X\nif (a) {\n#endif\nb;\n#ifndef X\nif (c) {\n#endif\nd; }';
    expect(kept(text)).toBe('if ( a ) { b ; d ; }');
    expect(kept('#if !defined (X)\nf (\n#else\ng (\n#endif\n#ifdef X\n1);\n#else\n2);\n#endif')).toBe(
      'f ( 2 ) ;',
    );
  });

  it('keep one function with alternative headers', () => {
    expect(namesIn('#if X\nint f (int a)\n#else\nint f (a) int a;\n#endif\n{\n}\nint g () { }')).toEqual([
      'f 2-7',
      'g 8-8',
    ]);
    expect(namesIn('#if X\nint f (a) long a;\n#else\nint f (a) int a;\n#endif\n{\n}\n')).toEqual(['f 2-7']);
  });

  it('around extern "C" leave the file at its top level', () => {
    expect(
      namesIn(
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint f () { }\n#ifdef __cplusplus\n}\n#endif\nint g () { }',
      ),
    ).toEqual(['f 4-4', 'g 8-8']);
  });

  it('are reported if unterminated or outside any #if', () => {
    expect(faults('a;\n#if X\nb;')).toEqual(['2 #if without #endif']);
    expect(faults('a;\n#endif\n#else\n')).toEqual(['2 #endif without #if', '3 #else without #if']);
    expect(kept('a;\n#if X\nb;')).toBe('a ; b ;');
  });

  it('keep brackets balanced if they are in every configuration', () => {
    const branch = fc.constantFrom('a;', '{ b; }', 'if (c) { d (); }', 'x[1] = (2);', '');
    const piece = fc.oneof(
      branch,
      fc.tuple(branch, branch).map(([first, second]) => `\n#if X\n${first}\n#else\n${second}\n#endif\n`),
      fc.constant('\n#if X\nif (a) {\n#else\nwhile (b) {\n#endif\nc; }\n'),
      fc.constant("\n#if 0\n} } ) don't\n#endif\n"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { faults: found } = readSource(`void f (void) { ${pieces.join(' ')} }`, 'f.c');
        expect(found).toEqual([]);
      }),
    );
  });
});
