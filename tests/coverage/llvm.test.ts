import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCoverageMap } from '../../src/coverage/llvm/coverage-map.js';
import { functionNames } from '../../src/coverage/llvm/function-names.js';
import { readProfile } from '../../src/coverage/llvm/profile.js';
import { countedRegions } from '../../src/coverage/llvm/region-counts.js';
import { lineCounts } from '../../src/coverage/llvm/region-lines.js';
import { readLlvmProfile } from '../../src/coverage/user/llvm-profile.js';
import { elfContents, Fault, findOnPath, thisMachine } from '../../src/machine/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';
import { compilers, writeSource } from './compiled.js';
import { programs } from './programs.js';

const signal = new AbortController().signal;

/** Macros, one within another, of another file, and left out; a function that is never called. */
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

/** Calls by pointers, whose targets are values. */
const valuesSource = `static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
int main(int argc, char **argv) {
  int (*steps[2])(int) = {one, two};
  (void)argv;
  int sum = 0;
  for (int i = 0; i < 10; i++) sum = steps[(i + argc) % 2](sum);
  return sum < 0;
}
`;

const sources: Readonly<Record<string, string>> = { ...programs, 'macros.c': macros };

const clang = compilers().find(({ c }) => c.startsWith('clang'));
const tool = (name: string): string => `${name}${clang?.c.slice('clang'.length) ?? ''}`;
const hasTools = ['llvm-cov', 'llvm-profdata'].every(
  (name) => findOnPath(tool(name), thisMachine()) !== undefined,
);

describe.runIf(clang !== undefined && hasTools)("clang's source-based coverage", () => {
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

  /** Lines by file and number, and functions, as llvm-cov has them. */
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

  it.each(Object.keys(sources))('has the counts of llvm-cov for %s', async (name) => {
    const expected = exported(name);
    expect(Object.keys(expected.lines).length).toBeGreaterThan(4);
    expect(await read(`${name}.profraw`, `${name}.out`)).toEqual(expected);
    expect(await read(`${name}.profdata`, `${name}.out`)).toEqual(expected);
  });

  it('is added up where a file holds several profiles, and refused where it holds something else behind', async () => {
    const name = 'goto-and-switch.c';
    const once = readFileSync(inFolder(`${name}.profraw`));
    writeFileSync(inFolder('twice.profraw'), Buffer.concat([once, once]));
    run(tool('llvm-profdata'), 'merge', 'twice.profraw', '-o', 'twice.profdata');
    const merged = await read('twice.profdata', `${name}.out`);
    expect(merged.functions.main).toBe(2);
    expect(await read('twice.profraw', `${name}.out`)).toEqual(merged);
    expect(readProfile(Buffer.concat([once, Buffer.alloc(16)]))).not.toBeInstanceOf(Fault);
    for (const more of [Buffer.from('something else'), once.subarray(0, 60)])
      expect(readProfile(Buffer.concat([once, more]))).toBeInstanceOf(Fault);
  });

  it('is read also where it tells of values, for optimising', async () => {
    writeSource(folder, 'values.c', valuesSource);
    const values = ['-mllvm', '-enable-value-profiling=true', '-fcoverage-mapping'];
    run(clang?.c ?? '', '-w', '-fprofile-instr-generate', ...values, 'values.c', '-o', 'values.out');
    spawnSync(inFolder('values.out'), [], { cwd: folder, env: { LLVM_PROFILE_FILE: 'values.profraw' } });
    const one = readFileSync(inFolder('values.profraw'));
    writeFileSync(inFolder('values.profraw'), Buffer.concat([one, one]));
    run(tool('llvm-profdata'), 'merge', 'values.profraw', '-o', 'values.profdata');
    expect(await read('values.profraw', 'values.out')).toEqual(await read('values.profdata', 'values.out'));
  });

  it('is damaged where its functions claim more counters than there are', () => {
    const profile = Buffer.from(readFileSync(inFolder('macros.c.profraw')));
    const [idBytes, records, , counters] = [2, 3, 4, 5].map((at) => Number(profile.readBigUInt64LE(8 * at)));
    const first = 88 + (idBytes ?? 0);
    expect(records).toBeGreaterThan(1);
    // The first function has its own ones first, and now all others, too.
    profile.writeUInt32LE(counters ?? 0, first + 40);
    expect(readProfile(profile)).toBeInstanceOf(Fault);
  });

  it('is told to be of another build, no profile, or of a program without a map', async () => {
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
    expect(await faultOf(a, `${a}.out`)).toEqual([
      'usage',
      `${a} cannot be read: it is no profile of LLVM for a 64-bit machine`,
    ]);
    expect(await faultOf(`${a}.profraw`, a)).toEqual(['usage', `${a} cannot be read: it is not an ELF file`]);
    writeFileSync(inFolder('cut.profraw'), readFileSync(inFolder(`${a}.profraw`)).subarray(0, 300));
    expect(await faultOf('cut.profraw', `${a}.out`)).toEqual([
      'usage',
      'cut.profraw cannot be read: it is cut off',
    ]);
    expect((await faultOf(`${a}.profraw`, '../nothing'))[0]).toBe('usage');
    const [, plain] = await faultOf(`${a}.profraw`, process.execPath);
    expect(plain).toContain('has no coverage map: compile with clang');
  });

  it('whose files are cut off or changed anywhere is read or refused', async () => {
    const name = 'macros.c';
    const program = readFileSync(inFolder(`${name}.out`));
    const sections = withoutFault(
      await elfContents(program, ['__llvm_covmap', '__llvm_covfun', '__llvm_prf_names']),
    );
    const [map, functions, names] = sections.map((section) => section ?? Buffer.alloc(0));
    const profiles = ['profraw', 'profdata'].map((ending) => readFileSync(inFolder(`${name}.${ending}`)));
    const changed = (bytes: Buffer | undefined, place: number, byte: number | undefined): Buffer => {
      const whole = Buffer.from(bytes ?? []);
      const at = place % whole.length;
      if (byte === undefined) return whole.subarray(0, at);
      whole[at] = byte;
      return whole;
    };
    const change = fc.tuple(fc.nat(), fc.option(fc.nat(255), { nil: undefined }));
    fc.assert(
      fc.property(change, ([place, byte]) => {
        for (const profile of profiles) readProfile(changed(profile, place, byte));
        functionNames(changed(names, place, byte));
        for (const read of [
          readCoverageMap(changed(map, place, byte), functions ?? Buffer.alloc(0)),
          readCoverageMap(map ?? Buffer.alloc(0), changed(functions, place, byte)),
        ])
          if (!(read instanceof Fault)) for (const one of read) lineCounts(countedRegions(one, [1, 2, 3]));
      }),
      { numRuns: 300 },
    );
  });
});
