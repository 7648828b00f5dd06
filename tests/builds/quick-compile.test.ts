import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const script = fileURLToPath(new URL('../../src/builds/quick-compile.sh', import.meta.url));

/** A fake compiler: records its calls, creates its outputs and dependency lists, and fails on certain includes. */
const compiler = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *"-include"*strange.cpp*|*strange.cpp*"-include"*) exit 1 ;; esac
case "$*" in *-DOLDER*-fpch-instantiate-templates*) exit 1 ;; esac
list='a.o: a.cpp \\\\\\n own.h\\n'
case "$*" in *" -MP "*) list="$list"'own.h:\\n' ;; esac
case "$*" in *" c++-header "*) list='headers: common.h \\\\\\n my\\ own.h\\n' ;; esac
made="$*$$"
while [ $# -gt 0 ]; do
  [ "$1" = -MF ] && printf "$list" > "$2"
  [ "$1" = -o ] && printf '%s\\n' "$made" > "$2"
  shift
done
`;

describe('quick-compile.sh', () => {
  let folder: string;
  let call: (...words: readonly string[]) => readonly string[];

  beforeEach(() => {
    folder = temporaryFolder('quick-compile');
    const [build, bin, calls] = [join(folder, 'build of mine'), join(folder, 'bin'), join(folder, 'calls')];
    for (const made of [build, bin]) mkdirSync(made);
    writeFileSync(join(folder, 'common.h'), 'one');
    writeFileSync(join(folder, 'my own.h'), 'mine');
    writeFileSync(join(bin, 'c++'), compiler);
    chmodSync(join(bin, 'c++'), 0o755);
    call = (...words) => {
      writeFileSync(calls, '');
      const leftOut = join(folder, 'left-out');
      execFileSync('sh', [script, 'c++', ...words], {
        cwd: folder,
        // Excludes ccache from PATH.
        env: {
          PATH: `${bin}:/bin`,
          CALLS: calls,
          CULPRIT_BUILD: build,
          CCACHE_DISABLE: '1',
          CULPRIT_LEFT_OUT: existsSync(leftOut) ? leftOut : '',
        },
      });
      return readFileSync(calls, 'utf8').trimEnd().split('\n');
    };
  });

  const rules = (name: string): readonly string[] =>
    readFileSync(join(folder, name), 'utf8')
      .replaceAll('\\\n', '')
      .trim()
      .split('\n')
      .map((rule) => rule.replaceAll(/\s+/g, ' '));

  const headerFolders = (): readonly string[] =>
    readdirSync(join(folder, 'build of mine')).filter((name) => name.startsWith('quick-'));

  it('creates an empty object for a left-out source and records it', () => {
    writeFileSync(join(folder, 'left-out'), 'a.cpp\nb c.cpp\n');
    for (const source of ['a', 'b c', 'd']) {
      const calls = call('-o', `${source}.o`, '-MF', `${source}.d`, '-c', `${source}.cpp`);
      expect(calls.some((words) => words.includes(`-c ${source}.cpp`))).toBe(source === 'd');
    }
    const listed = (name: string) => readFileSync(join(folder, 'build of mine', name), 'utf8');
    const told = (source: string) => `${join(folder, `${source}.o`)}\t${source}.cpp\n`;
    expect(listed('left-out.txt')).toBe(told('a') + told('b c'));
    expect(listed('compiled.txt')).toBe(told('d'));
    expect(readFileSync(join(folder, 'b c.o'), 'utf8')).toContain('/dev/null');
  });

  it('creates no empty object if it cannot record it', () => {
    writeFileSync(join(folder, 'left-out'), 'a.cpp\n');
    mkdirSync(join(folder, 'build of mine', 'left-out.txt'));
    expect(() => call('-o', 'a.o', '-c', 'a.cpp')).toThrow();
    expect(existsSync(join(folder, 'a.o'))).toBe(false);
  });

  it('precompiles the library headers once, and disables optimisation', () => {
    const first = call('-O3', '-DX', '-I', 'inc', '-Wall', '-o', 'a.o', '-c', 'a.cpp');
    expect(first).toHaveLength(2);
    expect(first[0]).toMatch(
      /^-O3 -DX -I inc -fpch-instantiate-templates -O0 -g0 -w -MMD .* -x c\+\+-header .*headers\.h -o /,
    );
    expect(first[1]).toMatch(/^-O3 -DX -I inc -Wall -o a\.o -c a\.cpp -O0 -g0 -w -include .*headers\.h$/);
    const second = call('-O3', '-DX', '-I', 'inc', '-o', 'b.o', '-c', 'b.cc');
    expect(second).toHaveLength(1);
    expect(headerFolders()).toHaveLength(1);
    // Other options may select other headers.
    expect(call('-O3', '-DY', '-I', 'inc', '-o', 'c.o', '-c', 'c.cpp')).toHaveLength(2);
    expect(headerFolders()).toHaveLength(2);
    expect(existsSync(join(folder, 'c.o'))).toBe(true);
  });

  it('instantiates templates in the precompiled header if the compiler can', () => {
    const [made = '', again = '', used = ''] = call('-DOLDER', '-o', 'a.o', '-c', 'a.cpp');
    expect(made).toContain('-fpch-instantiate-templates');
    expect(again).toContain('-x c++-header');
    expect(again).not.toContain('-fpch-instantiate-templates');
    expect(used).toContain('-include');
  });

  it('omits the precompiled header if it breaks the source', () => {
    const strange = call('-o', 's.o', '-c', 'strange.cpp');
    expect(strange).toHaveLength(3);
    expect(strange[2]).toBe('-o s.o -c strange.cpp -O0 -g0 -w');
    expect(existsSync(join(folder, 's.o'))).toBe(true);
    expect(call('-O2', '-o', 'p.o', '-c', 'plain.c')).toEqual(['-O2 -o p.o -c plain.c -O0 -g0 -w']);
  });

  it('lists the precompiled headers as dependencies', () => {
    call('-MD', '-MT', 'a.o', '-MF', 'a.d', '-o', 'a.o', '-c', 'a.cpp');
    expect(rules('a.d')).toEqual(['a.o: common.h my\\ own.h a.cpp own.h']);
  });

  it('lists them for the first rule only', () => {
    call('-MD', '-MP', '-MT', 'a.o', '-MF', 'a.d', '-o', 'a.o', '-c', 'a.cpp');
    expect(rules('a.d')).toEqual(['a.o: common.h my\\ own.h a.cpp own.h', 'own.h:']);
  });

  it('precompiles no project headers if it cannot list them', () => {
    const headers = (...words: readonly string[]): string => {
      const [made = ''] = call(...words, '-o', 'a.o', '-c', 'a.cpp');
      return readFileSync(/\S+ of mine\S+headers\.h/.exec(made)?.[0] ?? '', 'utf8');
    };
    for (const words of [[], ['-MD'], ['-MMD', '-MP'], ['-MD', '-MFa.d'], ['-Wp,-MD,a.d']])
      expect(headers(...words), words.join(' ')).not.toContain('has_include');
    expect(headers('-MD', '-MF', 'a.d')).toContain('has_include');
    // Both kinds in one build, each with its own headers.
    expect(headerFolders()).toHaveLength(2);
  });

  it('precompiles changed headers again, and lets ccache compare their content', () => {
    const kept = (kind: string): string => {
      const [made = ''] = headerFolders();
      return readFileSync(join(folder, 'build of mine', made, `headers.h.gch${kind}`), 'utf8');
    };
    const change = (text: string): void => {
      writeFileSync(join(folder, 'common.h'), text);
      const later = new Date(Date.now() + 60_000);
      utimesSync(join(folder, 'common.h'), later, later);
    };
    const compile = (): readonly string[] => call('-MF', 'a.d', '-o', 'a.o', '-c', 'a.cpp');
    compile();
    const [headers, sum] = [kept(''), kept('.sum')];
    change('two');
    expect(compile()).toHaveLength(2);
    expect(kept('')).not.toBe(headers);
    expect(kept('.sum')).not.toBe(sum);
    change('one');
    expect(compile()).toHaveLength(2);
    expect(kept('.sum')).toBe(sum);
    rmSync(join(folder, 'my own.h'));
    expect(compile()).toHaveLength(2);
  });

  it('gives ccache the same paths in every build folder', () => {
    const called = (
      place: string,
      build: string,
    ): { readonly headers: readonly string[]; readonly said: string } => {
      const there = join(folder, place);
      for (const made of ['build', 'source', 'bin']) mkdirSync(join(there, made), { recursive: true });
      const tell = '#!/bin/sh\nprintf \'%s\\n\' "$CCACHE_BASEDIR" "$*" > "$SAID"\nexec "$@"\n';
      writeFileSync(join(there, 'bin', 'ccache'), tell);
      chmodSync(join(there, 'bin', 'ccache'), 0o755);
      for (const name of ['common.h', 'my own.h']) writeFileSync(join(there, 'build', name), '');
      const said = join(there, 'said');
      execFileSync(
        'sh',
        [script, 'c++', '-I', join(there, 'source'), '-o', 'a.o', '-c', join(there, 'source', 'a.cpp')],
        {
          cwd: join(there, 'build'),
          env: {
            PATH: `${join(there, 'bin')}:${join(folder, 'bin')}:/bin`,
            CALLS: join(there, 'calls'),
            SAID: said,
            CULPRIT_BUILD: join(there, 'source') + build,
          },
        },
      );
      return {
        headers: readdirSync(join(there, 'build')).filter((name) => name.startsWith('quick-')),
        said: readFileSync(said, 'utf8').replaceAll(there, 'HERE'),
      };
    };
    const [one, other] = [called('slot', '/../build'), called('a longer [a-z]* name', '/../build')];
    expect(one.headers).toHaveLength(1);
    expect(other).toEqual(one);
    expect(one.said).toMatch(/^HERE\nc\+\+ -I HERE\/source .* -include HERE\/build\/quick-/);
  });

  it('passes link commands through unchanged', () => {
    expect(call('a.o', '-o', 'program', '-O3')).toEqual(['a.o -o program -O3']);
  });
});
