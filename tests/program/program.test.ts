import { describe, expect, it } from 'vitest';
import { readModule } from '../../src/program/ir/read-module.js';
import { flowOf } from '../../src/program/ir-flow.js';
import { ProgramFlowBuilder } from '../../src/program/program-flow.js';
import { compileC } from './dependence/compile.js';

/** Who calls whom, by names; static functions of a second module have its number after theirs. */
function calls(...sources: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const builder = new ProgramFlowBuilder('/');
  const names: string[] = [];
  for (const [at, source] of sources.entries()) {
    const module = readModule(compileC(source));
    builder.add(module);
    for (const { name, body, isLocal } of module.functions.values())
      if (body !== undefined) names.push(`${name}${isLocal && at > 0 ? at + 1 : ''}`);
  }
  const { calls: graph } = builder.link();
  for (const [id] of names.entries())
    for (const callee of graph.callees(id)) expect(graph.callers(callee)).toContain(id);
  const name = (id: number): string => names[id] as string;
  return Object.fromEntries(names.map((own, id) => [own, graph.callees(id).map(name).toSorted()]));
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

  it('has calls of unknown functions nowhere, and of old functions by what they are given', () => {
    const found = calls(`
      int outside (int);
      static int given (x) int x; { return x; }
      static int bare () { return 1; }
      static int two (int x, int y) { return x + y; }
      int (*table[]) () = { given, bare, two };
      int main (int argc, char **argv) { return outside (1) + table[argc] (7); }`);
    expect(found.main).toContain('given');
    expect(found.main).not.toContain('two');
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

describe('a whole program', () => {
  it('has the blocks of every function as the function alone has them, and an inline function once', () => {
    const inline = 'inline int both (int a) { if (a) return 1; return 2; }';
    const modules = ['one', 'two'].map((name) =>
      readModule(
        compileC(`${inline}\nextern int both (int a);\nint ${name} (int a)\n{\n  return both (a);\n}\n`),
      ),
    );
    const builder = new ProgramFlowBuilder('/');
    for (const module of modules) builder.add(module);
    const program = builder.link();
    expect(program.functions.map(({ name }) => name).toSorted()).toEqual(['both', 'one', 'two']);
    for (const [id, { name }] of program.functions.entries()) {
      const module = modules.find((one) => one.functions.get(name)?.body !== undefined);
      const flow = flowOf(module as never, module?.functions.get(name) as never, '/');
      expect(program.blocks(id)).toEqual(flow.blocks.map(({ calls: _calls, jump: _jump, ...block }) => block));
    }
    expect(program.find('both').map((id) => program.calls.callers(id).length)).toEqual([2]);
    expect(program.size()).toMatchObject({ functions: 3, calls: 2, indirectCalls: 0 });
  });
});
