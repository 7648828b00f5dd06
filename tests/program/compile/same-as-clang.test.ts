import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf } from '../../../src/machine/files/byte-range.js';
import { elfSections } from '../../../src/machine/files/elf.js';
import { Fault } from '../../../src/machine/index.js';
import { isBitcode } from '../../../src/program/compile/bitcode.js';
import { needsTools } from '../../needs.js';
import { type CallEnd, clangs, MadeProject } from './made-project.js';

needsTools('compilers');

const project = new MadeProject();
afterAll(() => project.remove());

interface Form {
  readonly what: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** Sources whose bitcode every output contains. */
  readonly ir?: readonly string[];
  readonly isCxx?: boolean;
  /** Existing files. */
  readonly objects?: readonly string[];
}

const forms: readonly Form[] = [
  { what: 'an object', args: ['-c', 'area.c', '-o', 'a.o'], ir: ['a.o'] },
  { what: 'an object without -o', args: ['-c', 'area.c'], ir: ['area.o'] },
  { what: 'an object, optimized', args: ['-O2', '-c', 'area.c'], ir: ['area.o'] },
  { what: 'an object with little debug information', args: ['-g1', '-c', 'area.c'], ir: ['area.o'] },
  { what: 'an object with none', args: ['-g0', '-c', 'area.c'], ir: ['area.o'] },
  { what: 'an object for gdb', args: ['-ggdb3', '-gdwarf-4', '-c', 'area.c'], ir: ['area.o'] },
  {
    what: 'an object of position-dependent code',
    args: ['-fno-pic', '-fno-pie', '-c', 'area.c'],
    ir: ['area.o'],
  },
  { what: 'an object of several sections', args: ['-ffunction-sections', '-c', 'area.c'], ir: ['area.o'] },
  { what: 'an object of a name with a blank', args: ['-c', 'odd name.c'], ir: ['odd name.o'] },
  { what: 'an object with another assembler', args: ['-fno-integrated-as', '-c', 'area.c'], ir: ['area.o'] },
  {
    what: 'several objects at once',
    args: ['-c', 'main.c', 'area.c', 'unused.c'],
    ir: ['main.o', 'area.o', 'unused.o'],
  },
  { what: 'an object of C++', args: ['-c', 'text.cc'], ir: ['text.o'], isCxx: true },
  { what: 'an object of C++ by the name for C', args: ['-c', 'text.cc'], ir: ['text.o'] },
  { what: 'what comes in', args: ['-x', 'c', '-', '-c', '-o', 'in.o'], input: 'int in;', ir: ['in.o'] },
  {
    what: 'what comes in, to what goes out',
    args: ['-xc', '-', '-S', '-o', '-'],
    input: 'int in(void) { return 1; }',
  },
  { what: 'an object to what goes out', args: ['-c', 'area.c', '-o', '-'] },
  { what: 'preprocessing', args: ['-E', 'area.c'] },
  { what: 'preprocessing into a file', args: ['-E', 'area.c', '-o', 'area.i'] },
  { what: 'macros', args: ['-E', '-dM', 'area.c'] },
  { what: 'assembly', args: ['-S', 'area.c'] },
  { what: 'assembly, optimized', args: ['-O2', '-S', 'area.c', '-o', 'x.s'] },
  { what: 'dependencies', args: ['-M', 'area.c'] },
  { what: 'own dependencies', args: ['-MM', 'area.c', '-MF', 'area.d'] },
  {
    what: 'dependencies besides',
    args: ['-MMD', '-MP', '-MT', 'x.o', '-MF', 'x.d', '-c', 'area.c'],
    ir: ['area.o'],
  },
  { what: 'only a check', args: ['-fsyntax-only', 'area.c'] },
  { what: 'assembler', args: ['-c', 'plain.s'] },
  { what: 'assembler with macros', args: ['-c', 'mixed.S', '-o', 'm.o'] },
  {
    what: 'assembler that came out of a compiler',
    args: ['-c', 'area.s'],
    objects: ['-S', '-g', 'area.c'],
  },
  { what: 'assembler by its language', args: ['-x', 'assembler', '-c', '-', '-o', 'p.o'], input: 'x: ret\n' },
  {
    what: 'a program in one go',
    args: ['main.c', 'area.c', '-Wl,--build-id=none', '-o', 'prog'],
    ir: ['prog'],
  },
  {
    what: 'a program in one go without -o',
    args: ['main.c', 'area.c', 'plain.s', '-Wl,--build-id=none'],
    ir: ['a.out'],
  },
  {
    what: 'a program of C++',
    args: ['text.cc', 'start.cc', '-Wl,--build-id=none'],
    ir: ['a.out'],
    isCxx: true,
  },
  {
    what: 'a program of objects',
    args: ['main.o', 'area.o', '-Wl,--build-id=none', '-o', 'prog'],
    objects: ['-c', 'main.c', 'area.c'],
  },
  { what: 'a shared library', args: ['-shared', '-fPIC', 'area.c', '-o', 'l.so', '-Wl,--build-id=none'] },
  { what: 'options in a file', args: ['@area.rsp'], ir: ['of file.o'] },
  { what: 'options in a file in a file', args: ['@emit.rsp'] },
  { what: 'an object for linking later', args: ['-flto', '-c', 'area.c'] },
  { what: 'a thin object for linking later', args: ['-O2', '-flto=thin', '-c', 'area.c'] },
  { what: 'linking later, after all not', args: ['-flto', '-fno-lto', '-c', 'area.c'], ir: ['area.o'] },
  { what: 'IR', args: ['-S', '-emit-llvm', 'area.c'] },
  { what: 'bitcode', args: ['-c', '-emit-llvm', 'area.c', '-o', 'area.bc'] },
  {
    what: 'an object of IR',
    args: ['-c', 'area.ll'],
    objects: ['-S', '-emit-llvm', 'area.c'],
    ir: ['area.o'],
  },
  { what: 'a header compiled beforehand', args: ['-x', 'c-header', '-fsyntax-only', 'shape.h'] },
  { what: 'its version', args: ['--version'] },
  { what: 'its number', args: ['-dumpversion'] },
  { what: 'its machine', args: ['-dumpmachine'] },
  { what: 'the place of a file', args: ['-print-file-name=crt1.o'] },
  { what: 'the place of a program', args: ['-print-prog-name=ld'] },
  { what: 'places', args: ['-print-search-dirs'] },
  { what: 'nothing', args: [] },
  { what: 'an error', args: ['-c', 'wrong.c'] },
  { what: 'an error with warnings', args: ['-Wall', '-c', 'warned.c', 'wrong.c', 'area.c'], ir: ['area.o'] },
  { what: 'a warning', args: ['-Wall', '-c', 'warned.c'], ir: ['warned.o'] },
  { what: 'a warning as an error', args: ['-Wall', '-Werror', '-c', 'warned.c'] },
  { what: 'every warning as an error', args: ['-Weverything', '-Werror', '-c', 'unused.c'] },
  { what: 'an option it does not have', args: ['-fno-such-thing', '-c', 'area.c'] },
  { what: 'an option it does not use', args: ['-c', 'area.c', '-lm', '-L.'], ir: ['area.o'] },
  { what: 'a source that is not there', args: ['-c', 'nowhere.c'] },
  { what: 'a file of options that is not there', args: ['@nowhere.rsp', '-c', 'area.c'] },
  { what: 'a symbol that is not there', args: ['main.c', '-o', 'prog'] },
  { what: 'the compiler inside', args: ['-cc1', '-emit-obj', 'unused.c', '-o', 'u.o'] },
];

const contentSections = ['.text', '.data', '.rodata', '.bss', '.comment'];
/** With debug information, clang describes some frames that it otherwise omits. */
const debugSections = ['.eh_frame', '.debug_info', '.debug_line', '.debug_str', '.debug_abbrev'];

describe.each(clangs)('culprit-cc over %s', (clang) => {
  it.each(forms)('compiles $what as clang does', async ({ args, input, ir, isCxx, objects }) => {
    const compiler = isCxx ? clang.replace('clang', 'clang++') : clang;
    const options = input === undefined ? {} : { input };
    const runIn = (run: (args: readonly string[]) => CallEnd) => {
      project.fresh();
      if (objects !== undefined) project.do(compiler, ...objects);
      const before = new Set(project.made().keys());
      const end = run(args);
      for (const name of before) rmSync(join(project.path, name));
      return { ...end, made: project.made() };
    };
    const bare = runIn((words) => project.run(compiler, words, options));
    let debugEnd: ReturnType<typeof runIn> | undefined;
    const debug = () => {
      debugEnd ??= runIn((words) =>
        project.run(compiler, words[0] === '-cc1' ? words : ['-g', ...words], options),
      );
      return debugEnd;
    };
    const ours = runIn((words) => project.culprit(compiler, words, options));

    // Linkers report lines if there is debug information.
    const { stderr } = bare.stderr.includes('undefined reference') ? debug() : bare;
    expect(withoutTemporary(ours.stderr)).toBe(withoutTemporary(stderr));
    expect(ours.exitCode).toBe(bare.exitCode);
    expect([...ours.made.keys()]).toEqual([...bare.made.keys()]);
    await expectSame('standard output', ours.stdout, bare.stdout, () => debug().stdout);
    for (const [name, content] of ours.made)
      await expectSame(name, content, bare.made.get(name), () => debug().made.get(name));
    for (const name of ir ?? []) expect(await sizeOf(ours.made.get(name), 'llvmbc')).toBeGreaterThan(0);
  });
});

/**
 * Outputs equal clang's except for the IR and, if the call asks for none, debug information.
 *
 * @param debug output with debug information; computed on demand
 */
async function expectSame(
  name: string,
  ours: Buffer,
  bare: Buffer | undefined,
  debug: () => Buffer | undefined,
): Promise<void> {
  if (ours.subarray(1, 4).toString('latin1') === 'ELF') {
    for (const section of contentSections)
      expect(await contentOf(ours, section), `${name} ${section}`).toBe(await contentOf(bare, section));
    // Assembler sources get no debug information.
    const sameDebug = (await sizeOf(ours, 'llvmbc')) === 0 ? bare : debug();
    expect(symbolsOf(ours), name).toBe(symbolsOf(sameDebug));
    for (const section of debugSections)
      expect(await contentOf(ours, section), `${name} ${section}`).toBe(await contentOf(sameDebug, section));
  } else if (isBitcode(ours)) expect(isBitcode(bare ?? Buffer.of())).toBe(true);
  else if (ours.includes('llvm.embedded.module'))
    expect(withoutIr(ours)).toBe(withoutIr(debug() ?? Buffer.of()));
  else {
    const same = ours.includes('\nsource_filename = ') ? debug() : bare;
    expect(ours.toString('latin1'), name).toBe(same?.toString('latin1'));
  }
}

function symbolsOf(file: Buffer | undefined): string {
  project.write('listed', file ?? Buffer.of());
  const { stdout } = project.run('nm', ['listed']);
  rmSync(join(project.path, 'listed'));
  return stdout.toString('latin1');
}

/** Temporary names differ in each run. */
function withoutTemporary(text: string): string {
  return text.replace(/\S*\/[\w-]+-[0-9a-f]{6}\.o/g, 'TEMPORARY');
}

/** Assembly without the two variables that hold the IR and the options. */
function withoutIr(assembly: Buffer): string {
  return assembly
    .toString('latin1')
    .replace(/^\t\.type\t\S*llvm\.(embedded\.module|cmdline)[\s\S]*?\n\t\.size\t\S*llvm\.\1.*\n\n?/gm, '')
    .replace(/\.L\S*llvm\.\S+/g, '')
    .replace(/\n+/g, '\n');
}

async function contentOf(file: Buffer | undefined, section: string): Promise<string> {
  const found = await elfSections(bytesOf(file ?? Buffer.of()), section);
  if (found instanceof Fault) return found.message;
  return (
    await Promise.all(found.map(async ({ content }) => (await content.read(0, content.size)).toString('hex')))
  ).join();
}

async function sizeOf(file: Buffer | undefined, section: string): Promise<number> {
  return (await contentOf(file, section)).length / 2;
}
