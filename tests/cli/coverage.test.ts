import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { compilers } from '../coverage/compiled.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { itStudies } from '../rounds.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, culpritMany, startCulprit } from './culprit.js';

let folder: string;

/** Imitates a Z3 that works more on str.contains. A killed run leaves its counters. */
const solver = `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static int child(int n);
static int split(int n) {
  return n % 7; // counted
}
static void die(void) {
  kill(getpid(), SIGKILL);
}
static int child(int n) {
  return n + 1;
}
static void share(void) {
  if (fork() == 0) {
    int sum = 0;
    for (int i = 0; i < 50; i++) sum = child(sum);
    _exit(sum != 50);
  }
  wait(0);
}
int main(int argc, char **argv) {
  static char text[65536];
  if (argc > 1 && strcmp(argv[1], "--version") == 0) return puts("Z3 version 4.13.0 - 64 bit") < 0;
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  int work = strstr(text, "str.contains") ? 1000 : 3, sum = 0;
  for (int i = 0; i < work; i++)
    sum += split(i);
  if (work == 5000) while (clock() < CLOCKS_PER_SEC / 3);
  if (strstr(text, "str.prefixof")) die();
  if (strstr(text, "str.suffixof")) share();
  if (strstr(text, "no counters")) unlink(getenv("CULPRIT_COUNTERS"));
  puts(sum < 0 ? "unsat" : "sat");
  return 0;
}
`;

const formula = (assertion: string): string => `(declare-fun a () String)(assert ${assertion})(check-sat)\n`;

beforeAll(() => {
  folder = temporaryFolder('coverage');
  const repository = join(folder, 'solver');
  initRepository(repository);
  commitFiles(repository, { 'z3.c': solver }, 'a solver');
  commitFiles(repository, { 'z3.c': solver.replace('1000', '5000') }, 'works harder');
  const builder = {
    repository: 'solver',
    build: ['$CC -O1 z3.c -o "$CULPRIT_BUILD/z3"'],
    coverage: [
      '$CC -O1 $CULPRIT_COVERAGE_FLAGS -c z3.c -o "$CULPRIT_BUILD/z3.o"',
      '$CC -fuse-ld=gold "$CULPRIT_BUILD/z3.o" $CULPRIT_COVERAGE_LINK -o "$CULPRIT_BUILD/z3"',
    ],
    'quick-coverage': [
      '"$CULPRIT_COMPILE" $CC -O1 $CULPRIT_COVERAGE_FLAGS -c z3.c -o "$CULPRIT_BUILD/z3.o"',
      '$CC "$CULPRIT_BUILD/z3.o" $CULPRIT_COVERAGE_LINK -o "$CULPRIT_BUILD/z3"',
    ],
    binary: '$CULPRIT_BUILD/z3',
  };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { own: builder } }));
  writeFileSync(join(folder, 'slow.smt2'), formula('(str.contains a "b")'));
  writeFileSync(join(folder, 'quick.smt2'), formula('(= a "b")'));
  writeFileSync(join(folder, 'dies.smt2'), formula('(str.prefixof "b" a)'));
  writeFileSync(join(folder, 'silent.smt2'), formula('(= a "no counters")'));
});

const asUsual = () => {
  const [compiler] = compilers();
  return { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache'), CC: compiler?.c ?? 'cc' } };
};

const cover = (...args: readonly string[]) => culprit(['coverage', ...args], asUsual());

const here = 'git:solver@main?coverage';

/** The data of its only file in the page. */
const packedIn = (page: string) => {
  const [, data = ''] = /class="packed"[^>]*>([^<]*)</.exec(page) ?? [];
  return JSON.parse(inflateSync(Buffer.from(data, 'base64')).toString('utf8'));
};

describe('culprit coverage', () => {
  it('prints what a formula executes, and what it executes beyond another', () => {
    const { stdout, exitCode } = cover('slow.smt2', '--against', 'quick.smt2', '--on', here);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^quick\.smt2 .* sat +1 of 1 +2 of 5 +\d+ of \d+ +\d+ of \d+$/m);
    expect(stdout).toMatch(/^ +3 +5\.00k {2}split$/m);
  });

  it('names both sides of each of several comparisons', () => {
    const { stdout } = cover('slow.smt2', 'dies.smt2', '--against', 'quick.smt2', '--on', here);
    const titles = stdout.split('\n').filter((line) => line.includes(', compared with '));
    expect(titles).toEqual(
      ['slow', 'dies'].map((name) => `${name}.smt2 on ${here}, compared with quick.smt2 on ${here}:`),
    );
  });

  it('writes no file if a requested run failed', () => {
    const asked = ['slow.smt2', '--against', 'silent.smt2', '--on', here];
    const { stdout, stderr, exitCode } = cover(...asked, '--html', 'part.html', '--lcov', 'part.info');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^slow\.smt2 .* sat /m);
    for (const name of ['part.html', 'part.info']) {
      expect(stderr).toContain(`${name} was not written, because some of the requested runs failed`);
      expect(existsSync(join(folder, name))).toBe(false);
    }
  });

  it('accepts a program behind a link', () => {
    const { stdout } = cover('slow.smt2', '--on', here, '--json');
    const [program = ''] = readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('/coverage.table'))
      .map((name) => join(folder, 'cache', dirname(name), 'z3'));
    symlinkSync(program, join(folder, 'linked-z3'));
    const linked = cover('slow.smt2', '--on', `path:${join(folder, 'linked-z3')}`, '--json');
    const called = (text: string): number => JSON.parse(text).functions.split;
    expect([1000, 5000]).toContain(called(linked.stdout));
    expect(called(stdout)).toBe(5000);
  });

  it('prints as JSON what only one of two runs executes or calls more often', () => {
    const { stdout } = cover('slow.smt2', 'dies.smt2', '--against', 'quick.smt2', '--on', here, '--json');
    const [quick, slow, dies] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(quick.compared).toBeUndefined();
    const reference = { formula: 'quick.smt2', version: here };
    const none = { files: [], functions: {}, lines: {} };
    const grown = [{ name: 'split', before: 3, after: 5000 }];
    expect(slow.compared).toMatchObject({ ...reference, onlyOther: none, grown });
    expect(slow.compared.onlyThis.functions).toEqual({});
    const lineOf = (text: string): number => solver.split('\n').indexOf(text) + 1;
    const died = { [lineOf('static void die(void) {')]: 1, [lineOf('  kill(getpid(), SIGKILL);')]: 1 };
    expect(dies.compared).toMatchObject({ ...reference, onlyThis: { files: [], functions: { die: 1 } } });
    expect(dies.compared.onlyThis.lines['z3.c']).toEqual(died);
    // It did not reach the end of main.
    expect(Object.keys(dies.compared.onlyOther.lines['z3.c']).length).toBeGreaterThan(0);
  });

  it('counts the same in unoptimised builds', () => {
    const [optimised, quick] = [here, 'git:solver@main?quick&coverage'].map((on) => {
      const { stdout } = cover('slow.smt2', '--on', on, '--json');
      return JSON.parse(stdout).functions;
    });
    expect(quick).toEqual(optimised);
    expect(quick).toMatchObject({ split: 5000 });
  });

  it('compares versions, counts lines, and writes them as lcov', () => {
    const both = `git:solver@main~1?coverage,${here}`;
    const { stdout } = cover('slow.smt2', '--on', both, '--html', 'heat.html');
    expect(stdout).toMatch(/^ +1\.00k +5\.00k {2}split$/m);
    const page = readFileSync(join(folder, 'heat.html'), 'utf8');
    expect(page).toContain(`<title>slow.smt2 on ${here} compared with slow.smt2 on git:solver@main~1`);
    expect(packedIn(page).text).toContain('return n % 7; // counted');
    const { stdout: json } = cover('slow.smt2', '--on', here, '--json', '--lcov', 'lines.info');
    const line = solver.split('\n').findIndex((text) => text.endsWith('// counted')) + 1;
    expect(JSON.parse(json)).toMatchObject({
      outcome: 'sat',
      functions: { split: 5000, main: 1 },
      files: { 'z3.c': { [line]: 5000 } },
    });
    const lines = readFileSync(join(folder, 'lines.info'), 'utf8');
    for (const part of ['SF:z3.c\n', `DA:${line},5000\n`, ',0\n', 'LF:']) expect(lines).toContain(part);
  });

  it('rejects the counters of another build of the same size', () => {
    const builtOf = (revision: string, cache: string): string => {
      const how = { cwd: folder, env: { ...asUsual().env, CULPRIT_CACHE: join(folder, cache) } };
      const on = `git:solver@${revision}?coverage`;
      expect(culprit(['coverage', 'quick.smt2', '--on', on], how).exitCode).toBe(0);
      const done = join(folder, cache, 'builds', 'done');
      const [kept = ''] = readdirSync(done).filter((name) => existsSync(join(done, name, 'coverage.table')));
      return join(done, kept);
    };
    const [older, newer] = [builtOf('main~1', 'cache-older'), builtOf('main', 'cache-newer')];
    mkdirSync(join(folder, 'mixed'));
    copyFileSync(join(newer, 'z3'), join(folder, 'mixed', 'z3'));
    copyFileSync(join(older, 'coverage.table'), join(folder, 'mixed', 'coverage.table'));
    const mixed = cover('quick.smt2', '--on', 'path:./mixed/z3');
    expect(mixed.stderr).toMatch(
      /^culprit: \S+mixed\/coverage\.table is of another build than \S+mixed\/z3: build it again\.?\n$/m,
    );
    expect(mixed.exitCode).toBe(2);
    copyFileSync(join(newer, 'coverage.table'), join(folder, 'mixed', 'coverage.table'));
    expect(cover('quick.smt2', '--on', 'path:./mixed/z3').exitCode).toBe(0);
  });

  it('reads the counters of a killed run', () => {
    const { stdout } = cover('dies.smt2', '--on', here, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'crash', functions: { split: 3, die: 1 } });
  });

  it('reads the counters of child processes', () => {
    writeFileSync(join(folder, 'forks.smt2'), formula('(str.suffixof "b" a)'));
    const { stdout } = cover('forks.smt2', '--on', here, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'sat', functions: { share: 1, child: 50 } });
  });

  it('names the run without counters, and reports the others', () => {
    const { stdout, stderr, exitCode } = cover('silent.smt2', 'quick.smt2', '--on', here);
    expect(stderr).toContain(`culprit: silent.smt2 on ${here}: the run left no counters`);
    expect(stdout).toMatch(/^quick\.smt2 .* sat /m);
    expect(stdout).not.toContain('silent');
    expect(exitCode).toBe(3);
  });

  it('refuses to compare a version that counts lines with one that counts calls', () => {
    const both = ['quick.smt2', '--on', `z3@5.2.0,${here}`];
    const { stdout, stderr, exitCode } = cover(...both);
    expect(stderr).toContain(`calls, as z3@5.2.0 counts them, and lines, as ${here} does, are not compared`);
    expect(stdout).not.toContain('executes');
    expect(exitCode).toBe(0);
    const page = cover(...both, '--html', 'mixed.html');
    expect(page.exitCode).toBe(2);
    expect(existsSync(join(folder, 'mixed.html'))).toBe(false);
  });

  it('guides a hunt that can be replayed and names where the newer version works', () => {
    const on = ['--on', `git:solver@main~1?coverage,${here}`, '--threshold', '200ms', '--timeout', '2s'];
    const how = ['--strategy', 'mulstringfuzz', '--set', 'population=4', '--workers', '2', '--seed', '1'];
    const hunted = culprit(['hunt', ...on, ...how, '--for', '3s', '--out', 'hunted'], asUsual());
    expect(hunted.stderr).not.toContain('culprit:');
    expect(hunted.exitCode).toBe(0);
    const reportOf = () => readFileSync(join(folder, 'hunted', 'report.md'), 'utf8');
    // A busy machine may need more than three seconds.
    for (let more = 0; more < 10 && !reportOf().includes('Functions called more often'); more++)
      expect(culprit(['hunt', '--resume', 'hunted', '--for', '3s'], asUsual()).exitCode).toBe(0);
    const report = reportOf();
    expect(report).toMatch(/^\| 1\.00k \| 5\.00k \| `split` \|$/m);
    expect(readFileSync(join(folder, 'hunted', 'report.html'), 'utf8')).toContain('<code>split</code>');
    expect(culprit(['hunt', '--replay', 'hunted'], asUsual()).stdout).toContain('the same search');
    const finding = JSON.parse(culprit(['report', 'hunted', '--json'], asUsual()).stdout);
    expect(JSON.stringify(finding)).toContain('"grown":[{"name":"split","before":1000,"after":5000}');
  });

  const studyArgs = (...args: readonly string[]) => [
    ...['study', 'multi-objective', '--on', `git:solver@main~1?coverage,${here}`],
    ...['--variants', 'stringfuzz,mulstringfuzz', '--population', '4', '--for', '1s', '--long', '1s'],
    ...['--threshold', '200ms', '--timeout', '2s', '--workers', '2', '--repeat', '1', ...args],
  ];

  it('is studied by a command that resumes after Ctrl-C and kill, and can be reported meanwhile', async () => {
    const journal = join(folder, 'stopped', 'stringfuzz-1', 'journal.ndjson');
    const written = () => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
    for (const name of ['SIGINT', 'SIGKILL', 'SIGINT'] as const) {
      const before = written();
      const { child, ended } = startCulprit(
        studyArgs('--out', 'stopped', '--for', '30m'),
        folder,
        asUsual().env,
      );
      while (written().length < before.length + 1000 && child.exitCode === null) await setTimeout(10);
      process.kill(-(child.pid as number), name);
      const { stderr, exitCode } = await ended;
      expect(exitCode).toBe(name === 'SIGKILL' ? null : 130);
      if (name === 'SIGINT') expect(stderr).toContain('culprit: interrupted; the same command resumes it\n');
      expect(written().startsWith(before)).toBe(true);
    }
    const { stdout, stderr } = culprit(['report', 'stopped'], asUsual());
    expect(stderr).toBe('culprit: stringfuzz-1 has not finished\n');
    expect(stdout).toMatch(/There is no population yet|No formula had a long run yet/);
  });

  itStudies('is compared over variants of a search, and a study that has ended is shown again', () => {
    const args = studyArgs('--out', 'study', '--populations', '4,2', '--json');
    const first = culprit(args, asUsual());
    expect(first.exitCode).toBe(0);
    const { counts, rows, campaigns, sizes } = JSON.parse(first.stdout);
    expect(counts).toBe('lines');
    expect(rows.map(({ variant }: { variant: string }) => variant)).toEqual(['stringfuzz', 'mulstringfuzz']);
    for (const { members, totalLines } of campaigns) {
      expect(totalLines > 5).toBe(members.length > 0);
      for (const { longOutcome, lines } of members) {
        expect(['sat', 'crash']).toContain(longOutcome);
        expect(lines).toBeGreaterThan(3);
      }
    }
    expect(sizes).toMatchObject([
      { population: 2, campaigns: 1 },
      { population: 4, campaigns: 1 },
    ]);
    expect(JSON.parse(culprit(args, asUsual()).stdout)).toEqual(JSON.parse(first.stdout));

    // A replay finds the same without a solver.
    expect(JSON.parse(culprit(['report', 'study', '--json'], asUsual()).stdout)).toEqual(
      JSON.parse(first.stdout),
    );
    const made = culprit(['report', 'study', '--html', 'again.html'], asUsual());
    // A busy machine may run no formula in time, and warns of that.
    expect(made.stderr).toMatch(
      /^(?:culprit: \S+ ended before its first formula[^\n]*\n)*written: again\.html\n$/,
    );
    const page = readFileSync(join(folder, 'again.html'), 'utf8');
    expect(page).toBe(readFileSync(join(folder, 'study', 'multi-objective.html'), 'utf8'));
    for (const figure of [3, 4, 5, 6]) expect(page).toContain(`(Fig. ${figure})`);
  });

  it('refuses impossible studies before the first campaign', () => {
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'taken', 'stringfuzz-1'), { recursive: true });
    writeFileSync(join(folder, 'taken', 'stringfuzz-1', 'mine.txt'), '');
    const refused: readonly (readonly [args: readonly string[], sentence: string])[] = [
      [['--variants', 'random'], 'There is no variant random; there are stringfuzz,'],
      [['--population', '1'], 'A population has from 2 to 100000 formulas'],
      [['--populations', '20,none'], "'20,none' is invalid"],
      [['--out', 'file'], 'file'],
      [['--out', 'taken'], 'is not empty: name a new folder'],
      [['--out', 'hunted'], 'hunted holds a campaign, not a study'],
      [['--out', 'stopped'], 'stringfuzz-1 was begun with other time (--for)'],
      [['--on', 'z3@4.8.17'], 'a study needs a reference and a target'],
    ];
    const calls = culpritMany(
      refused.map(([args]) => studyArgs(...args)),
      asUsual(),
    );
    for (const [at, { stderr, stdout, exitCode }] of calls.entries()) {
      expect(stderr).toContain(refused[at]?.[1]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    }
  });

  it('counts calls of embedded solvers without a build', () => {
    const { stdout } = cover('quick.smt2', '--json');
    const { functions, files } = JSON.parse(stdout);
    expect(Object.keys(functions).filter((name) => name.startsWith('seq_rewriter::')).length).toBeGreaterThan(
      0,
    );
    expect(files).toEqual({});
  });

  it('compares at most two runs on a page, and asks for a formula', () => {
    const says: Readonly<Record<string, string>> = {
      'slow.smt2 quick.smt2 dies.smt2 --html many.html':
        '--html shows one run or compares two, and these are 3',
      '': 'name formulas, or a build with --gcov FOLDER or --llvm-profile FILE',
      'slow.smt2 --gcov .': 'name formulas, --gcov or --llvm-profile, and only one of them',
      'slow.smt2 --sources .': '--sources belongs to --gcov and --llvm-profile: commits know their own',
      'slow.smt2 --html both.out --lcov ./both.out':
        '--html and --lcov both name both.out: name a file for each',
      '--gcov . --sources a b': '--sources names one for each build, and no more',
      '--gcov . --binary a': '--binary belongs to --llvm-profile: it names the program that was profiled',
      '--llvm-profile a': '--llvm-profile needs the program that was profiled: --binary PROGRAM',
      '--gcov solver': 'solver has neither notes (.gcno) nor counters (.gcda): compile with gcc --coverage',
      '--llvm-profile slow.smt2 --binary a': 'there is no file or folder a',
    };
    const calls = Object.keys(says).map((call) => [
      'coverage',
      ...call.split(' ').filter((word) => word !== ''),
    ]);
    const ended = culpritMany(calls, asUsual());
    for (const [at, sentence] of Object.values(says).entries()) {
      expect(ended[at]?.stderr).toContain(`culprit: ${sentence}`);
      expect(ended[at]?.stderr.split('\n')).toHaveLength(2);
      expect(ended[at]?.exitCode).toBe(2);
    }
    expect(existsSync(join(folder, 'many.html'))).toBe(false);
  });

  it.runIf(compilers().some(({ c }) => c === 'gcc'))(
    'reads builds of users, and compares two of them',
    () => {
      const text =
        'int main(int argc, char **argv) {\n  (void)argv;\n  if (argc > 1)\n    return 0;\n  return 0;\n}\n';
      writeFileSync(join(folder, 'own.c'), text);
      for (const [build, ...args] of [['quick'], ['slow', 'more']] as const) {
        mkdirSync(join(folder, build));
        const cwd = join(folder, build);
        execFileSync('gcc', ['--coverage', '-O0', '../own.c', '-o', 'own'], { cwd });
        execFileSync(join(cwd, 'own'), args, { cwd });
      }
      const against = ['--gcov', 'slow', '--against', 'quick'];
      writeFileSync(join(folder, 'slow', 'bad.gcno'), 'not notes');
      const [told, json, both] = culpritMany(
        [
          ['coverage', ...against, '--html', 'own.html', '--lcov', 'own.info'],
          ['coverage', '--gcov', 'quick', '--json'],
          ['coverage', ...against, '--json'],
        ],
        asUsual(),
      );
      expect(told?.stdout).toMatch(/^slow +1 of 1 +1 of 1 +\d of \d +3 of 4$/m);
      expect(told?.stdout).toMatch(/^only slow executes 0 functions and 1 line$/m);
      expect(told?.stderr).toContain("slow/bad.gcno cannot be read: it does not hold gcov's notes");
      expect(told?.exitCode).toBe(2);
      expect(packedIn(readFileSync(join(folder, 'own.html'), 'utf8'))).toMatchObject({
        text: text.trimEnd(),
        before: [1, -1, 1, 0, 1, -1],
        after: [1, -1, 1, 1, 0, -1],
      });
      expect(readFileSync(join(folder, 'own.info'), 'utf8')).toContain(
        `SF:${join(folder, 'own.c')}\nDA:1,1\n`,
      );
      expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
        counters: 'quick',
        sources: folder,
        functions: { main: 1 },
        files: { 'own.c': { 5: 1 } },
      });
      expect(json?.exitCode).toBe(0);
      const [, compared] = (both?.stdout ?? '').trim().split('\n');
      expect(JSON.parse(compared ?? '').compared).toEqual({
        counters: 'quick',
        onlyThis: { files: [], functions: {}, lines: { 'own.c': { 4: 1 } } },
        onlyOther: { files: [], functions: {}, lines: { 'own.c': { 5: 1 } } },
        grown: [],
      });
    },
  );

  it('writes no line file without line counters', () => {
    const { stderr, exitCode } = cover('quick.smt2', '--lcov', 'none.info');
    expect(stderr).toBe(
      'culprit: --lcov writes lines, and these versions count calls: add ?coverage to a commit.\n',
    );
    expect(exitCode).toBe(2);
    expect(existsSync(join(folder, 'none.info'))).toBe(false);
  });

  it('names a version that does not count', () => {
    expect(cover('quick.smt2', '--on', 'git:solver@main').stderr).toContain('?coverage');
    writeFileSync(
      join(folder, 'culprit.json'),
      JSON.stringify({
        builders: {
          own: {
            repository: 'solver',
            build: ['true'],
            coverage: ['$CC z3.c -o "$CULPRIT_BUILD/z3"'],
            binary: '$CULPRIT_BUILD/z3',
          },
        },
      }),
    );
    const { stderr, exitCode } = cover('quick.smt2', '--on', here);
    expect(stderr).toContain('the build has no counters');
    expect(exitCode).toBe(2);
  });
});
