import { describe, expect, it } from 'vitest';
import type { FlowCall } from '../../../src/program/graph/index.js';
import { readSource } from '../../../src/program/source/read-source.js';
import { blocksOf, functionIn } from './shown.js';

/** The expected blocks are those of `clang -O0 -g -S -emit-llvm`, in source order. */
describe('lays out the blocks of', () => {
  it.each<[string, string, string[]]>([
    ['an empty function', '', ['- >']],
    ['straight code', '\n a = 1;\n g ();\n return a;', ['2,3,4 >']],
    ['a lone block', '\n {\n  g ();\n }\n ;', ['3 >']],
    ['an if', '\n if (a)\n  g ();\n h ();', ['2 > 1,2', '3 > 2', '4 >']],
    ['an if with else', '\n if (a)\n  g ();\n else\n  h ();', ['2 > 1,2', '3 > 3', '5 > 3', '- >']],
    [
      'a chain of else if, whose ends lead out one by one',
      '\n if (a) g ();\n else if (b) h ();\n else i ();\n j ();',
      ['2 > 1,2', '2 > 6', '3 > 3,4', '3 > 5', '4 > 5', '- > 6', '5 >'],
    ],
    [
      'an if both of whose arms return',
      '\n if (a)\n  return 1;\n else\n  return 2;',
      ['2 > 1,2', '3 > 3', '5 > 3', '- >'],
    ],
    [
      'an else that belongs to the inner if',
      '\n if (a) if (b) g (); else h ();',
      ['2 > 1,5', '2 > 2,3', '2 > 4', '2 > 4', '- > 5', '- >'],
    ],
    ['an if that is never taken', '\n if (0)\n  g ();\n h ();', ['- > 2', '3 > 2', '4 >']],
    ['while', '\n while (a)\n  g ();\n h ();', ['- > 1', '2 > 2,3', '3 > 1', '4 >']],
    [
      'while with a condition in two parts',
      '\n while (a && b)\n  g ();',
      ['- > 1', '2 > 2,3', '2 > 3', '- > 4,5', '3 > 1', '- >'],
    ],
    ['while (1) without a test block', '\n while (1)\n  g ();', ['- > 1', '3 > 1']],
    [
      'while (true) left by break',
      '\n while (true) {\n  if (a)\n   break;\n }',
      ['- > 1', '3 > 2,3', '4 > 4', '- > 1', '- >'],
    ],
    ['do', '\n do\n  g ();\n while (a);\n h ();', ['- > 1', '3 > 2', '4 > 1,3', '5 >']],
    [
      'do with continue',
      '\n do {\n  if (a)\n   continue;\n  g ();\n } while (b);',
      ['- > 1', '3 > 2,3', '4 > 4', '5 > 4', '6 > 1,5', '- >'],
    ],
    [
      'do { } while (0), which runs once',
      '\n do {\n  g ();\n  if (a)\n   continue;\n } while (0);\n h ();',
      ['- > 1', '3,4 > 2,3', '5 > 4', '- > 4', '7 >'],
    ],
    [
      'for, its parts on lines of their own',
      '\n for (i = 0;\n  i < a;\n  i++)\n  g ();',
      ['2 > 1', '3 > 2,4', '5 > 3', '4 > 1', '- >'],
    ],
    ['for without parts', '\n for (;;)\n  g ();', ['- > 1', '3 > 1']],
    [
      'for with continue, which goes to the step',
      '\n for (; a;\n   a--)\n  if (b)\n   continue;\n  else\n   break;',
      ['- > 1', '2 > 2,6', '4 > 3,4', '5 > 5', '7 > 6', '3 > 1', '- >'],
    ],
    [
      'switch',
      '\n switch (a) {\n case 1:\n  g ();\n  break;\n default:\n  h ();\n }\n i ();',
      ['2 > 1,2', '4,5 > 3', '7 > 3', '9 >'],
    ],
    [
      'switch without default, falling through',
      '\n switch (a)\n {\n case 1:\n  g ();\n case 2:\n  h ();\n }',
      ['2 > 1,2,3', '5 > 2', '7 > 3', '- >'],
    ],
    [
      'cases that share a block, and a default that does not',
      '\n switch (a) {\n case 1:\n case 2:\n default:\n  g ();\n }',
      ['2 > 1,2', '- > 2', '6 > 3', '- >'],
    ],
    [
      'a range of cases',
      "\n switch (a) {\n case 'a' ... 'z': g ();\n break;\n case 1: h ();\n }",
      ['2 > 1,2,3', '3,4 > 3', '5 > 3', '- >'],
    ],
    [
      'cases inside a loop (Duff)',
      '\n switch (a) {\n case 0:\n  do {\n   g ();\n case 1:\n   h ();\n  } while (b);\n }',
      ['2 > 1,3,6', '- > 2', '5 > 3', '7 > 4', '8 > 2,5', '- > 6', '- >'],
    ],
    ['goto backwards', '\nagain:\n g ();\n if (a)\n  goto again;', ['- > 1', '3,4 > 2,3', '5 > 1', '- >']],
    [
      'goto forwards over code',
      '\n if (a)\n  goto out;\n g ();\nout:\n h ();',
      ['2 > 1,2', '3 > 3', '4 > 3', '6 >'],
    ],
    [
      'a computed goto',
      '\n static void *to[] = { &&x, &&y };\n goto *to[a];\nx:\n g ();\ny:\n h ();\nz:\n i ();',
      ['3 > 4', '5 > 2', '7 > 3', '9 >', '- > 1,2'],
    ],
    ['unreachable code after return', '\n return 1;\n g ();', ['2 >', '3 >']],
    [
      'two returns, which meet',
      '\n if (a)\n  return 1;\n g ();\n return 2;',
      ['2 > 1,2', '3 > 3', '4,5 > 3', '- >'],
    ],
    ['a call that does not return', '\n if (a)\n  exit (1);\n g ();', ['2 > 1,2', '3 > end', '4 >']],
    [
      '&& and || in a condition',
      '\n if (a\n  && b\n  || c)\n  g ();',
      ['2 > 1,2', '3 > 3,2', '4 > 3,4', '5 > 4', '- >'],
    ],
    ['a negated condition', '\n if (!(a\n   && b))\n  g ();', ['2 > 1,2', '3 > 3,2', '4 > 3', '- >']],
    ['&& as a value', '\n a = b\n  && c;\n g ();', ['2 > 1,2', '3 > 2', '2,3,4 >']],
    [
      'logic in logic, whose inner join does nothing',
      '\n a = b\n  || (c\n   && d);',
      ['2 > 4,1', '3 > 2,3', '4 > 3', '- > 4', '2,3 >'],
    ],
    ['?: as a value', '\n a = b\n  ? g ()\n  : h ();', ['2 > 1,2', '3 > 3', '4 > 3', '2 >']],
    ['?: without a middle operand', '\n a = b ?: g ();', ['2 > 1,2', '- > 3', '2 > 3', '2 >']],
    ['?: between constants without a branch', '\n a = b ? 1 : -2;\n g (a ? "x" : "y");', ['2,3 >']],
    [
      'a chain of ?:',
      '\n return a ? g ()\n  : b ? h ()\n  : i ();',
      ['2 > 1,2', '2 > 6', '3 > 3,4', '3 > 5', '4 > 5', '3 > 6', '2 >'],
    ],
    ['?: in a condition', '\n if (a ? b : c)\n  g ();', ['2 > 1,2', '2 > 3,4', '2 > 3,4', '3 > 4', '- >']],
    [
      'an argument with a branch',
      '\n g (1,\n  a ? h () : i (),\n  2);',
      ['2,3 > 1,2', '3 > 3', '3 > 3', '2,3,4 >'],
    ],
    [
      'a statement expression',
      '\n a = ({ int t = g ();\n  if (t)\n   h ();\n  t; });',
      ['2,3 > 1,2', '4 > 2', '2,5 >'],
    ],
    [
      'a return inside a statement expression',
      '\n a = ({ if (b)\n  return 1;\n  g (); });',
      ['2 > 1,2', '3 > 3', '2,4 > 3', '- >'],
    ],
    [
      'a loop macro',
      '\n FOR_EACH (x, list) {\n  if (x)\n   break;\n  g (x);\n }\n h ();',
      ['- > 1', '2 > 2,5', '3 > 3,4', '4 > 5', '5 > 1', '7 >'],
    ],
    [
      'a macro before an indented statement',
      '\n FOR_EACH (x, list)\n   g (x);',
      ['- > 1', '2 > 2,3', '3 > 1', '- >'],
    ],
    ['a macro that is a whole statement', '\n LOCK (a)\n if (a)\n  g ();', ['2,3 > 1,2', '4 > 2', '- >']],
    ['a macro around a switch', '\n MATCH (a) {\n case 1: g ();\n }', ['2 > 1,2', '3 > 2', '- >']],
    [
      'statements as macro arguments',
      '\n TRACE (x, if (a)\n  g (););\n h ();',
      ['2 > 1,4', '2 > 2,3', '3 > 3', '- > 4', '2,4 >'],
    ],
  ])('%s', (_, body, blocks) => {
    expect(blocksOf(body)).toEqual(blocks);
  });

  it.each<[string, string, string[]]>([
    ['a range for', '\n for (auto x :\n   list)\n  g (x);', ['3 > 1', '2 > 2,4', '2,4 > 3', '2 > 1', '- >']],
    [
      'try with edges from its head to each catch',
      '\n g ();\n try {\n  h ();\n } catch (A &x) {\n  i ();\n } catch (...) {\n  j ();\n }',
      ['2 > 1,2,3', '4 > 4', '5,6 > 4', '7,8 > 4', '- >'],
    ],
    [
      'throw with an edge to the enclosing catch',
      '\n try {\n  if (a)\n   throw 1;\n } catch (int e) {\n  throw;\n }',
      ['- > 1,4', '3 > 2,3', '4 > 4', '- > 5', '5,6 > end', '- >'],
    ],
    [
      'a lambda that may be skipped',
      '\n auto g = [&] (int x) {\n  if (x)\n   return 1;\n  return 2;\n };\n g (a);',
      ['2 > 1,4', '3 > 2,3', '4 > 4', '5 > 4', '2,7 >'],
    ],
    ['if constexpr', '\n if constexpr (sizeof (a) == 4)\n  g ();', ['2 > 1,2', '3 > 2', '- >']],
    [
      'an if with a declaration before its condition',
      '\n if (auto p = g (); p\n  && p->h ())\n  i ();',
      ['2 > 1,3', '3 > 2,3', '4 > 3', '- >'],
    ],
    ['and, or, not', '\n if (not (a and b)) g ();', ['2 > 1,2', '2 > 3,2', '2 > 3', '- >']],
    ['throw in an expression', '\n return a ? a : throw 1;', ['2 > 1,2', '2 > 3', '2 > end', '2 >']],
  ])('%s in C++', (_, body, blocks) => {
    expect(blocksOf(body, 'f.cc')).toEqual(blocks);
  });
});

describe('a line is executed', () => {
  it('only if something happens on it', () => {
    expect(
      blocksOf('\n int x;\n int y = 1;\n static int z = 2;\n typedef int t;\n extern int g (int);\n x = y;'),
    ).toEqual(['3,7 >']);
  });

  it('of a declaration, for each variable with an initialiser', () => {
    expect(blocksOf('\n int x,\n  y = 1,\n  *z,\n  v[] = { 1,\n   2\n  };')).toEqual(['3,5,6 >']);
  });

  it('of a multi-line statement, unless it holds only a closing bracket', () => {
    expect(blocksOf('\n g (1,\n  2\n  )\n  ;')).toEqual(['2,3 >']);
  });
});

describe('calls', () => {
  const calls = (body: string, file = 'f.c'): FlowCall[] =>
    functionIn(`int f (int a) { ${body} }`, file).blocks.flatMap((block) => block.calls);

  it('are names before parentheses, including methods, in execution order', () => {
    expect(calls('a = g (h (1), x.m (2), p->n ()); g ();', 'f.cc')).toEqual(['h', 'm', 'n', 'g', 'g']);
  });

  it('exclude keywords, casts, declarations and prototypes', () => {
    expect(
      calls('char *malloc (); int g (int); T *p = (T) (a); int (*q) (int); return sizeof (a) + (*q) (a);'),
    ).toEqual([{ values: 1 }]);
  });

  it('are in the block that executes them, not in the block of their name', () => {
    expect(
      functionIn('int f (int a) { return g (a ? h () : 2); }').blocks.map((block) => block.calls),
    ).toEqual([[], ['h'], [], ['g']]);
  });

  it('include templates and constructors after new', () => {
    expect(calls('g<int, T*> (a); new Foo (1); std::vector<int> v (10); ns::h (v);', 'f.cc')).toEqual([
      'g',
      'Foo',
      'h',
    ]);
  });
});

describe('a function does not return', () => {
  const ends = (before: string, call: string, file = 'f.c'): boolean =>
    readSource(`${before} int f (int a) { ${call}; g (); }`, file).functions.at(-1)?.blocks.length === 2;

  it.each([
    'exit (1)',
    '_exit (1)',
    '_Exit (1)',
    'abort ()',
    'longjmp (b, 1)',
    'quick_exit (0)',
  ])('if its name is %s', (call) => {
    expect(ends('', call)).toBe(true);
  });

  it.each([
    'void die () __attribute__ ((noreturn));',
    '_Noreturn void die (int);',
    'extern void die PARAMS ((int)) ATTRIBUTE_NORETURN;',
    'static void die (int x) __attribute__ ((__noreturn__)); static void die (x) int x; { exit (x); }',
  ])('if the file declares it so: %s', (before) => {
    expect(ends(before, 'die (1)')).toBe(true);
  });

  it('unless it only shares the name of such a function', () => {
    expect(ends('', 'x.exit (1)', 'f.cc')).toBe(false);
    expect(ends('', 'p->abort ()', 'f.cc')).toBe(false);
    expect(ends('', 'Pool::exit (1)', 'f.cc')).toBe(false);
    expect(ends('', 'std::exit (1)', 'f.cc')).toBe(true);
    expect(ends('void die (int);', 'die (1)')).toBe(false);
  });
});

describe('statements', () => {
  it('are conditions, parts of for, labels and simple statements in source order', () => {
    const { statements } = functionIn(
      [
        'int f (int a) {',
        '  int x;',
        '  if (a',
        '      && MAX (x))',
        '    g (x);',
        '  for (x = 0; x < N;',
        '       x++)',
        '    ;',
        'out:',
        '  return FOO;',
        '}',
      ].join('\n'),
    );
    expect(
      statements.map(({ firstLine, lastLine, blocks, names }) => [firstLine, lastLine, blocks, names]),
    ).toEqual([
      [2, 2, [0], ['x']],
      [3, 4, [0, 1], ['a', 'MAX', 'x']],
      [5, 5, [2], ['g', 'x']],
      [6, 6, [3], ['x']],
      [6, 6, [4], ['x', 'N']],
      [7, 7, [6], ['x']],
      [9, 9, [8], ['out']],
      [10, 10, [8], ['FOO']],
    ]);
  });

  it('include the statements of a lambda', () => {
    const { statements } = functionIn('int f () {\n run ([] {\n  g ();\n });\n}', 'f.cc');
    expect(statements.map(({ firstLine, lastLine, blocks }) => [firstLine, lastLine, blocks])).toEqual([
      [2, 4, [0, 2]],
      [3, 3, [1]],
    ]);
  });
});

describe('a fault in a function has its position', () => {
  it.each([
    ['int f () {\n goto nowhere; }', 2, 7, 'undefined label nowhere'],
    ['int f () {\n break; }', 2, 2, 'break outside any loop'],
    ['int f () {\n case 1: ; }', 2, 2, 'case outside any switch'],
    ['int f () {\n else g (); }', 2, 2, 'else without if'],
    ['int f () {\n if x; }', 2, 2, 'missing parentheses after if'],
    ['int f () {\n do g (); }', 2, 2, 'do without while'],
  ])('%j', (text, line, column, message) => {
    expect(readSource(text, 'f.c').faults.map(({ at, message }) => ({ ...at, message }))).toEqual([
      { file: 'f.c', line, column, message },
    ]);
  });
});
