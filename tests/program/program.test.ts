import { describe, expect, it } from 'vitest';
import type { IrModule } from '../../src/program/ir/module.js';
import { readModule } from '../../src/program/ir/read-module.js';
import { flowOf } from '../../src/program/ir-flow.js';
import { callGraph, Program } from '../../src/program/program.js';
import { compileC } from './dependence/compile.js';

/** Who calls whom, by names; static functions of a second module have its number after theirs. */
function calls(...sources: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const modules = sources.map((source) => readModule(compileC(source)));
  const program = new Program(modules);
  const name = (id: number): string => {
    const fn = program.functions[id];
    const at = modules.indexOf(fn?.module as IrModule);
    return `${fn?.declared.name}${fn?.declared.isLocal && at > 0 ? at + 1 : ''}`;
  };
  const { callees } = callGraph(program);
  return Object.fromEntries(callees.map((all, id) => [name(id), all.map(name).toSorted()]));
}

describe('the call graph', () => {
  it('has direct calls exactly, and static functions of the same name apart', () => {
    expect(
      calls(
        'int shared (int); static int own (void) { return 1; } int main (void) { return own () + shared (2); }',
        'static int own (void) { return 3; } int shared (int x) { return x > 0 ? own () : shared (x - 1); }',
      ),
    ).toEqual({ main: ['own', 'shared'], own: [], own2: [], shared: ['own2', 'shared'] });
  });

  it('has calls through pointers to functions of a like type whose address is taken', () => {
    const found = calls(`
      typedef int (*op) (int);
      static int add (int x) { return x + 1; }
      static int twice (int x) { return 2 * x; }
      static int both (int x, int y) { return x + y; }
      static int never (int x) { return x; }
      static op table[] = { add, twice };
      static int (*other) (int, int) = both;
      int main (int argc, char **argv) { return table[argc & 1] (never (3)); }`);
    expect(found.main).toEqual(['add', 'never', 'twice']);
  });

  it('goes through other names of a function and through casts', () => {
    const found = calls(`
      int real (int x) { return x; }
      int alias (int x) __attribute__ ((alias ("real")));
      int old ();
      int main (void) { return alias (1) + old (2); }
      int old (x) int x; { return x; }`);
    expect(found.main).toEqual(['old', 'real']);
  });
});

describe('a function as lines', () => {
  it('has the lines of its blocks, where they lead, what they call and where the program ends', () => {
    const module = readModule(
      compileC(`void exit (int) __attribute__ ((noreturn));
int g (int);
int f (int a)
{
  if (a > 3)
    a = g (a);
  else
    exit (1);
  return a;
}
`),
    );
    const fn = module.functions.get('f');
    const flow = flowOf(module, fn as never, '/');
    expect(flow).toMatchObject({ name: 'f', firstLine: 3 });
    const lines = flow.blocks.map((block) => block.lines.map(({ line }) => line));
    expect(lines).toEqual([[5], [6], [8], [9]]);
    expect(flow.blocks.map(({ next }) => next)).toEqual([[1, 2], [3], [], []]);
    expect(flow.blocks.map(({ calls: some }) => some)).toEqual([[], ['g'], ['exit'], []]);
    expect(flow.blocks.map(({ isLast }) => isLast ?? false)).toEqual([false, false, true, false]);
  });
});
