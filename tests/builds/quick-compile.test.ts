import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const script = fileURLToPath(new URL('../../src/builds/quick-compile.sh', import.meta.url));

/** Writes down how it is called, makes what it is told to make, and cannot compile what includes too much. */
const compiler = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *"-include"*strange.cpp*|*strange.cpp*"-include"*) exit 1 ;; esac
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && : > "$2"
  shift
done
`;

describe('a quick compiler call', () => {
  let folder: string;
  let call: (...words: readonly string[]) => readonly string[];

  beforeEach(() => {
    folder = temporaryFolder('quick-compile');
    const [build, bin, calls] = [join(folder, 'build of mine'), join(folder, 'bin'), join(folder, 'calls')];
    for (const made of [build, bin]) mkdirSync(made);
    writeFileSync(join(bin, 'c++'), compiler);
    chmodSync(join(bin, 'c++'), 0o755);
    call = (...words) => {
      writeFileSync(calls, '');
      execFileSync('sh', [script, 'c++', ...words], {
        cwd: folder,
        // Without ccache, wherever it may be.
        env: { PATH: `${bin}:/bin`, CALLS: calls, CULPRIT_BUILD: build, CCACHE_DISABLE: '1' },
      });
      return readFileSync(calls, 'utf8').trimEnd().split('\n');
    };
  });

  const headerFolders = (): readonly string[] => readdirSync(join(folder, 'build of mine'));

  it('reads the headers of the library once, and optimises nothing', () => {
    const first = call('-O3', '-DX', '-I', 'inc', '-Wall', '-o', 'a.o', '-c', 'a.cpp');
    expect(first).toHaveLength(2);
    expect(first[0]).toMatch(/^-O3 -DX -O0 -g0 -w -x c\+\+-header .*headers\.h -o .*\.gch$/);
    expect(first[1]).toMatch(/^-O3 -DX -I inc -Wall -o a\.o -c a\.cpp -O0 -g0 -w -include .*headers\.h$/);
    const second = call('-O3', '-DX', '-Ielsewhere', '-o', 'b.o', '-c', 'b.cc');
    expect(second).toHaveLength(1);
    expect(headerFolders()).toHaveLength(1);
    // Other options may mean other headers.
    expect(call('-O3', '-DY', '-o', 'c.o', '-c', 'c.cpp')).toHaveLength(2);
    expect(headerFolders()).toHaveLength(2);
    expect(existsSync(join(folder, 'c.o'))).toBe(true);
  });

  it('leaves the headers out where they do no good', () => {
    const strange = call('-o', 's.o', '-c', 'strange.cpp');
    expect(strange).toHaveLength(3);
    expect(strange[2]).toBe('-o s.o -c strange.cpp -O0 -g0 -w');
    expect(existsSync(join(folder, 's.o'))).toBe(true);
    expect(call('-O2', '-o', 'p.o', '-c', 'plain.c')).toEqual(['-O2 -o p.o -c plain.c -O0 -g0 -w']);
  });

  it('leaves linking alone', () => {
    expect(call('a.o', '-o', 'program', '-O3')).toEqual(['a.o -o program -O3']);
  });
});
