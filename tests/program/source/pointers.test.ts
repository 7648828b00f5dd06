import { describe, expect, it } from 'vitest';
import type { FlowCall } from '../../../src/program/graph/index.js';
import { readSource } from '../../../src/program/source/index.js';

/** The calls of the last function in a text. */
function calls(text: string, file = 'f.c'): readonly FlowCall[] {
  const { functions, faults } = readSource(text, file);
  expect(faults).toEqual([]);
  return functions.at(-1)?.blocks.flatMap((block) => block.calls) ?? [];
}

describe('calls through pointers', () => {
  it('are distinguished from direct calls by the callee', () => {
    expect(
      calls('void f (int a) { (*p) (a, 1); table[a] (); x.m (g (2), 3); y->n (a ? 1 : 2); h (4); }'),
    ).toEqual([{ values: 2 }, { values: 0 }, 'g', { values: 2 }, { values: 1 }, 'h']);
  });

  it("include calls of parameters, variables and the file's function pointers", () => {
    expect(calls('void f (cmp_fn *cmp, int (*each) (int)) { cmp (1, 2); each (3); other (4); }')).toEqual([
      { values: 2 },
      { values: 1 },
      'other',
    ]);
    expect(calls('void f (void) { cmp_fn *cmp = choose (); cmp (1, 2); }')).toEqual([
      'choose',
      { values: 2 },
    ]);
    expect(calls('static void (*handler) (int);\nvoid f (void) { handler (1); }')).toEqual([{ values: 1 }]);
  });

  it('exclude casts, declarations and methods', () => {
    expect(calls('int f (int a) { return (int) (a) + (char *) (a); }')).toEqual([]);
    expect(calls('int f (int a) { int (*p) (int) = g; return a; }')).toEqual([]);
    expect(calls('int f (A x) { return x.size (1) + x->at (2); }', 'f.cc')).toEqual(['size', 'at']);
    expect(calls('int f (A x) { auto g = [x] (int a) { return a; }; return 1; }', 'f.cc')).toEqual([]);
  });

  it('go to functions whose addresses are taken and whose parameter count fits', () => {
    const { taken, functions } = readSource(
      'int one (int a) { return a; }\n' +
        'int two (int a, char *b) { return a; }\n' +
        'int old (a, b) int a; int b; { return a; }\n' +
        'int any (const char *text, ...) { return 1; }\n' +
        'int none (void) { return 1; }\n' +
        'int unsaid () { return 1; }\n' +
        'int handed PARAMS ((int));\n' +
        'struct row { int (*call) (int); } rows[] = { { one }, { .call = two }, { 0 } };\n' +
        'void f (void) { signal (1, old); p = &any; none (); x->unsaid; goto handed; }\n',
      'f.c',
    );
    expect(functions.map(({ name, takes }) => [name, takes && [takes.least, takes.most]])).toEqual([
      ['one', [1, 1]],
      ['two', [2, 2]],
      ['old', [2, 2]],
      ['any', [1, Number.POSITIVE_INFINITY]],
      ['none', [0, 0]],
      ['unsaid', undefined],
      ['f', [0, 0]],
    ]);
    const names = new Set(functions.map(({ name }) => name));
    expect([...taken].filter((name) => names.has(name)).toSorted()).toEqual(['any', 'old', 'one', 'two']);
    expect(taken.has('handed')).toBe(false);
  });
});
