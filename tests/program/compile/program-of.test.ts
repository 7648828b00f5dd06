import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault, type Machine, thisMachine } from '../../../src/machine/index.js';
import { type BuiltProgram, type ModuleText, programOf } from '../../../src/program/compile/program-of.js';
import { readModule } from '../../../src/program/ir/index.js';
import { needsTools } from '../../needs.js';
import { clangs, MadeProject } from './made-project.js';

needsTools('compilers');

const project = new MadeProject();
beforeEach(() => project.fresh());
afterAll(() => project.remove());

function machineWith(env: Record<string, string> = {}): Machine {
  return {
    ...thisMachine(),
    cwd: project.path,
    env: { ...process.env, CULPRIT_CACHE: project.cache, ...env },
  };
}

async function built(path: string, machine = machineWith()): Promise<BuiltProgram> {
  const program = await programOf(path, { machine, jobs: 2 });
  if (program instanceof Fault) throw new Error(program.message);
  return program;
}

async function modulesOf(path: string, machine?: Machine): Promise<readonly ModuleText[]> {
  const modules: ModuleText[] = [];
  for await (const module of (await built(path, machine)).modules()) {
    if (module instanceof Fault) throw new Error(module.message);
    modules.push(module);
  }
  return modules;
}

const sourcesOf = async (path: string) =>
  (await modulesOf(path)).map(({ name }) => name.replace(`${project.path}/`, ''));

function functionsIn({ text }: ModuleText): readonly string[] {
  return [...readModule(text).functions.values()].flatMap(({ name, body }) => (body ? [name] : []));
}

describe.each(clangs)('programOf after %s through culprit-cc', (clang) => {
  it('reads all IR from the program, whatever became of the objects', async () => {
    project.compile(clang, '-c', 'main.c', 'area.c', 'unused.c');
    project.do('ar', 'cr', 'libshape.a', 'area.o', 'unused.o');
    project.compile(clang, 'main.o', 'libshape.a', '-o', 'prog');
    for (const name of ['main.o', 'area.o', 'unused.o', 'libshape.a']) rmSync(join(project.path, name));
    project.move('prog', 'installed/bin/prog');
    const modules = await modulesOf('installed/bin/prog');
    expect(modules.map(({ name }) => name)).toEqual([
      join(project.path, 'main.c'),
      join(project.path, 'area.c'),
    ]);
    // Two functions of the same name, one in each module.
    expect(modules.map(functionsIn)).toEqual([
      ['main', 'help'],
      ['area', 'help'],
    ]);
    for (const { text } of modules) {
      expect(text).toContain('!DILocalVariable(name: "x"');
      expect(text).not.toContain('optnone');
    }
  });

  it('reads the IR in objects with their options', async () => {
    project.compile(clang, '-DSIDE=41', '-c', 'area.c', '-o', 'out.o');
    project.move('out.o', '.libs/moved.o');
    const [module] = await modulesOf('.libs/moved.o');
    expect(module).toMatchObject({
      name: join(project.path, 'area.c'),
      from: join(project.path, '.libs/moved.o'),
    });
    expect(module?.text).toMatch(/add .* 41/);
  });

  it('reads all members of archives, thick or thin, with long and short names', async () => {
    project.compile(clang, '-c', 'area.c', '-o', 'an object with quite a long name.o');
    project.compile(clang, '-c', 'unused.c', '-o', 'u.o');
    project.compile(clang, '-c', 'plain.s', '-o', 'plain.o');
    const members = ['an object with quite a long name.o', 'u.o', 'plain.o'];
    for (const kind of ['cr', 'crT']) {
      const archive = `lib/lib${kind}.a`;
      project.write(archive, '');
      rmSync(join(project.path, archive));
      project.do('ar', kind, archive, ...members);
      const program = await built(archive);
      expect(program.without).toEqual([expect.stringMatching(/plain\.o\)$/)]);
      const modules = await modulesOf(archive);
      const path = join(project.path, archive);
      const where = kind === 'crT' ? '../' : '';
      expect(modules.map(({ from }) => from)).toEqual([
        `${path}(${where}${members[0]})`,
        `${path}(${where}u.o)`,
      ]);
      expect(modules.map(functionsIn)).toEqual([['area', 'help'], ['unused']]);
    }
  });

  it('reads an archive that names the members of another one', async () => {
    project.compile(clang, '-c', 'area.c', 'unused.c');
    project.do('ar', 'cr', 'thick.a', 'area.o', 'unused.o');
    project.do('ar', 'crT', 'nest.a', 'thick.a');
    expect((await modulesOf('nest.a')).map(functionsIn)).toEqual([['area', 'help'], ['unused']]);
  });

  it('keeps modules apart in objects that were linked into one', async () => {
    project.compile(clang, '-c', 'main.c', 'area.c');
    project.do('ld', '-r', 'main.o', 'area.o', '-o', 'both.o');
    project.do('objcopy', '--rename-section', '.comment=.remark', 'both.o');
    expect((await modulesOf('both.o')).map(functionsIn)).toEqual([
      ['main', 'help'],
      ['area', 'help'],
    ]);
    project.compile(clang, 'both.o', '-o', 'prog');
    project.do('strip', 'prog');
    expect(await sourcesOf('prog')).toEqual(['main.c', 'area.c']);
  });

  it('reads a program from every way of linking', async () => {
    const ways: readonly (readonly string[])[] = [
      ['main.c', 'area.c', '-o', 'prog'],
      ['-O2', '-s', '-Wl,--gc-sections', '-ffunction-sections', 'main.c', 'area.c', '-o', 'prog'],
      ['-fuse-ld=gold', 'main.c', 'area.c', '-o', 'prog'],
      ['-O2', '-flto', 'main.c', 'area.c', '-o', 'prog'],
      ['-O2', '-flto=thin', 'main.c', 'area.c', '-o', 'prog'],
      ['-save-temps', 'main.c', 'area.c', '-o', 'prog'],
    ];
    for (const way of ways) {
      project.fresh();
      project.compile(clang, ...way);
      expect(project.run('./prog', []).stdout.toString()).toBe('2 6\n');
      expect([...(await sourcesOf('prog'))].sort(), way.join(' ')).toEqual(['area.c', 'main.c']);
    }
    project.fresh();
    project.compile(clang, '-fno-addrsig', '-S', 'main.c', 'area.c');
    project.do('as', 'main.s', '-o', 'main.o');
    project.compile(clang, 'main.o', 'area.s', '-o', 'prog');
    expect(await sourcesOf('prog')).toEqual(['main.c', 'area.c']);
  });

  it('reads C++ and a shared library', async () => {
    project.compile(clang.replace('clang', 'clang++'), '-shared', '-fPIC', 'text.cc', '-o', 'libtext.so');
    const [module] = await modulesOf('libtext.so');
    expect(functionsIn(module as ModuleText)).toContainEqual(expect.stringMatching(/twice/));
  });

  it.each([
    'i386-linux-gnu',
    'powerpc64-linux-gnu',
    'mips-linux-gnu',
    'aarch64-linux-gnu',
  ])('reads %s in its own format', async (target) => {
    project.compile(clang, `--target=${target}`, '-c', 'unused.c');
    const [module] = await modulesOf('unused.o');
    expect(module?.text).toMatch(new RegExp(`^target triple = "${target.split('-')[0]}`, 'm'));
  });

  it('reads sidecar files of objects that cannot contain IR', async () => {
    const target = '--target=x86_64-apple-macosx12';
    project.compile(clang, target, '-c', 'unused.c', 'odd name.c');
    project.compile(clang, target, '-DSIDE=9', '-c', '-MMD', '-MF', 'x.d', 'area.c', '-o', 'x.o');
    project.culprit(clang, [target, '-x', 'c', '-c', '-', '-o', 'in.o'], {
      input: 'int in(void) { return 1; }',
    });
    expect([...project.made().keys()]).toEqual(
      [
        'in.o',
        'in.o.bc',
        'odd name.o',
        'odd name.o.bc',
        'unused.o',
        'unused.o.bc',
        'x.d',
        'x.o',
        'x.o.bc',
      ].sort(),
    );
    expect((await modulesOf('unused.o')).map(functionsIn)).toEqual([['unused']]);
    expect((await modulesOf('in.o')).map(functionsIn)).toEqual([['in']]);
    const [module] = await modulesOf('x.o');
    expect(module?.text).toMatch(/^target triple = "x86_64-apple/m);
    expect(module?.text).toMatch(/add .* 9/);
    utimesSync(join(project.path, 'x.o.bc'), 1, 1);
    expect(await programOf(join(project.path, 'x.o'))).toBeInstanceOf(Fault);
  });
});

describe('programOf after another compiler through culprit-cc', () => {
  const [clang = 'clang'] = clangs;
  const compile = (...args: readonly string[]) => {
    const other = join(project.folder, 'othercc');
    writeFileSync(other, `#!/bin/sh\nexec ${clang} "$@"\n`, { mode: 0o755 });
    const env = { CULPRIT_CC: other };
    const { exitCode, stderr } = project.run(project.link('culprit-cc'), args, { env });
    if (exitCode !== 0) throw new Error(stderr);
  };

  it('reads sidecar files, also for archives and linked programs, whatever became of the objects', async () => {
    compile('-c', 'main.c', 'area.c', 'unused.c');
    project.do('ar', 'cr', 'libshape.a', 'area.o', 'unused.o');
    expect((await modulesOf('libshape.a')).map(functionsIn)).toEqual([['area', 'help'], ['unused']]);
    project.write('bin/keep', '');
    compile('main.o', '-L.', '-lshape', '-o', 'bin/prog');
    for (const name of ['main.o', 'area.o', 'unused.o', 'libshape.a']) rmSync(join(project.path, name));
    expect(await sourcesOf('bin/prog')).toEqual(['main.c', 'area.c', 'unused.c']);
    expect((await built('bin/prog')).without).toEqual([]);
  });

  it('reads the sidecar files of two sources with one name', async () => {
    project.write('x/same.c', 'int main(void) { return 0; }\n');
    project.write('y/same.c', 'int other(void) { return 0; }\n');
    compile('x/same.c', 'y/same.c', '-o', 'prog');
    expect((await modulesOf('prog')).map(functionsIn)).toEqual([['main'], ['other']]);
  });
});

describe('BuiltProgram.modules', () => {
  const [clang = 'clang'] = clangs;

  it('come from the cache, and are read again if the cache is damaged', async () => {
    project.compile(clang, 'main.c', 'area.c', '-o', 'prog');
    rmSync(project.cache, { recursive: true, force: true });
    const first = await modulesOf('prog');
    const files = readdirSync(join(project.cache, 'ir'), { recursive: true, encoding: 'utf8' });
    const kept = files.filter((name) => name.endsWith('.gz')).map((name) => join(project.cache, 'ir', name));
    expect(kept).toHaveLength(2);
    expect(await modulesOf('prog')).toEqual(first);
    for (const file of kept) writeFileSync(file, 'damaged');
    expect(await modulesOf('prog')).toEqual(first);
  });

  it('work without a writable cache', async () => {
    project.compile(clang, '-c', 'area.c');
    const machine = machineWith({ CULPRIT_CACHE: '/dev/null/cache' });
    expect(await modulesOf('area.o', machine)).toHaveLength(1);
  });

  it('can be abandoned and requested again', async () => {
    project.compile(clang, '-c', 'main.c', 'area.c', 'unused.c');
    project.do('ar', 'cr', 'all.a', 'main.o', 'area.o', 'unused.o');
    rmSync(project.cache, { recursive: true, force: true });
    const program = await built('all.a');
    expect(program.size).toBe(3);
    for await (const module of program.modules()) {
      expect(module).not.toBeInstanceOf(Fault);
      break;
    }
    let count = 0;
    for await (const _ of program.modules()) count++;
    expect(count).toBe(3);
  });

  it('report which compiler is needed if this one is too old', async () => {
    const old = clangs.find((name) => name.endsWith('-14'));
    const young = clangs.find((name) => name.endsWith('-16'));
    if (old === undefined || young === undefined) return;
    project.compile(young, '-c', 'area.c');
    const machine = machineWith({ CULPRIT_CC: old });
    // An installed llvm-dis of the right version may succeed.
    for await (const module of (await built('area.o', machine)).modules())
      if (module instanceof Fault) expect(module.message).toContain('at least as new');
      else expect(functionsIn(module)).toEqual(['area', 'help']);
  });

  it('are a fault if there are none', async () => {
    project.do(clang, '-c', 'area.c');
    project.write('script', '#!/bin/sh\n');
    project.write('.libs/script', '');
    const complaint = async (path: string, machine = machineWith()) => {
      const fault = await programOf(path, { machine });
      return fault instanceof Fault ? fault.message.replaceAll(`${project.path}/`, '') : 'none';
    };
    expect(await complaint('area.o')).toBe(
      'area.o contains no LLVM IR: build it with CC=culprit-cc and CXX=culprit-c++, and without stripping sections',
    );
    expect(await complaint('nowhere')).toBe('there is no file nowhere');
    expect(await complaint('.')).toMatch(/ is not a file$/);
    expect(await complaint('script')).toContain(
      "libtool's script around the program: name .libs/script instead",
    );
    expect(await complaint('area.o', machineWith({ PATH: '/nowhere' }))).toContain(
      'there is no clang on PATH',
    );
    expect(existsSync(join(project.path, 'area.o'))).toBe(true);
  });
});
