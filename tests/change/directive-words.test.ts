import { describe, expect, it } from 'vitest';
import { directiveWords } from '../../src/change/hunks/directive-words.js';

function keys(text: string): readonly string[] {
  return directiveWords(text).map(({ key }) => key);
}

describe('directiveWords', () => {
  it.each([
    ['#define A 1', '#  define\tA   1'],
    ['#define A 1', '#define A 1 // the first'],
    ['#define A 1', '#/* why */define A /* not\n two? */ 1'],
    ['#define F(x) ((x) + 1)', '#define F( x ) \\\n  ((x) \\\r\n + 1)'],
    ['#ifdef A', '# ifdef A'],
    ['#include <a/b.h>', '#include   <a/b.h> // for b'],
    ['#include "a.h"', '#include"a.h"'],
    ['#if A>=1&&B', '#if A >= 1 && B'],
    ['#', '#  /* nothing */'],
  ])('%j has the same words as %j', (text, other) => {
    expect(keys(other)).toEqual(keys(text));
  });

  it.each([
    ['#define A 1', '#define A 2'],
    ['#define F(x)', '#define F (x)'],
    ['#define A "a b"', '#define A "a  b"'],
    ['#define A "//"', '#define A "/"'],
    ['#define A + +', '#define A ++'],
    ['#include <a.h>', '#include "a.h"'],
    ['#include <a.h>', '#include <a .h>'],
    ['#define AB', '#define A B'],
    ['#if A', '#ifdef A'],
    ['#define A', '#undef A'],
    ["#define A ' '", "#define A '  '"],
  ])('%j has other words than %j', (text, other) => {
    expect(keys(other)).not.toEqual(keys(text));
  });

  it('words have their positions in the directive', () => {
    const text = '# define MAX(a) \\\n  ((a) < /* or so */ 10)';
    const words = directiveWords(text).map(({ from, to }) => text.slice(from, to));
    expect(directiveWords(text).map(({ line }) => line)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
    expect(words).toEqual(['# define', 'MAX', '(', 'a', ')', '(', '(', 'a', ')', '<', '10', ')']);
  });

  it('an unfinished directive is read to its end', () => {
    expect(directiveWords("#error don't\tdo  this").map(({ to }) => to)).toEqual([6, 10, 21]);
    expect(directiveWords('# 12 "a.c"').map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [2, 4],
      [5, 10],
    ]);
    expect(directiveWords('#define A "open').at(-1)?.to).toBe(15);
    expect(directiveWords('#define A /* open').at(-1)?.to).toBe(9);
    expect(directiveWords('').length).toBe(1);
  });
});
