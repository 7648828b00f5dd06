import { describe, expect, it } from 'vitest';
import { ProgramFlowBuilder } from '../../../src/program/dependence/index.js';
import { type FunctionId, idOf } from '../../../src/program/graph/index.js';
import { flowOf } from '../../../src/program/ir/ir-flow.js';
import type { IrModule } from '../../../src/program/ir/module.js';
import { Program } from '../../../src/program/ir/program.js';
import { readModule } from '../../../src/program/ir/reading/read-module.js';
import { compileC } from '../dependence/compile.js';

/** Calls by name. Static functions of a second module have its number appended. */
function calls(...sources: readonly string[]): Readonly<Record<string, readonly (string | undefined)[]>> {
  const builder = new ProgramFlowBuilder('/');
  const names: string[] = [];
  for (const [at, source] of sources.entries()) {
    const module = readModule(compileC(source));
    builder.add(module);
    for (const { name, body, isLocal } of module.functions.values())
      if (body !== undefined) names.push(`${name}${isLocal && at > 0 ? at + 1 : ''}`);
  }
  const { calls: graph } = builder.link();
  const ids = names.map((_, at) => idOf<FunctionId>(at));
  for (const id of ids) for (const callee of graph.callees(id)) expect(graph.callers(callee)).toContain(id);
  const name = (id: FunctionId): string | undefined => names[id];
  return Object.fromEntries(ids.map((id) => [name(id), graph.callees(id).map(name).toSorted()]));
}

/** Compiles a C module as a file of its own. */
function inFile(name: string, source: string): IrModule {
  return readModule(compileC(`# 1 "/src/${name}"\n${source}`));
}

/** Functions as `file:name` with their callees, and the notes. */
function linkedCalls(...modules: readonly IrModule[]) {
  const builder = new ProgramFlowBuilder('/src');
  for (const module of modules) builder.add(module);
  const { functions, calls: graph } = builder.link();
  const names = functions.map(({ file, name }) => `${file}:${name}`);
  const callees = names.map((name, at) => [
    name,
    graph
      .callees(idOf(at))
      .map((callee) => names[callee])
      .toSorted(),
  ]);
  return { calls: Object.fromEntries(callees), notes: builder.notes };
}

/** The same from Program. */
function foundIn(program: Program, from: IrModule, name: string): readonly string[] {
  return program.choices(from, name).map(({ module, declared }) => {
    const { file = '' } = module.debug.subprogram(declared.subprogram) ?? {};
    return `${file.replace('/src/', '')}:${declared.name}`;
  });
}

describe('call graph', () => {
  it('resolves direct calls exactly and tells static functions of the same name apart', () => {
    expect(
      calls(
        'int shared (int); static int own (void) { return 1; } int main (void) { return own () + shared (2); }',
        'static int own (void) { return 3; } int shared (int x) { return x > 0 ? own () : shared (x - 1); }',
      ),
    ).toEqual({ main: ['own', 'shared'], own: [], own2: [], shared: ['own2', 'shared'] });
  });

  it('resolves pointer calls to functions of a similar type whose address is taken', () => {
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

  it('has no targets for unknown functions, and targets by arguments for functions without a prototype', () => {
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

  it('follows aliases of a function and casts', () => {
    const found = calls(`
      int real (int x) { return x; }
      int alias (int x) __attribute__ ((alias ("real")));
      int old ();
      int main (void) { return alias (1) + old (2); }
      int old (x) int x; { return x; }`);
    expect(found.main).toEqual(['old', 'real']);
  });

  it('treats names in an unreadable instruction as called and as taken addresses', () => {
    const { calls: found } = linkedCalls(
      readModule(`source_filename = "a.c"
define void @g() {
  ret void
}
define void @"odd name"() {
  ret void
}
define void @kept(i8 %0) {
  ret void
}
define void @f(ptr %p) {
  %1 = conjure tail call fastcc void @g(ptr @"odd name")
  conjure ptr @kept
  call void %p(i8 1)
  ret void
}
`),
    );
    expect(found['a.c:f']).toEqual(['a.c:g', 'a.c:kept', 'a.c:odd name']);
  });
});

describe('a name that several modules define', () => {
  const user = `int hook (int);
    int small (int x) { return x; }
    __attribute__ ((weak)) int hook (int x) { return small (x); }
    int main (void) { return hook (1); }`;
  const fallback = inFile('fallback.c', user);
  const override = inFile(
    'override.c',
    'int large (int x) { return 2 * x; } int hook (int x) { return large (x); }',
  );

  it('refers to the strong definition, whichever module comes first, even in a module with a weak one', () => {
    for (const modules of [
      [fallback, override],
      [override, fallback],
    ]) {
      expect(linkedCalls(...modules)).toEqual({
        calls: {
          'fallback.c:main': ['override.c:hook'],
          'fallback.c:small': [],
          'override.c:hook': ['override.c:large'],
          'override.c:large': [],
        },
        notes: [],
      });
      const program = new Program(modules);
      const names = program.functions.map(({ declared }) => declared.name).toSorted();
      expect(names).toEqual(['hook', 'large', 'main', 'small']);
      for (const module of modules) expect(foundIn(program, module, 'hook')).toEqual(['override.c:hook']);
    }
  });

  it('refers to a weak definition if there is no strong one, and to any definition rather than a copy for inlining', () => {
    expect(linkedCalls(fallback).calls['fallback.c:main']).toEqual(['fallback.c:hook']);
    const copy = readModule(`source_filename = "copy.c"
define available_externally void @f() {
  ret void
}
define void @main() {
  call void @f()
  ret void
}
`);
    const real = readModule('source_filename = "real.c"\ndefine linkonce_odr void @f() {\n  ret void\n}\n');
    expect(linkedCalls(copy, real).calls).toEqual({ 'copy.c:main': ['real.c:f'], 'real.c:f': [] });
    expect(linkedCalls(copy).calls['copy.c:main']).toEqual(['copy.c:f']);
    expect(new Program([copy, real]).find(copy, 'f')?.module).toBe(real);
  });

  it('refers to a strong definition rather than a weak alias', () => {
    const alias = inFile(
      'alias.c',
      `int own (int x) { return x; }
       int hook (int x) __attribute__ ((weak, alias ("own")));
       int main (void) { return hook (1); }`,
    );
    for (const modules of [
      [alias, override],
      [override, alias],
    ]) {
      expect(linkedCalls(...modules).calls['alias.c:main']).toEqual(['override.c:hook']);
      expect(foundIn(new Program(modules), alias, 'hook')).toEqual(['override.c:hook']);
    }
    expect(linkedCalls(alias).calls['alias.c:main']).toEqual(['alias.c:own']);
    expect(foundIn(new Program([alias]), alias, 'hook')).toEqual(['alias.c:own']);
  });

  it("refers to each program's own definition if there are several programs, with a note", () => {
    const shared = inFile('shared.c', 'int usage (void); int fail (void) { return usage (); }');
    const [first, second] = ['first', 'second'].map((name) =>
      inFile(
        `${name}.c`,
        `int fail (void);
         int usage (void) { return 1; }
         int main (void) { return usage () + fail (); }`,
      ),
    ) as [IrModule, IrModule];
    const { calls: found, notes } = linkedCalls(first, shared, second);
    expect(found).toEqual({
      'first.c:main': ['first.c:usage', 'shared.c:fail'],
      'first.c:usage': [],
      'second.c:main': ['second.c:usage', 'shared.c:fail'],
      'second.c:usage': [],
      'shared.c:fail': ['first.c:usage'],
    });
    expect(notes).toEqual([
      expect.stringContaining('usage is also defined by another module'),
      expect.stringContaining('main is also defined by another module'),
    ]);
    const program = new Program([first, shared, second]);
    expect(program.functions).toHaveLength(5);
    expect(program.notes).toEqual(notes);
    expect(foundIn(program, second, 'usage')).toEqual(['second.c:usage']);
    expect(foundIn(program, shared, 'usage')).toEqual(['first.c:usage']);
  });

  it('refers to one definition if a source was compiled twice', () => {
    const [once, again] = [inFile('fallback.c', user), inFile('fallback.c', user)];
    expect(linkedCalls(once, again)).toEqual(linkedCalls(once));
    const { functions, notes } = new Program([once, again]);
    expect(functions).toHaveLength(3);
    expect(notes).toEqual([]);
  });

  it('refers to all targets that an ifunc can choose', () => {
    const module = inFile(
      'choice.c',
      `static int fast (int x) { return x; }
       static int slow (int x) { return x + 0; }
       int able (void) { return 1; }
       int (*choose (void)) (int) { return able () ? fast : slow; }
       int work (int) __attribute__ ((ifunc ("choose")));
       int main (void) { return work (1); }`,
    );
    const elsewhere = inFile('elsewhere.c', 'int work (int); int other (void) { return work (2); }');
    const { calls: found } = linkedCalls(module, elsewhere);
    expect(found['choice.c:main']).toEqual(['choice.c:fast', 'choice.c:slow']);
    expect(found['elsewhere.c:other']).toEqual(['choice.c:fast', 'choice.c:slow']);
    expect(found['choice.c:choose']).toEqual(['choice.c:able']);
    const program = new Program([module, elsewhere]);
    expect(foundIn(program, elsewhere, 'work').toSorted()).toEqual(['choice.c:fast', 'choice.c:slow']);
    expect(program.find(elsewhere, 'work')).toBeUndefined();
  });
});

describe('flowOf', () => {
  it('returns lines, successors and calls of blocks, and where the program ends', () => {
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
  it('has the blocks that each function has alone, and an inline function once', () => {
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
    for (const [at, { name }] of program.functions.entries()) {
      const module = modules.find(({ functions }) => functions.get(name)?.body !== undefined);
      const flow = flowOf(module as never, module?.functions.get(name) as never, '/');
      expect(program.blocks(idOf(at))).toEqual(
        flow.blocks.map(({ calls: _calls, jump: _jump, ...block }) => block),
      );
    }
    expect(program.find('both').map((id) => program.calls.callers(id).length)).toEqual([2]);
    expect(program.size()).toMatchObject({ functions: 3, calls: 2, indirectCalls: 0 });
  });
});
