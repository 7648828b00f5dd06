/** Tests the linker wrapper, called by a real compiler with left-out sources. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { compilers } from '../coverage/compiled.js';
import { temporaryFolder } from '../temporary-folder.js';

const script = fileURLToPath(new URL('../../src/builds/quick-link.sh', import.meta.url));
const compiler = compilers()[0]?.cxx ?? 'c++';

describe('quick-link.sh', () => {
  let build: string;

  beforeEach(() => {
    build = join(temporaryFolder('quick-link'), 'build');
    mkdirSync(join(build, 'linker'), { recursive: true });
    for (const name of ['ld', 'ld.bfd', 'ld.gold', 'ld.lld', 'ld.mold'])
      symlinkSync(script, join(build, 'linker', name));
    writeFileSync(join(build, 'left-out'), 'source/left.cpp\n');
  });

  /** Compiles and links in one call, as feature checks do. */
  const link = (text: string, { program = 'program', folder = build, env = {} } = {}) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.cpp'), text);
    const { status, stderr } = spawnSync(compiler, [`-B${join(build, 'linker')}`, 'a.cpp', '-o', program], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CULPRIT_BUILD: build, CULPRIT_LEFT_OUT: join(build, 'left-out'), ...env },
    });
    return { status, stderr };
  };
  const written = (name: string): string | undefined =>
    existsSync(join(build, name)) ? readFileSync(join(build, name), 'utf8') : undefined;

  const callsMissing = 'int missing(int); int main(int n, char **) { return n > 1 ? missing(n) : 0; }';

  it('generates stand-ins for functions of any name', () => {
    const text = `
      struct A { int plain(int) const; int operator()(); int noted() const &; operator bool(); };
      template <class T> void (*given(T))(char);
      int main(int n, char **) { A a; return n > 1 ? a.plain(1) + a() + a.noted() + bool(a) + (given(1) != nullptr) : 0; }`;
    expect(link(text)).toMatchObject({ status: 0 });
    expect(spawnSync(join(build, 'program')).status).toBe(0);
    expect(spawnSync(join(build, 'program'), ['more'])).toMatchObject({ status: 70 });
    expect(written('stubs.txt')?.trim().split('\n')).toHaveLength(5);
    expect(readdirSync(build).toSorted()).toEqual(
      ['a.cpp', 'left-out', 'linker', 'program', 'stubs.txt', 'wanted.txt'].toSorted(),
    );
  });

  it('generates no stand-in for a variable', () => {
    const text = `
      enum Kind { One = 1 };
      template <Kind K> struct Of { static const int *const most; };
      template <> const int *const Of<One>::most;
      int main() { return Of<One>::most != nullptr; }`;
    expect(link(text).status).not.toBe(0);
    expect(written('wanted.txt')).toBe('_ZN2OfIL4Kind1EE4mostE\n');
  });

  it('records missing symbols even if linking succeeds', () => {
    expect(link(callsMissing)).toMatchObject({ status: 0 });
    expect(written('wanted.txt')).toBe('');
    expect(link('extern int table[]; int main() { return table[0]; }').status).not.toBe(0);
    expect(link(callsMissing, { program: 'other' }).status).not.toBe(0);
    expect(written('wanted.txt')).toBe('table\n');
  });

  it.each([
    ['CMake', { folder: 'CMakeFiles/CMakeScratch/TryCompile-abc' }],
    ['an older CMake', { folder: 'CMakeFiles/CMakeTmp' }],
    ['autoconf', { program: 'conftest' }],
  ])('generates no stand-ins for a feature check by %s', (_, {
    folder = '.',
    program = 'program',
  }: {
    folder?: string;
    program?: string;
  }) => {
    expect(link(callsMissing, { folder: join(build, folder), program }).status).not.toBe(0);
    expect(written('wanted.txt')).toBeUndefined();
  });

  it('accepts a C compiler of several words', () => {
    expect(link(callsMissing, { env: { CC: 'env cc' } })).toMatchObject({ status: 0 });
  });
});
