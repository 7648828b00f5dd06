import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { printed, replays, TracedPrograms } from '../../symbolic/traced-program.js';

const programs = new TracedPrograms();
afterAll(() => programs.remove());
const at = (name: string): string => join(programs.folder, name);

programs.write(
  'main.c',
  '#include <stdio.h>\nint area(int, int);\nint main(int n, char **w) { printf("%d\\n", area(n, 3)); return 0; }\n',
);
programs.write(
  'area.c',
  'static int help(int x) { return x + 1; }\nint area(int a, int b) { return help(a) * b; }\n',
);

async function printsSix(program: string, ...libraries: readonly string[]): Promise<void> {
  const end = programs.run(at(program));
  expect(end.stdout).toBe('6\n');
  const [only, ...others] = await replays(end, ...libraries.map(at));
  expect(others).toEqual([]);
  expect(only?.run.end).toEqual({ kind: 'end' });
  expect(only && printed(only.run)).toEqual([[6]]);
}

describe('culprit-cc --trace', () => {
  it('builds a program from several sources in one call', async () => {
    programs.do('culprit-cc', 'main.c', 'area.c', '-o', 'at-once');
    await printsSix('at-once');
  });

  it('builds objects that pass through archives and partial links', async () => {
    programs.do('culprit-cc', '-c', 'main.c', 'area.c');
    programs.do('ar', 'rcs', 'libarea.a', 'area.o');
    programs.do('culprit-cc', 'main.o', '-L.', '-larea', '-o', 'archived');
    await printsSix('archived');
    programs.do('ld', '-r', 'main.o', 'area.o', '-o', 'both.o');
    programs.do('culprit-cc', 'both.o', '-o', 'joined');
    await printsSix('joined');
    programs.do('cc', 'main.o', 'area.o', '-o', 'linked-by-another');
    await printsSix('linked-by-another');
  });

  it('builds shared libraries whose calls are replayed', async () => {
    programs.do('culprit-cc', '-fPIC', '-shared', 'area.c', '-o', 'libshared.so');
    programs.do('culprit-cc', 'main.c', './libshared.so', '-o', 'sharing');
    const end = programs.run(at('sharing'));
    expect(end.stdout).toBe('6\n');
    const [only] = await replays(end, at('libshared.so'));
    const functions = new Set(
      Array.from(
        { length: only?.run.instances ?? 0 },
        (_, i) => only?.run.frame(only.run.frameOf(i))?.function,
      ),
    );
    expect([...functions]).toEqual(['main', 'area', 'help']);
    // Without the library's IR its steps are missing; the earlier steps are right.
    const [alone] = await replays(end);
    expect(alone?.run.end.kind).not.toBe('limit');
  });

  it('replays a call into an untraced library and the return from it', async () => {
    programs.write('apply.c', 'int apply(int (*f)(int), int x) { return f(x) + 1; }\n');
    programs.do('cc', '-fPIC', '-shared', 'apply.c', '-o', 'libapply.so');
    programs.write(
      'use.c',
      '#include <stdio.h>\nint apply(int (*)(int), int);\nstatic int f(int x) { return x * 5; }\nint main(void) { printf("%d\\n", apply(f, 1)); return 0; }\n',
    );
    programs.do('culprit-cc', 'use.c', './libapply.so', '-o', 'use');
    await printsSix('use');
  });

  it('records nothing without a target file', () => {
    const { CULPRIT_TRACE_DIR: _, ...env } = process.env;
    expect(env.CULPRIT_TRACE_DIR).toBeUndefined();
    programs.do('culprit-cc', 'main.c', 'area.c', '-o', 'quiet');
    const before = readdirSync(programs.folder);
    programs.do(at('quiet'));
    expect(readdirSync(programs.folder)).toEqual(before);
  });

  it('writes Makefile rules for the object, not for the intermediate file', () => {
    programs.do('culprit-cc', '-MD', '-c', 'area.c', '-o', 'made.o');
    expect(readFileSync(at('made.d'), 'utf8')).toBe('made.o: area.c\n');
    programs.do('culprit-cc', '-MD', '-MF', 'other.dep', '-MT', 'name', '-c', 'area.c', '-o', 'made.o');
    expect(readFileSync(at('other.dep'), 'utf8')).toBe('name: area.c\n');
  });

  it('identifies which of several definitions of an inline function was linked', async () => {
    for (const [name, value] of [
      ['one', 1],
      ['two', 2],
    ])
      programs.write(
        `${name}.cc`,
        `#include <cstdio>\ntemplate <typename T> T pick(T x) { return x + ${value}; }\nint ${name}() { return pick(4); }\n`,
      );
    programs.write(
      'both.cc',
      '#include <cstdio>\nint one(); int two();\nint main() { std::printf("%d\\n", one() * 10 + two()); }\n',
    );
    programs.do('culprit-c++', 'both.cc', 'one.cc', 'two.cc', '-o', 'inlines');
    const end = programs.run(at('inlines'));
    expect(end.stdout).toBe('55\n');
    const [only] = await replays(end);
    expect(only && printed(only.run)).toEqual([[55]]);
  });

  it('reports errors as the compiler does', () => {
    programs.write('wrong.c', 'int f(void) { return nothing; }\n');
    expect(() => programs.do('culprit-cc', '-c', 'wrong.c')).toThrow(/undeclared identifier 'nothing'/);
    expect(existsSync(at('wrong.o'))).toBe(false);
  });
});
