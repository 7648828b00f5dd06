import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compilePlan } from '../../../src/program/compile/compile-plan.js';
import { needsTools } from '../../needs.js';
import { rounds } from '../../rounds.js';
import { clangs, MadeProject, script } from './made-project.js';

needsTools('compilers');

const project = new MadeProject();
afterAll(() => project.remove());

const [clang = 'clang'] = clangs;

/** A folder with programs that print their words, one per line. */
function tellers(name: string, programs: readonly string[]): string {
  const folder = join(project.folder, name);
  mkdirSync(folder, { recursive: true });
  for (const program of programs) {
    const path = join(folder, program);
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$0" "$@"\n`);
    chmodSync(path, 0o755);
  }
  return folder;
}

function lines(text: Buffer): readonly string[] {
  return text.toString('utf8').split('\n').slice(0, -1);
}

describe('culprit-cc', () => {
  const words = fc.constantFrom(
    ...[
      '-c',
      '-S',
      '-E',
      '-M',
      '-MM',
      '-MD',
      '-o',
      'x.o',
      '-ox.o',
      '-',
      'a.c',
      'dir/b.cc',
      'c.s',
      'd.S',
      'e.o',
    ],
    ...[
      'libz.a',
      '-x',
      'c',
      'c++',
      'none',
      'assembler',
      '-xc',
      '-xnone',
      '-xassembler-with-cpp',
      '-flto',
      '-g0',
    ],
    ...[
      '-flto=thin',
      '-fno-lto',
      '-emit-llvm',
      '-Xclang',
      '-emit-llvm-bc',
      '-fembed-bitcode',
      '-I',
      '-include',
    ],
    ...[
      '-MF',
      '-D',
      '-lm',
      '-l',
      '-Wl,-o,a.c',
      '--output=y',
      '--output',
      '-o-',
      '/dev/null',
      '-fsyntax-only',
      '-O2',
    ],
    ...[
      '--target=i386-linux-gnu',
      '-target',
      'mips-linux-gnu',
      '-print-search-dirs',
      '--version',
      '-cc1',
      '@no',
    ],
    ...[
      '.c',
      'weird',
      'a b.c',
      '-Xlinker',
      '-mllvm',
      '--param',
      '-',
      '-###',
      '-v',
      'x.tar.c',
      '--driver-mode=cl',
    ],
    ...['a.CC', 'b.cppm', 'c.ccm', 'd.cxxm', 'e.c++m', 'f.iim', 'g.pcm', 'h.CCM', 'i.asm'],
  );

  it('adds the words of the compile plan to any call', () => {
    const folder = tellers('tellers', ['clang', 'perl']);
    const culprit = project.link('culprit-cc');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (call) => {
        const { stdout } = project.run(culprit, call, { env: { PATH: folder } });
        const { added, outputs: made } = compilePlan(call);
        const compiled = [`${folder}/clang`, ...added, ...call];
        expect(lines(stdout).slice(0, compiled.length)).toEqual(compiled);
        const after = lines(stdout).slice(compiled.length);
        const hidden = after.slice(after.indexOf('--') + 1);
        expect(made.length === 0 ? after : hidden).toEqual(made);
      }),
      { numRuns: rounds(300) },
    );
  });

  it('uses the newest clang, or the chosen one', () => {
    const old = tellers('old', ['clang', 'clang-14', 'clang-15']);
    const young = tellers('young', ['clang-16', 'clang-9', 'clang++-19', 'other']);
    const taken = (name: string, env: Record<string, string>) =>
      lines(project.run(project.link(name), ['-E'], { env }).stdout)[0];
    expect(taken('culprit-cc', { PATH: `${old}:${young}` })).toBe(`${young}/clang-16`);
    expect(taken('culprit-c++', { PATH: `${old}:${young}` })).toBe(`${young}/clang++-19`);
    expect(taken('culprit-cc', { PATH: old })).toBe(`${old}/clang-15`);
    expect(taken('culprit-cc', { PATH: `${old}:${young}`, CULPRIT_CC: 'clang-14' })).toBe(`${old}/clang-14`);
    expect(taken('culprit-cc', { PATH: old, CULPRIT_CC: `${young}/clang-9` })).toBe(`${young}/clang-9`);
    expect(taken('culprit-cc', { PATH: `${old}:${young}`, CULPRIT_CC: 'other' })).toBe(`${young}/other`);
  });

  it('asks the unnumbered clang for its version if it could be higher', () => {
    const folder = tellers('numbered', ['clang-15']);
    const plain = join(folder, 'clang');
    writeFileSync(plain, '#!/bin/sh\n[ "$1" = -dumpversion ] && echo 22.1.0 || echo newest\n');
    chmodSync(plain, 0o755);
    const { stdout } = project.run(project.link('culprit-cc'), ['-E'], { env: { PATH: folder } });
    expect(stdout.toString()).toBe('newest\n');
  });

  it('reports in one sentence that there is no clang', () => {
    const alone = project.run(project.link('culprit-cc'), ['-c', 'area.c'], { env: { PATH: '/nowhere' } });
    expect(alone).toMatchObject({ exitCode: 3 });
    expect(alone.stderr).toBe(
      'culprit-cc: there is no clang on PATH: install clang 14 or newer, set CULPRIT_CC to the path of one, or run ' +
        '`culprit tools add clang`, which needs no root rights.\n',
    );
    const named = project.run(project.link('culprit-c++'), [], { env: { CULPRIT_CXX: '/nowhere/clang++' } });
    expect(named.stderr).toMatch(/^culprit-c\+\+: CULPRIT_CXX is set to \/nowhere\/clang\+\+, .*\n$/);
    expect(named.exitCode).toBe(3);
  });

  it('never calls itself', () => {
    const folder = join(project.folder, 'itself');
    mkdirSync(folder);
    for (const name of ['clang', 'clang-16']) symlinkSync(script, join(folder, name));
    const real = tellers('real', ['clang-14']);
    const past = project.run(join(folder, 'clang'), ['-E'], { env: { PATH: `${folder}:${real}` } });
    expect(lines(past.stdout)[0]).toBe(`${real}/clang-14`);
    const only = project.run(join(folder, 'clang'), ['-E'], { env: { PATH: folder } });
    expect(only.stderr).toContain('there is no clang on PATH');
    const told = { PATH: folder, CULPRIT_CC: join(folder, 'clang-16') };
    expect(project.run(join(folder, 'clang'), ['-E'], { env: told })).toMatchObject({ exitCode: 3 });
    const around = join(folder, 'around');
    writeFileSync(around, `#!/bin/sh\nexec ${join(folder, 'clang')} "$@"\n`);
    chmodSync(around, 0o755);
    const circle = project.run(around, ['-E'], { env: { PATH: folder, CULPRIT_CC: around } });
    expect(circle.stderr).toContain('leads back to it');
    expect(circle.exitCode).toBe(3);
  });

  it('leaves objects that ar, nm and ranlib read as objects', () => {
    project.fresh();
    project.compile(clang, '-c', 'area.c', 'unused.c');
    project.do('ar', 'cr', 'libshape.a', 'area.o', 'unused.o');
    const listed = project.run('nm', ['-s', 'libshape.a']);
    expect(listed.stderr).toBe('');
    expect(listed.stdout.toString()).toMatch(/^area in area\.o$/m);
    expect(listed.stdout.toString()).toMatch(/ t help$/m);
    project.compile(clang, 'main.c', 'libshape.a', '-o', 'prog');
    expect(project.run('./prog', []).stdout.toString()).toBe('2 6\n');
  });

  it('embeds the IR silently, whatever locale and options perl has', () => {
    project.fresh();
    const env = { CULPRIT_CC: clang, LC_ALL: 'no_SUCH.locale', PERL5OPT: '-MNoSuchModule' };
    for (const args of [
      ['-c', 'area.c'],
      ['-S', 'unused.c'],
    ]) {
      const end = project.run(project.link('culprit-cc'), args, { env });
      expect(end).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect(project.run('readelf', ['-SW', 'area.o']).stdout.toString()).toMatch(/ llvmbc /);
    expect(project.read('unused.s').includes('.section\tllvmbc,')).toBe(true);
  });

  it('embeds the IR of C++ sources with every extension that clang knows', () => {
    project.fresh();
    project.write('shout.CC', 'int shout() { return 1; }\n');
    project.write('module.cppm', 'export module m;\nexport int shared() { return 2; }\n');
    project.compile(clang.replace('clang', 'clang++'), '-std=c++20', '-c', 'shout.CC', 'module.cppm');
    const sections = project.run('readelf', ['-SW', 'shout.o', 'module.o']).stdout.toString();
    expect(sections.match(/ llvmbc /g)).toHaveLength(2);
  });

  it('works without perl', () => {
    project.fresh();
    const folder = tellers('bare', []);
    symlinkSync(process.execPath, join(folder, 'node'));
    const found = (name: string): string =>
      project
        .run('sh', ['-c', `command -v ${name}`])
        .stdout.toString()
        .trim();
    // The script follows links with it.
    symlinkSync(found('readlink'), join(folder, 'readlink'));
    const real = project
      .run('sh', ['-c', `command -v ${clang}`])
      .stdout.toString()
      .trim();
    const env = { PATH: folder, CULPRIT_CC: real };
    for (const args of [
      ['-c', 'area.c', 'unused.c'],
      ['-S', 'area.c'],
      ['-c', 'wrong.c'],
    ]) {
      const ended = project.run(project.link('culprit-cc'), args, { env });
      expect(ended.exitCode).toBe(args.includes('wrong.c') ? 1 : 0);
    }
    const sections = project.run('readelf', ['-SW', 'area.o', 'unused.o']).stdout.toString();
    expect(sections.match(/ llvmbc /g)).toHaveLength(2);
    expect(sections).not.toContain('.llvmbc');
    expect(project.read('area.s').includes('.section\tllvmbc,')).toBe(true);
  });

  it('leaves objects of another compiler unchanged and writes the IR to sidecar files', () => {
    project.fresh();
    const folder = tellers('another', []);
    const other = join(folder, 'othercc');
    writeFileSync(other, `#!/bin/sh\nexec ${clang} "$@"\n`);
    chmodSync(other, 0o755);
    const env = { CULPRIT_CC: other };
    expect(project.run(project.link('culprit-cc'), ['-c', 'area.c'], { env })).toMatchObject({ exitCode: 0 });
    expect(project.run('readelf', ['-SW', 'area.o']).stdout.toString()).not.toContain('llvmbc');
    const made = project.run(project.link('culprit-cc'), ['main.c', 'area.o', '-o', 'prog'], { env });
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect([...project.made().keys()]).toEqual([
      'area.o',
      'area.o.bc',
      'prog',
      'prog.bc.json',
      'prog.main.c.bc',
    ]);
    expect(JSON.parse(project.read('prog.bc.json').toString())).toEqual(['prog.main.c.bc', 'area.o.bc']);
    const failed = project.run(project.link('culprit-cc'), ['-c', 'wrong.c'], { env });
    expect(failed.exitCode).toBe(1);
    expect([...project.made().keys()]).not.toContain('wrong.o.bc');
  });

  it('passes on the exit code or signal of the compiler', () => {
    const folder = tellers('ended', []);
    const broken = join(folder, 'clang');
    writeFileSync(broken, '#!/bin/sh\necho said >&2\nexit 42\n');
    chmodSync(broken, 0o755);
    const end = project.run(project.link('culprit-cc'), ['-c', 'area.c'], {
      env: { PATH: `${folder}:${process.env.PATH}`, CULPRIT_CC: broken },
    });
    expect(end).toMatchObject({ exitCode: 42, stderr: 'said\n' });
  });
});
