import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/machine/index.js';
import { readCall } from '../../../src/program/compile/compiler-call.js';
import { embeddedIr } from '../../../src/program/compile/embedded-ir.js';
import { listLinked } from '../../../src/program/compile/sidecars/linked-sidecars.js';
import { sidecarCalls } from '../../../src/program/compile/sidecars/sidecar-calls.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('sidecar');
beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});

/** The smallest valid module: one empty block. */
const bitcode = Buffer.from('4243c0de210c000000000000', 'hex');

/** Earlier files of the build are older. */
let clock = 1_000_000;

function write(name: string, content: string | Buffer): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  clock++;
  utimesSync(path, clock, clock);
}

/** An object that cannot contain IR, with its sidecar. */
function compile(name: string, code = name): void {
  write(name, `no ELF: ${code}`);
  write(`${name}.bc`, bitcode);
}

function header(name: string, size: number): string {
  return `${name.padEnd(48)}${String(size).padEnd(10)}\`\n`;
}

function archive(name: string, ...members: readonly string[]): void {
  const parts = members.map((member) => {
    const content = readFileSync(join(folder, member)).toString('latin1');
    const named = header(`${basename(member)}/`, content.length);
    return `${named}${content}${content.length % 2 === 0 ? '' : '\n'}`;
  });
  write(name, `!<arch>\n${parts.join('')}`);
}

async function link(made: string, words: readonly string[], compiled = new Map<string, string>()) {
  write(made, 'no ELF: linked');
  await listLinked(readCall([...words, '-o', made]), compiled, folder);
}

/** Files with IR, and parts without. */
async function found(name: string) {
  const ir = await embeddedIr(join(folder, name));
  if (ir instanceof Fault) return ir.message.replaceAll(`${folder}/`, '');
  const short = (path: string): string => path.replaceAll(`${folder}/`, '');
  return { ir: ir.modules.map(({ file }) => relative(folder, file)), without: ir.without.map(short) };
}

describe('an archive of objects without IR', () => {
  it('has the sidecars of its objects, in its folder and below', async () => {
    compile('a.o');
    compile('objects/of/b.o');
    write('c.o', 'no ELF: written in assembler');
    archive('all.a', 'a.o', 'objects/of/b.o', 'c.o');
    expect(await found('all.a')).toEqual({ ir: ['a.o.bc', 'objects/of/b.o.bc'], without: ['all.a(c.o)'] });
  });

  it('has the sidecar of the object with the same content if several have one name', async () => {
    compile('x/a.o', 'one');
    compile('y/a.o', 'two');
    compile('z/a.o', 'three');
    archive('all.a', 'y/a.o', 'x/a.o');
    expect(await found('all.a')).toEqual({ ir: ['y/a.o.bc', 'x/a.o.bc'], without: [] });
  });

  it('has no sidecar of a later object', async () => {
    compile('a.o');
    compile('b.o');
    archive('all.a', 'a.o', 'b.o');
    compile('a.o', 'changed');
    expect(await found('all.a')).toEqual({ ir: ['b.o.bc'], without: ['all.a(a.o)'] });
  });

  it('has the only possible sidecar after the objects are gone', async () => {
    compile('a.o');
    compile('x/b.o', 'one');
    compile('y/b.o', 'two');
    archive('all.a', 'a.o', 'x/b.o');
    for (const name of ['a.o', 'x/b.o', 'y/b.o']) rmSync(join(folder, name));
    expect(await found('all.a')).toEqual({ ir: ['a.o.bc'], without: ['all.a(b.o)'] });
  });

  it('has the sidecars of the objects that a thin archive names', async () => {
    compile('x/a.o');
    const names = '../x/a.o/\n';
    write('lib/thin.a', `!<thin>\n${header('//', names.length)}${names}${header('/0', 1)}`);
    expect(await found('lib/thin.a')).toEqual({ ir: ['x/a.o.bc'], without: [] });
  });
});

describe('a program without IR', () => {
  it('has the sidecars of all objects and archives it was linked from, in order', async () => {
    for (const name of ['b.o', 'obj/a.o', 'lib/z.o', 'unused.o']) compile(name);
    archive('lib/libz.a', 'lib/z.o');
    write('bin/prog.main.c.bc', bitcode);
    const words = ['b.o', 'main.c', 'obj/a.o', 'boot.s', '-Llib', '-lz', '-lm'];
    await link('bin/prog', words, new Map([['main.c', 'bin/prog.main.c.bc']]));
    const ir = ['b.o.bc', 'bin/prog.main.c.bc', 'obj/a.o.bc', 'lib/z.o.bc'];
    expect(await found('bin/prog')).toEqual({ ir, without: [] });
  });

  it('has those of linked files, but not of shared libraries', async () => {
    for (const name of ['a.o', 'b.o', 'c.o', 'd.o']) compile(name);
    archive('libd.a', 'd.o');
    await link('both.o', ['-r', 'a.o', 'b.o']);
    await link('libc.so', ['-shared', 'c.o']);
    await link('libd.dylib', ['-shared', 'd.o']);
    await link('prog', ['both.o', 'libc.so', '-L.', '-ld']);
    expect(await found('prog')).toEqual({ ir: ['a.o.bc', 'b.o.bc'], without: [] });
  });

  it('ignores a list of an earlier build, and other JSON files', async () => {
    compile('a.o');
    await link('prog', ['a.o']);
    write('prog', 'no ELF: linked by something else');
    utimesSync(join(folder, 'prog.bc.json'), 1, 1);
    expect(await found('prog')).toMatch(/^prog contains no LLVM IR/);
    for (const content of ['{', '{"a": 1}', '[1, null]', '["nowhere.bc"]']) {
      write('prog.bc.json', content);
      expect(await found('prog')).toMatch(/^prog contains no LLVM IR|^there is no file nowhere\.bc/);
    }
  });

  it('has a list only if there are sidecars, and never for a device', async () => {
    write('a.o', 'no ELF');
    await link('prog', ['a.o']);
    await listLinked(readCall(['a.o', '-o', '/dev/null']), new Map(), folder);
    expect(existsSync(join(folder, 'prog.bc.json'))).toBe(false);
    expect(existsSync('/dev/null.bc.json')).toBe(false);
  });
});

describe('sidecarCalls', () => {
  const besides = (...words: readonly string[]) =>
    sidecarCalls(readCall(words)).map(({ sidecar: beside }) => beside);

  it('writes one file for each source', () => {
    expect(besides('-c', 'x/a.c', 'b.c')).toEqual(['a.o.bc', 'b.o.bc']);
    expect(besides('x/a.c', 'y/a.c', 'b.c', 'z/a.c', '-o', 'prog')).toEqual(
      ['a.c', 'a.c.2', 'b.c', 'a.c.3'].map((name) => `prog.${name}.bc`),
    );
  });

  it('writes none if there is no output file', () => {
    for (const made of ['/dev/null', '-']) {
      expect(besides('-c', 'a.c', '-o', made)).toEqual([]);
      expect(besides('a.c', '-o', made)).toEqual([]);
    }
  });
});
