import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault, thisMachine, words } from '../../../src/machine/index.js';
import { readCall } from '../../../src/program/compile/compiler-call.js';
import { irArguments } from '../../../src/program/compile/ir-arguments.js';
import { type BuiltProgram, type ModuleText, programOf } from '../../../src/program/compile/program-of.js';
import { splitWords } from '../../../src/program/compile/response-file.js';
import { needsTools } from '../../needs.js';
import { MadeProject } from './made-project.js';

needsTools('compilers');

const project = new MadeProject();
beforeEach(() => project.fresh());
afterAll(() => project.remove());

interface Entry {
  readonly file: string;
  readonly directory?: string;
  readonly command?: string;
  readonly arguments?: readonly string[];
}

async function compiled(
  entries: readonly Entry[],
  options: { readonly isUnoptimized?: boolean } = {},
): Promise<readonly (ModuleText | Fault)[] | Fault> {
  project.write(
    'compile_commands.json',
    JSON.stringify(entries.map((entry) => ({ directory: project.path, ...entry }))),
  );
  const machine = { ...thisMachine(), cwd: project.path };
  const program = await programOf('compile_commands.json', { machine, ...options });
  if (program instanceof Fault) return program;
  const modules: (ModuleText | Fault)[] = [];
  for await (const module of program.modules()) modules.push(module);
  return modules;
}

async function textOf(entry: Entry, options?: { readonly isUnoptimized?: boolean }): Promise<string> {
  const modules = await compiled([entry], options);
  const module = modules instanceof Fault ? modules : modules[0];
  if (module === undefined || module instanceof Fault) throw new Error(module?.message ?? 'nothing');
  return module.text;
}

async function complaintOf(entry: Entry): Promise<string> {
  const modules = await compiled([entry]);
  const module = modules instanceof Fault ? modules : modules[0];
  return module instanceof Fault ? module.message : 'none';
}

describe('compileCommands', () => {
  it('emits the IR of each source with its own options', async () => {
    const modules = await compiled([
      { file: 'area.c', command: 'cc -DSIDE=17 -O2 -o build/area.o -c area.c' },
      { file: 'main.c', arguments: ['/usr/bin/gcc-12', '-Wall', '-c', 'main.c', '-MD', '-MF', 'main.d'] },
      { file: 'text.cc', command: 'ccache x86_64-linux-gnu-g++ -std=c++17 -c text.cc' },
      { file: 'plain.s', command: 'cc -c plain.s' },
    ]);
    if (modules instanceof Fault) throw new Error(modules.message);
    const texts = modules.map((module) => (module instanceof Fault ? module.message : module.text));
    expect(modules.map((module) => (module as ModuleText).name)).toEqual(
      ['area.c', 'main.c', 'text.cc'].map((name) => join(project.path, name)),
    );
    expect(texts[0]).toMatch(/add .* 17/);
    expect(texts[0]).toContain('!DILocalVariable(name: "x"');
    expect(texts[1]).toContain('@main(');
    expect(texts[2]).toContain('twice');
    expect([...project.made().keys()]).toEqual(['compile_commands.json']);
  });

  it('splits commands without a shell', async () => {
    const command = `cc '-DSIDE=(1 + 2)' "-DTEXT=\\"a b\\"" -DX=$(touch\\ made) -c odd\\ name.c -o $HOME/x.o; touch made`;
    const text = await textOf({ file: 'odd name.c', command });
    expect(text).toContain('odd name.c');
    expect([...project.made().keys()]).toEqual(['compile_commands.json']);
    const words = fc.array(fc.string({ unit: fc.constantFrom(...'ab "\'\\$`\n;') }), { maxLength: 5 });
    fc.assert(
      fc.property(words, (given) => {
        const quoted = given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(splitWords(quoted)).toEqual(given);
      }),
    );
  });

  it('runs only clang', async () => {
    project.write('evil', '#!/bin/sh\ntouch made\n');
    project.do('chmod', '+x', 'evil');
    for (const compiler of ['./evil', 'evil', 'sh', 'rustc', 'cc1', '', 'gcc; touch made'])
      expect(await complaintOf({ file: 'area.c', arguments: [compiler, '-c', 'area.c'] })).toContain(
        'not a known C or C++ compiler and is not run',
      );
    expect(await complaintOf({ file: 'area.c' })).toContain('with nothing');
    // A compiler's name has no effect; this machine's clang runs.
    project.move('evil', 'gcc');
    expect(await textOf({ file: 'area.c', arguments: ['./gcc', '-c', 'area.c'] })).toContain('@area(');
    expect(existsSync(join(project.path, 'made'))).toBe(false);
  });

  it('skips sources of other compilers and looks through launchers that start one another', async () => {
    const commands = [
      { file: 'fast.asm', command: 'nasm -f elf64 -o fast.o fast.asm' },
      { file: 'area.c', command: 'ccache distcc /usr/bin/gcc -c area.c' },
      { file: 'part.f90', command: 'ccache gfortran -c part.f90' },
      { file: 'kernel.cu', command: 'nvcc -c kernel.cu' },
      { file: 'none.c', command: 'ccache' },
    ];
    const modules = await compiled(commands);
    if (modules instanceof Fault) throw new Error(modules.message);
    expect(modules.map((module) => (module instanceof Fault ? module.message : module.name))).toEqual([
      join(project.path, 'area.c'),
    ]);
    const { without } = (await programOf(join(project.path, 'compile_commands.json'))) as BuiltProgram;
    expect(without).toEqual(
      ['fast.asm', 'part.f90', 'kernel.cu', 'none.c'].map((name) => join(project.path, name)),
    );
  });

  it('drops options that write files or load programs', async () => {
    project.write('args', '-fplugin=./evil.so -MF made -MD');
    const words = [
      ...[
        '-fplugin=./evil.so',
        '-Xclang',
        '-load',
        '-Xclang',
        './evil.so',
        '-fpass-plugin=./evil.so',
        '-omade',
      ],
      ...[
        '-mllvm',
        '-load=./evil.so',
        '-Xclang',
        '-dependency-file',
        '-Xclang',
        'made',
        '-Wp,-MD,made',
        '-MFmade',
      ],
      ...[
        '-Xpreprocessor',
        '-MD',
        '-save-temps',
        '-ftime-trace',
        '--serialize-diagnostics',
        'made',
        '@args',
        '-MJ',
      ],
      ...[
        'made',
        '-B.',
        '--config=made',
        '-index-store-path',
        'made',
        '-o',
        'made',
        '--output=made',
        '-gsplit-dwarf',
      ],
    ];
    const text = await textOf({ file: 'area.c', arguments: ['cc', ...words, '-c', 'area.c'] });
    expect(text).toContain('@area(');
    expect([...project.made().keys()]).toEqual(['args', 'compile_commands.json']);
  });

  it('drops options that only another compiler has', async () => {
    const words = [
      '-fconserve-stack',
      '-fno-such-thing=3',
      '-Wno-such-warning',
      '-mno-such-machine',
      '-Werror',
    ];
    expect(await textOf({ file: 'warned.c', arguments: ['gcc', ...words, '-c', 'warned.c'] })).toContain(
      '@warned(',
    );
  });

  it('compiles without optimization on request', async () => {
    const entry = { file: 'area.c', command: 'cc -O3 -c area.c' };
    expect(await textOf(entry)).toContain('!tbaa');
    const text = await textOf(entry, { isUnoptimized: true });
    expect(text).not.toContain('!tbaa');
    expect(text).not.toContain('optnone');
  });

  it('reports for each source why it has no IR', async () => {
    expect(await complaintOf({ file: 'wrong.c', command: 'cc -c wrong.c' })).toMatch(
      /cannot compile .*wrong\.c: use of undeclared identifier 'nothing'/,
    );
    expect(await complaintOf({ file: 'gone.c', command: 'cc -c gone.c' })).toMatch(
      /cannot compile .*gone\.c: /,
    );
    expect(await complaintOf({ file: 'area.c', directory: 'gone', command: 'cc -c area.c' })).toMatch(
      /compiled in the folder .*gone, which does not exist/,
    );
  });

  it('rejects another file format', async () => {
    const complaint = async (content: string) => {
      project.write('other.json', content);
      const fault = await programOf(join(project.path, 'other.json'));
      return fault instanceof Fault ? fault.message.replace(`${project.path}/`, '') : 'none';
    };
    expect(await complaint('{')).toMatch(/^other\.json is not JSON: [^\n]*$/);
    expect(await complaint('{"a": 1}')).toMatch(/^other\.json is not a list of compile commands: [^\n]*$/);
    expect(await complaint('[]')).toBe('other.json compiles no source to LLVM IR');
  });
});

describe('readCall', () => {
  it('splits a call into options, sources and outputs', () => {
    const words = '-Ia -I b.c -c c.c d.o -x c++ e -lm - -l z -ox -E'.split(' ');
    const { items, ...call } = readCall(words);
    // All words in their original order.
    expect(items.flatMap((item) => item.words)).toEqual(words);
    expect(items.flatMap(({ source }) => source?.path ?? [])).toEqual(['c.c', 'e', '-']);
    expect(call).toEqual({
      options: [['-Ia'], ['-I', 'b.c'], ['-c'], ['-x', 'c++'], ['-lm'], ['-l', 'z'], ['-ox'], ['-E']],
      sources: [
        { path: 'c.c', language: undefined, isAssembly: false },
        { path: 'e', language: 'c++', isAssembly: false },
        { path: '-', language: 'c++', isAssembly: false },
      ],
      inputs: ['c.c', 'd.o', 'e', '-lm', '-', '-lz'],
      output: 'x',
      goal: 'nothing',
    });
  });

  it('irArguments keeps options that affect the code', () => {
    const kept = [
      '-DX=1',
      '-I',
      'include',
      '-std=c11',
      '-O2',
      '-fPIC',
      '-include',
      'config.h',
      '-march=native',
    ];
    const call = readCall([...kept, '-Wp,-DY,-MD,x', '-Xclang', '-include', '-Xclang', 'pre.h', '-c', 'a.c']);
    const [source] = call.sources;
    if (source === undefined) throw new Error('no source');
    expect(irArguments(call, source, [words('-S')]).flatMap((argument) => argument.words)).toEqual([
      ...kept,
      '-DY',
      ...['-include', 'pre.h', '-g', '-w', '-S', 'a.c'],
    ]);
  });
});
