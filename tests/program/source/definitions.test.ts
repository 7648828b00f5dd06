import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/program/source/read-source.js';
import { functionIn, namesIn, shownBlocks } from './shown.js';

describe('functions of C', () => {
  it.each<[string, string, string[]]>([
    ['a prototype', 'int\nmain (int argc, char **argv)\n{\n}\n', ['main 2-4']],
    [
      'parameters declared after it',
      'int\nmain (argc, argv)\n  int argc;\n  char **argv;\n{\n}\n',
      ['main 2-6'],
    ],
    ['no types', 'main (argc, argv) char **argv; { }', ['main 1-1']],
    ['function parameters', 'f (g, n) int (*g) (); register n; { }', ['f 1-1']],
    ['parameters in macros', 'f (a, b LOCALE_PARAM) char *a; int b; LOCALE_PARAM_DECL { }', ['f 1-1']],
    ['K&R varargs', 'void error (va_alist) va_dcl { }', ['error 1-1']],
    [
      'attributes around it',
      'static __attribute__ ((pure)) int f (void) __attribute__ ((cold)) { }',
      ['f 1-1'],
    ],
    ['macros around it', 'ATTRIBUTE_NORETURN static void die (int x) ATTR (1) { }', ['die 1-1']],
    ['a macro for its type', 'EXPORT (int) f (void) { }', ['f 1-1']],
    ['hidden parameters', 'int f PARAMS ((int a)) { }', ['f 1-1']],
    ['a pointer to a function as result', 'int (*pick (int a)) (void) { }', ['pick 1-1']],
    ['a typedef of such a pointer as result', 'handler (*pick (int a)) (int) { }', ['pick 1-1']],
    ['parentheses around its name', 'int (getc) (FILE *f) { }', ['getc 1-1']],
    ['a structure as result', 'struct point *f (struct point p) { }', ['f 1-1']],
    [
      'a macro that defines',
      'DEFUN ("car", Fcar, Scar, 1, 1, 0, 0) (Lisp_Object x) { }',
      ['DEFUN(Fcar) 1-1'],
    ],
    ['a macro without semicolon before it', 'MODULE (x)\nstatic int f (int a) { }', ['f 2-2']],
    ['names that C++ reserves', 'int new (class, this) int class, *this; { delete (class); }', ['new 1-1']],
  ])('may have %s', (_, text, names) => {
    const { faults } = readSource(text, 'f.c');
    expect(faults).toEqual([]);
    expect(namesIn(text)).toEqual(names);
  });

  it('exclude types, variables, prototypes and tables', () => {
    const text = [
      'struct s { int (*f) (int); } x = { g };',
      'enum { A = F (1), B };',
      'int t[] = { F (1), 2 };',
      'int g (int), h ();',
      'typedef struct { int a; } u;',
      'extern int old (a) ;',
    ].join('\n');
    expect(namesIn(text)).toEqual([]);
  });

  it.each<[string, string, number]>([
    ['a missing closing brace', '  if (a) {\n  g ();\n', 3],
    ['a surplus closing brace', '  g ();\n  }\n', 4],
  ])('are found after a function with %s', (_, body, line) => {
    const text = `int f ()\n{\n${body}  h ();\n}\n\nint i ()\n{\n}\nint j () { }\n`;
    const end = text.split('\n').indexOf('}') + 1;
    expect(namesIn(text)).toEqual([`f 1-${end}`, `i ${end + 2}-${end + 4}`, `j ${end + 5}-${end + 5}`]);
    expect(readSource(text, 'f.c').faults.map((fault) => fault.at.line)).toEqual([line]);
  });
});

describe('functions of C++', () => {
  const cpp = (text: string): string[] => namesIn(text, 'f.cc').map((name) => name.replace(/ \d+-\d+$/, ''));

  it.each<[string, string, string[]]>([
    ['parentheses around its name', 'int (test::fileno) (FILE *f) { }', ['test::fileno']],
    ['a qualified name', 'int ns::Outer::Inner::f (int a) const noexcept { }', ['ns::Outer::Inner::f']],
    ['a constructor and a destructor', 'A::A (int x) : b (x), c {x} { } A::~A () { }', ['A::A', 'A::~A']],
    ['methods of templates', 'template <class T, int N = 3> T A<T, N>::f () { }', ['A::f']],
    ['a trailing return type', 'auto f (int a) -> std::vector<int> { }', ['f']],
    ['callable types in its parameters', 'std::function<int (int)> f (F<void (A)> g) { }', ['f']],
    [
      'operators',
      'bool A::operator== (A const &o) const { } A::operator bool () { } void *operator new[] (size_t) { } ' +
        'A &A::operator= (A o) { } int A::operator() (int x) { } T A::operator[] (int) { } X operator""_x (char) { }',
      [
        'A::operator==',
        'A::operator bool',
        'operator new[]',
        'A::operator=',
        'A::operator()',
        'A::operator[]',
        'operator""_x',
      ],
    ],
    [
      'the class around it',
      'namespace n { class A final : public B<int> { public: A () : B (1) { } int f () override { } ' +
        'struct C { void g () { } }; virtual int h () = 0; friend void swap (A &a) { } int x{1}; }; }',
      ['A::A', 'A::f', 'A::C::g', 'swap'],
    ],
    [
      'a specialisation',
      'template <> struct hash<A> { size_t operator() (A a) const { } };',
      ['hash::operator()'],
    ],
    [
      'a test of many',
      'TEST (Parser, Empty) { } TEST_F (Parser, Full) { }',
      ['TEST(Parser, Empty)', 'TEST_F(Parser, Full)'],
    ],
    ['a language linkage', 'extern "C" { int f () { } } extern "C" int g () { }', ['f', 'g']],
    [
      'a class inside a function',
      'int f () { struct L { int g () { return 1; } } l; return l.g (); }',
      ['f', 'L::g'],
    ],
    ['a function try block', 'int f () try { g (); } catch (...) { h (); } int i () { }', ['f', 'i']],
    ['attributes', '[[nodiscard]] static constexpr int f () noexcept (true) { }', ['f']],
    [
      'a requires clause',
      'template <class T> requires C<T> void f (T t) requires (sizeof (T) > 1) { }',
      ['f'],
    ],
  ])('may have %s', (_, text, names) => {
    expect(readSource(text, 'f.cc').faults).toEqual([]);
    expect(cpp(text)).toEqual(names);
  });

  it('exclude brace-initialised variables and top-level lambdas', () => {
    expect(
      cpp('int x{1}; std::vector<int> v {1, 2}; auto f = [] (int a) { return a; }; enum class E { A };'),
    ).toEqual([]);
  });

  it("begin with the constructor's initialisers", () => {
    const read = functionIn('A::A (int x)\n : b (x),\n c {g (x ? h () : 2)}\n{\n i ();\n}', 'f.cc');
    expect(shownBlocks(read)).toEqual(['2,3 > 1,2', '3 > 3', '3 > 3', '3,5 >']);
    expect(read.blocks.flatMap(({ calls }) => calls)).toEqual(['h', 'g', 'i']);
    expect(read.statements.map(({ firstLine }) => firstLine)).toEqual([2, 3, 5]);
  });

  it('with a function try block have its catches as blocks', () => {
    expect(shownBlocks(functionIn('int f ()\ntry {\n g ();\n}\ncatch (...) {\n h ();\n}', 'f.cc'))).toEqual([
      '- > 1,2',
      '3 > 3',
      '5,6 > 3',
      '- >',
    ]);
  });

  it('are recognized in a header with code that is only valid in C++', () => {
    expect(namesIn('class A { int f () { } };', 'a.h')).toEqual(['A::f 1-1']);
    expect(namesIn('struct a { int class; };\nint f (class) int class; { }', 'a.h')).toEqual(['f 2-2']);
  });
});

describe('macros', () => {
  it('have the names of their body without their parameters', () => {
    const { macros } = readSource(
      '#define MAX(a, b) \\\n  ((a) > (b) ? (a) : other (b, X))\n#define PLAIN (y)\n# define EMPTY\n#define V(...) g (__VA_ARGS__)',
      'f.c',
    );
    expect(macros).toEqual([
      { name: 'MAX', firstLine: 1, lastLine: 2, names: ['other', 'X'] },
      { name: 'PLAIN', firstLine: 3, lastLine: 3, names: ['y'] },
      { name: 'EMPTY', firstLine: 4, lastLine: 4, names: [] },
      { name: 'V', firstLine: 5, lastLine: 5, names: ['g'] },
    ]);
  });

  it('are found inside functions, but not in branches that are never compiled', () => {
    const { macros } = readSource('int f () {\n#define A 1\n#if 0\n#define B 2\n#endif\n}', 'f.c');
    expect(macros.map(({ name }) => name)).toEqual(['A']);
  });
});

describe('declarations', () => {
  it('are everything between functions, each with its lines and names', () => {
    const text = [
      '#include <stdio.h>',
      'int x,',
      '  y = N;',
      'struct point {',
      '  int left;',
      '  T top;',
      '} origin;',
      'int f (int a) {',
      '#if INNER',
      '  return a;',
      '#endif',
      '}',
      '#if defined OUTER',
      'enum { A,',
      '  B };',
      '#endif',
    ].join('\n');
    expect(readSource(text, 'f.c').declarations).toEqual([
      { firstLine: 1, lastLine: 1, names: [] },
      { firstLine: 2, lastLine: 3, names: ['x', 'y', 'N'] },
      { firstLine: 4, lastLine: 4, names: ['point'] },
      { firstLine: 5, lastLine: 5, names: ['left'] },
      { firstLine: 6, lastLine: 6, names: ['T', 'top'] },
      { firstLine: 7, lastLine: 7, names: ['origin'] },
      { firstLine: 13, lastLine: 13, names: ['OUTER'] },
      { firstLine: 14, lastLine: 15, names: ['A', 'B'] },
    ]);
  });

  it('of a class are its members without access specifiers', () => {
    const { declarations } = readSource('class A {\npublic:\n int x;\nprivate:\n void f ();\n};', 'f.cc');
    expect(declarations.map(({ firstLine, names }) => [firstLine, names])).toEqual([
      [1, ['A']],
      [3, ['x']],
      [5, ['f']],
    ]);
  });
});
