import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLlvmProfile } from '../../src/coverage/user/llvm-profile.js';
import { Fault, findOnPath, thisMachine } from '../../src/machine/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, writeSource } from './compiled.js';
import { programs } from './programs.js';

const signal = new AbortController().signal;

/** Nested macros, a macro of another file, and a function that is never called. */
const macros = `#include "twice.h"
#define SQUARE(x) ((x) * (x))
#define BOTH(x) (SQUARE(x) + TWICE(x))
#if 0
int not_there(void) { return 1; }
#endif
static int never(int n) {
  return SQUARE(n);
}
int main(int argc, char **argv) {
  int sum = 0;
  (void)argv;
  for (int i = 0; i < 5; i++) {
    sum += BOTH(i);
    if (i == 3) continue;

    sum += argc > 7 ? never(i) : 1;
  }
  return sum == 0;
}
`;

const sources: Readonly<Record<string, string>> = { ...programs, 'macros.c': macros };

const clang = compilers().find(({ c }) => c.startsWith('clang'));
const tool = (name: string): string => `${name}${clang?.c.slice('clang'.length) ?? ''}`;
const hasTools = ['llvm-cov', 'llvm-profdata'].every(
  (name) => findOnPath(tool(name), thisMachine()) !== undefined,
);

describe.runIf(clang !== undefined && hasTools)('readLlvmProfile', () => {
  let folder: string;
  const inFolder = (name: string): string => resolve(folder, name);
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, [...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 27 });

  beforeAll(() => {
    folder = temporaryFolder('llvm');
    writeFileSync(inFolder('twice.h'), '#define TWICE(x) \\\n  ((x) + \\\n   (x))\n');
    for (const [name, text] of Object.entries(sources)) {
      writeSource(folder, name, text);
      const compiler = name.endsWith('.c') ? (clang?.c ?? '') : (clang?.cxx ?? '');
      const program = `${name}.out`;
      run(compiler, '-w', '-fprofile-instr-generate', '-fcoverage-mapping', name, '-o', program);
      spawnSync(inFolder(program), [], { cwd: folder, env: { LLVM_PROFILE_FILE: `${name}.profraw` } });
      run(tool('llvm-profdata'), 'merge', `${name}.profraw`, '-o', `${name}.profdata`);
    }
  });

  /** Lines by file and number, and functions, by llvm-cov. */
  const exported = (name: string) => {
    const lines: Record<string, number> = {};
    const functions: Record<string, number> = {};
    let file = '';
    const profile = `${name}.profdata`;
    for (const line of run(
      tool('llvm-cov'),
      ...['export', '-format=lcov', `${name}.out`, '-instr-profile', profile],
    ).split('\n')) {
      if (line.startsWith('SF:')) file = line.slice('SF:'.length);
      const [, number, count] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
      if (number !== undefined) lines[`${file}:${number}`] = Number(count);
      const [, calls, called = ''] = /^FNDA:(\d+),(.*)$/.exec(line) ?? [];
      if (calls !== undefined) functions[called.replace(/^.*:/, '')] = Number(calls);
    }
    return { lines, functions };
  };

  const read = async (profile: string, program: string) => {
    const { executed, executable, faults } = withoutFault(
      await readLlvmProfile(inFolder(profile), inFolder(program), signal),
    );
    expect(faults).toEqual([]);
    const lines = [...executable.files].flatMap(([file, numbers]) =>
      numbers.map((line) => [`${file}:${line}`, executed.files.get(file)?.get(line) ?? 0]),
    );
    const functions = [...executable.functions].map((name) => [name, executed.functions.get(name) ?? 0]);
    return { lines: Object.fromEntries(lines), functions: Object.fromEntries(functions) };
  };

  it.each(Object.keys(sources))('reports the counts of llvm-cov for %s', async (name) => {
    const expected = exported(name);
    expect(Object.keys(expected.lines).length).toBeGreaterThan(4);
    expect(await read(`${name}.profraw`, `${name}.out`)).toEqual(expected);
    expect(await read(`${name}.profdata`, `${name}.out`)).toEqual(expected);
  });

  it('reports lines, functions and regions of a program with macros', async () => {
    const { executed, executable } = withoutFault(
      await readLlvmProfile(inFolder('macros.c.profraw'), inFolder('macros.c.out'), signal),
    );
    const file = inFolder('macros.c');
    expect(executed.functions).toEqual(new Map([['main', 1]]));
    expect(executable.functions).toEqual(new Set(['main', 'never']));
    const counts = executable.files
      .get(file)
      ?.map((line) => [line, executed.files.get(file)?.get(line) ?? 0]);
    expect(Object.fromEntries(counts ?? [])).toEqual({
      ...{ 2: 5, 3: 5, 7: 0, 8: 0, 9: 0, 10: 1, 11: 1, 12: 1, 13: 6, 14: 5, 15: 5 },
      ...{ 17: 4, 18: 4, 19: 1, 20: 1 },
    });
    expect([executed.regions, executable.regions]).toEqual([12, 15]);
  });

  it('adds up several profiles in one file', async () => {
    const name = 'goto-and-switch.c';
    const once = readFileSync(inFolder(`${name}.profraw`));
    writeFileSync(inFolder('twice.profraw'), Buffer.concat([once, once]));
    expect((await read('twice.profraw', `${name}.out`)).functions.main).toBe(2);
  });

  it('refuses profiles of other builds, other files, and programs without a coverage map', async () => {
    const faultOf = async (profile: string, program: string) => {
      const fault = await readLlvmProfile(inFolder(profile), inFolder(program), signal);
      if (!(fault instanceof Fault)) throw new Error('it was read');
      return [fault.kind, fault.message.replaceAll(`${folder}/`, '')];
    };
    const [a, b] = ['goto-and-switch.c', 'loops-on-a-line.c'];
    expect(await faultOf(`${a}.profraw`, `${b}.out`)).toEqual([
      'usage',
      `${a}.profraw is of another build than ${b}.out: run the program again`,
    ]);
    writeFileSync(inFolder('cut.profraw'), readFileSync(inFolder(`${a}.profraw`)).subarray(0, 100));
    for (const profile of [a, 'cut.profraw'])
      expect(await faultOf(profile, `${a}.out`)).toEqual([
        'usage',
        expect.stringMatching(new RegExp(`^${profile} cannot be read by \\S*llvm-profdata\\S*: .`)),
      ]);
    expect(await faultOf(`${a}.profraw`, a)).toEqual([
      'usage',
      expect.stringMatching(/^goto-and-switch\.c cannot be read by \S*llvm-cov\S*: ./),
    ]);
    expect((await faultOf(`${a}.profraw`, '../nothing'))[0]).toBe('usage');
    expect((await faultOf('../nothing', `${a}.out`))[0]).toBe('usage');
    const [, plain] = await faultOf(`${a}.profraw`, process.execPath);
    expect(plain).toContain('has no coverage map: compile with clang');
  });

  it('names the LLVM to install if its tools are missing', async () => {
    const machine = { ...thisMachine(), env: { PATH: folder }, home: folder };
    const [profile, program] = [inFolder('macros.c.profraw'), inFolder('macros.c.out')];
    const fault = await readLlvmProfile(profile, program, signal, machine);
    expect(fault).toMatchObject({ kind: 'environment' });
    expect(fault).toHaveProperty(
      'message',
      expect.stringMatching(/^llvm-profdata is missing: install LLVM \d+, or run `culprit tools add clang`$/),
    );
  });
});
