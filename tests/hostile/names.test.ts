import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileCompiler } from '../../src/change/sequences/compiled-flow.js';
import { measureCommit } from '../../src/change/sequences/measure-commit.js';
import {
  argumentList,
  Fault,
  joinedOption,
  operands,
  optionWith,
  pathArgument,
  thisMachine,
} from '../../src/machine/index.js';
import { findClang, programOf } from '../../src/program/compile/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

needsTools('compilers');

const clang = withoutFault(await findClang(thisMachine()));

describe('an argument list', () => {
  it('does not accept an unchecked word as an argument', () => {
    const name: string = '-o';
    // @ts-expect-error an unchecked string
    argumentList('clang', name);
    // @ts-expect-error a template that begins with an unchecked string
    argumentList('clang', `${name}.c`);
    // @ts-expect-error a list of unchecked strings
    argumentList('clang', ...[name]);
    expect(argumentList('clang', '-S', pathArgument(name)).args).toEqual(['-S', './-o']);
  });

  it('never passes a name as an option or an option file', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom('', '-', '@', '--', '-x'), (rest, start) => {
        const name = `${start}${rest}`;
        for (const argument of [pathArgument(name), optionWith('-I', name)])
          expect(argument.words.at(-1)).not.toMatch(/^[-@]/);
        expect(joinedOption('-D', name).words).toEqual([`-D${name}`]);
        expect(operands(name).words).toEqual(['--', name]);
      }),
    );
  });
});

describe('a changed file', () => {
  const measured = async (names: readonly string[], text: string) => {
    const folder = temporaryFolder('names');
    initRepository(folder);
    const all = (content: string) => Object.fromEntries(names.map((name) => [name, content]));
    commitFiles(folder, all('int f(int a) { return a; }\n'));
    commitFiles(folder, all(text));
    const compiler = withoutFault(await FileCompiler.make(undefined, folder));
    return withoutFault(await measureCommit(folder, 'HEAD', { compiler }));
  };

  it('is compiled like any other when its name looks like an option', async () => {
    const options = ['@r.c', '-dash.c', '--version.c', '-I.c', '-include.c'];
    const names = [...options, '-/x.c', '@d/x.c', 'a b;c.c', '$(x).c'];
    const change = await measured(names, 'static int f(int a) { if (a) return 1; return a; }\n');
    expect(change.notes).toEqual([]);
    expect(change.functions.map(({ file }) => file).toSorted()).toEqual(names.toSorted());
  });

  it('is not read as an option file', async () => {
    const marker = join(temporaryFolder('marker'), 'touched');
    const change = await measured(['@r.c'], `-MD -MF ${marker} -fsyntax-only -x c /dev/null\n`);
    expect(existsSync(marker)).toBe(false);
    expect(change.notes[0]).toMatch(/@r\.c is only parsed/);
  });
});

describe('the compile_commands.json of a stranger', () => {
  const attempts: readonly (readonly string[])[] = [
    ['-fplugin=$HERE/p.so'],
    ['-Xclang', '-load', '-Xclang', '$HERE/p.so'],
    ['-fpass-plugin=$HERE/p.so'],
    ['-o', 'touched'],
    ['-otouched'],
    ['--output=touched'],
    ['-MD', '-MF', 'touched'],
    ['-MMD', '-MFtouched'],
    ['-Wp,-MD,touched'],
    ['-Xclang', '-dependency-file', '-Xclang', 'touched', '-Xclang', '-MT', '-Xclang', 'x'],
    ['-save-temps'],
    ['--save-temps=obj'],
    ['-serialize-diagnostics', 'touched'],
    ['--serialize-diagnostics', 'touched'],
    ['-ftime-trace'],
    ['--coverage'],
    ['-ftest-coverage', '-fprofile-arcs'],
    ['-fsave-optimization-record', '-foptimization-record-file=touched'],
    ['-fmodules', '-fmodules-cache-path=touched'],
    ['-gsplit-dwarf'],
    ['-fproc-stat-report=touched'],
    ['-fcrash-diagnostics-dir=touched'],
    ['--config', 'options'],
    ['-include-pch', 'options'],
    ['-wrapper', 'touch,touched'],
    ['-B', '$HERE'],
    ['--gcc-toolchain=$HERE'],
    ['-specs=options'],
    ['-mllvm', '-pass-remarks-output=touched'],
    ['-no-canonical-prefixes', '-ccc-install-dir', '$HERE'],
    ['-emit-ast'],
    ['--analyze'],
    ['-I', '@options'],
    ['-I@options'],
    ['-isystem', '-MFtouched'],
    ['@options'],
  ];

  it('cannot make the compiler write files or load plugins', async () => {
    const root = temporaryFolder('commands');
    const plugin = join(root, 'p.so');
    const touch = '__attribute__((constructor)) static void go(void) { fclose(fopen("touched", "w")); }';
    execFileSync(clang, ['-shared', '-fPIC', '-x', 'c', '-', '-o', plugin], {
      input: `#include <stdio.h>\n${touch}\n`,
    });
    const entries = attempts.map((options, at) => {
      const folder = join(root, String(at));
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.c'), 'int f(int a) { return a; }\n');
      writeFileSync(join(folder, 'options'), '-MD -MF touched\n');
      const words = options.map((option) =>
        option.replaceAll('$HERE/p.so', plugin).replaceAll('$HERE', folder),
      );
      return { directory: folder, file: 'a.c', arguments: ['cc', ...words, '-c', 'a.c'] };
    });
    const modules = await compiled(join(root, 'compile_commands.json'), entries);
    const left = attempts.map((options, at) => [options, readdirSync(join(root, String(at))).toSorted()]);
    expect(left).toEqual(attempts.map((options) => [options, ['a.c', 'options']]));
    expect(modules.filter((module) => module.includes('@f('))).toHaveLength(attempts.length);
  });

  it('can still name header folders that look like options', async () => {
    const folder = temporaryFolder('headers');
    for (const name of ['-x', '@x']) mkdirSync(join(folder, name));
    for (const name of ['-x', '@x']) writeFileSync(join(folder, name, 'h.h'), '#define int char\n');
    writeFileSync(join(folder, '@a.c'), 'int f(int a) { return a; }\n');
    const ways = [['-I', '-x'], ['-I-x'], ['-isystem', '@x'], ['-iquote@x'], ['--include-directory=@x']];
    const entries = ways.map((way) => ({
      directory: '.',
      file: '@a.c',
      arguments: ['cc', ...way, '-include', 'h.h', '@a.c'],
    }));
    const modules = await compiled(join(folder, 'compile_commands.json'), entries);
    expect(modules).toEqual(ways.map(() => expect.stringMatching(/i8 @f\(/)));
  });
});

/** The IR of every entry, or the message if an entry does not compile. */
async function compiled(path: string, entries: unknown): Promise<readonly string[]> {
  writeFileSync(path, JSON.stringify(entries));
  const program = withoutFault(await programOf(path));
  const modules: string[] = [];
  for await (const module of program.modules())
    modules.push(module instanceof Fault ? module.message : module.text);
  return modules;
}

describe('a revision', () => {
  it.each([
    '--output=touched',
    '-h',
    '--all',
    '--exec-path',
  ])('is never read as an option: %j', async (name) => {
    const folder = temporaryFolder('revisions');
    initRepository(folder);
    commitFiles(folder, { 'a.c': 'int a;\n' });
    const repository = withoutFault(await Repository.open(folder));
    const head = withoutFault(await repository.resolve('HEAD'));
    for (const answer of [
      await repository.resolve(name),
      await repository.range(name),
      await repository.deltas(name, head),
      await repository.deltas(head, name),
      await repository.commits([name]),
      await repository.filesOf(name),
      await repository.functionsOf(name),
      await repository.treeOf(name),
      await repository.line(name, head, 'all'),
      await repository.checkOut(name, join(folder, 'out')),
    ])
      if (!Array.isArray(answer) || answer.length > 0) expect(answer).toBeInstanceOf(Fault);
    expect(readdirSync(folder).filter((entry) => !['.git', 'a.c', 'out'].includes(entry))).toEqual([]);
  });
});
