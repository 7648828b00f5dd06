import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, culpritMany, type Ended, startCulprit } from './culprit.js';

/** The program of AFTER's Fig. 6, line by line; the argument selects its four changes. */
const figure6 = (changes: readonly number[]): string => {
  const chosen = (change: number, old: string, next: string): string =>
    changes.includes(change) ? next : old;
  return `${chosen(1, '_Bool sorted = 1;', '_Bool sorted = 0;')}
int f(int x, int y, int z) {
  int sum = 0;
  if (!sorted) {
${chosen(2, '    if (x > y)', '    if (x < y)')}
      sum += x;
    else
      sum += y;
  } else
    sum += x;
  if (z > 0)
${chosen(3, '    sum += z;', '    sum += (0 - z);')}
  else
${chosen(4, '    sum += (0 - z);', '    sum += z;')}
  return sum;
}
int main(void) {
  return f(3, 2, 1) != 4;
}
`;
};

let folder: string;
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
/** One run is enough for deterministic programs. */
const explain = (...args: readonly string[]) => {
  const isAsked = args.includes('--repeat') || args.includes('--resume');
  return culprit(['explain', ...args, ...(isAsked ? [] : ['--repeat', '1'])], { cwd: folder });
};
/** Imitates a kill before its end. */
const unfinished = (): void => rmSync(join(folder, 'why/explanation.json'));
const bothFolders = ['--old', 'old', '--new', 'new', '--build', 'cc -o prog main.c', '--test', './prog'];

interface Told {
  readonly blamed: readonly { readonly file: string; readonly newLines: { readonly from: number } }[];
  readonly auxiliary: readonly { readonly newLines: { readonly from: number } }[];
  readonly isRepaired: boolean;
  readonly patch: string;
}
const linesOf = (changes: Told['blamed' | 'auxiliary']) => changes.map(({ newLines }) => newLines.from);
const told = (...args: readonly string[]): Told => {
  const { exitCode, stdout, stderr } = explain(...args, '--json');
  expect(stderr).not.toContain('culprit: ');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Told;
};

beforeEach(() => {
  folder = temporaryFolder('explain');
});

describe('culprit explain in every format', () => {
  let shared: string;
  let ended: Ended;

  beforeAll(() => {
    shared = temporaryFolder('explained');
    folder = shared;
    write('old/main.c', figure6([]));
    write('new/main.c', figure6([1, 2, 3, 4]));
    const forms = ['--html', 'why.html', '--markdown', 'why.md', '--json'];
    ended = explain(...bothFolders, '--out', 'why', ...forms);
  });

  beforeEach(() => {
    folder = shared;
  });

  it('completes without a warning', () => {
    expect(ended.stderr).not.toContain('culprit: ');
    expect(ended.exitCode).toBe(0);
  });

  it('blames c2 and c3 of the paper’s Fig. 6, which repair the test only together', () => {
    const { blamed, auxiliary, isRepaired, patch } = JSON.parse(ended.stdout) as Told;
    expect(linesOf(blamed).toSorted((a, b) => a - b)).toEqual([5, 12]);
    expect(auxiliary).toEqual([]);
    expect(isRepaired).toBe(true);
    execFileSync('git', ['apply', '-'], { cwd: join(folder, 'new'), input: patch });
    expect(readFileSync(join(folder, 'new/main.c'), 'utf8')).toBe(figure6([1, 4]));
  });

  it('stores its result, so that reports need no further run', () => {
    const { stdout, stderr } = ended;
    expect(stderr).toContain('why.html');
    // --repeat 1 is not the default; the other limits are.
    expect(readFileSync(join(folder, 'why.md'), 'utf8')).toContain('--test ./prog --repeat 1\n');
    const page = readFileSync(join(folder, 'why.html'), 'utf8');
    expect(page).toContain('<title>2 changes to blame between old and new</title>');
    expect(page).toContain('<summary>the failure at main.c:');
    // The sources and objects may be gone.
    for (const gone of ['tree', 'old', 'traced', 'changes.json'])
      rmSync(join(folder, 'why', gone), { recursive: true });
    const journal = readFileSync(join(folder, 'why/journal.ndjson'), 'utf8');
    const report = (...args: readonly string[]) => culprit(['report', 'why', ...args], { cwd: folder });
    expect(JSON.parse(report('--json').stdout)).toEqual(JSON.parse(stdout));
    expect(report('--html', '-').stdout).toBe(page);
    expect(report('--markdown', '-').stdout).toBe(readFileSync(join(folder, 'why.md'), 'utf8'));
    expect(report().stdout).toContain('decided at main.c:5 whether it is executed, forced by');
    expect(explain('--resume', 'why', '--json').stdout).toBe(stdout);
    expect(readFileSync(join(folder, 'why/journal.ndjson'), 'utf8')).toBe(journal);
    expect(explain('--resume', 'why', '--html', 'again.html').stderr).toContain('again.html');
  });
});

describe('culprit explain', () => {
  beforeEach(() => {
    write('old/main.c', figure6([]));
    write('new/main.c', figure6([1, 2, 3, 4]));
  });

  it('finds the same with Algorithm 1 to the letter', async () => {
    const { blamed, auxiliary, isRepaired } = told(...bothFolders, '--strategy', 'after');
    expect(linesOf(blamed).toSorted((a, b) => a - b)).toEqual([5, 12]);
    expect(auxiliary).toEqual([]);
    expect(isRepaired).toBe(true);
  });

  it("leaves the user's folders unchanged, and names the patch", async () => {
    const { exitCode, stdout, stderr } = explain(...bothFolders, '--strategy', 'dd', '--out', 'why');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 change to blame');
    expect(stdout).toContain('main.c:12 in f');
    expect(stderr).toContain('written: why/revert.patch');
    expect(stderr).toContain('reverting it alone does not repair the test: dd names a difference');
    expect(readdirSync(join(folder, 'new'))).toEqual(['main.c']);
    expect(readdirSync(join(folder, 'old'))).toEqual(['main.c']);
  });

  it('blames c3 alone with delta debugging, and reports that this is no repair', async () => {
    const { blamed, isRepaired } = told(...bothFolders, '--strategy', 'dd');
    expect(linesOf(blamed)).toEqual([12]);
    expect(isRepaired).toBe(false);
  });

  it('reports the minimum number of remaining builds with delta debugging', () => {
    const { stderr } = culprit(['explain', ...bothFolders, '--strategy', 'dd', '--repeat', '1'], {
      cwd: folder,
      env: { CULPRIT_PROGRESS: '0' },
    });
    // Half of four changes, and half of these.
    expect(stderr).toContain('reverting changes: 1 built, 1 of them tested, at least 1 to go');
  });

  it.each([
    'culprit',
    'after',
  ])('names changes that must be reverted too so that it compiles, as in the paper’s Fig. 4: %s', async (strategy) => {
    const figure4 = (name: string, more: number): string =>
      `int x;\nint ${name};\nint z;\nint main(void) {\n  x = 4;\n  ${name} = 4;\n  x++;\n  z = x + ${name} + ${more};\n  return z != 10;\n}\n`;
    write('old/main.c', figure4('y', 1));
    write('new/main.c', figure4('m', 3));
    const { blamed, auxiliary, isRepaired } = told(...bothFolders, '--strategy', strategy);
    expect(isRepaired).toBe(true);
    // To the letter, the first tried change is blamed, without the changes it needs to compile.
    if (strategy === 'culprit') expect(linesOf(blamed)).toContain(8);
    expect([...linesOf(blamed), ...linesOf(auxiliary)].toSorted()).toEqual([2, 6, 8]);
  });

  it('accepts commits of a repository, which it only reads', async () => {
    const repository = temporaryFolder('explained');
    initRepository(repository);
    const commit = (changes: readonly number[]): void => {
      writeFileSync(join(repository, 'main.c'), figure6(changes));
      gitIn(repository, ['add', '-A']);
      gitIn(repository, ['commit', '-q', '-m', `with ${changes.join()}`]);
    };
    commit([]);
    commit([1, 2, 3, 4]);
    writeFileSync(join(repository, 'main.c'), 'not what was committed');
    const { blamed } = told(
      ...['--repo', repository, '--old', 'HEAD~1', '--build', 'cc -o prog main.c', '--test', './prog'],
      ...['--strategy', 'dd'],
    );
    expect(linesOf(blamed)).toEqual([12]);
    expect(readdirSync(repository).toSorted()).toEqual(['.git', 'main.c']);
  });

  it('compares only the files of --only', async () => {
    write('old/notes.txt', 'one\n');
    write('new/notes.txt', 'two\n');
    const all = JSON.parse(explain(...bothFolders, '--strategy', 'dd', '--json').stdout) as {
      changes: number;
    };
    const some = JSON.parse(
      explain(...bothFolders, '--strategy', 'dd', '--only', './main.c', '--json').stdout,
    ) as typeof all;
    expect([all.changes, some.changes]).toEqual([5, 4]);
  });

  it('resumes after a kill, ends processes left running, and builds nothing twice', async () => {
    // The fifth build hangs, and would damage its tree if it ever ended.
    write(
      'build.sh',
      'echo x >> "$LOG"\nif [ $(wc -l < "$LOG") -eq 5 ]; then touch "$REACHED"; sleep 5; echo spoiled > main.c; fi\ncc -o prog main.c\n',
    );
    const env = { LOG: join(folder, 'log'), REACHED: join(folder, 'reached') };
    const options = bothFolders.map((word) =>
      word.startsWith('cc ') ? `sh ${join(folder, 'build.sh')}` : word,
    );
    const { child, ended } = startCulprit(['explain', ...options, '--out', 'why'], folder, env);
    while (!existsSync(env.REACHED)) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(child.pid ?? 0, 'SIGKILL');
    await ended;
    const journal = join(folder, 'why/journal.ndjson');
    const before = readFileSync(journal, 'utf8');
    const { exitCode, stdout } = culprit(['explain', '--resume', 'why', '--json'], { cwd: folder, env });
    expect(exitCode).toBe(0);
    expect(linesOf((JSON.parse(stdout) as Told).blamed).toSorted((a, b) => a - b)).toEqual([5, 12]);
    const after = readFileSync(journal, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    const sets = after
      .trim()
      .split('\n')
      .map((line) => JSON.stringify((JSON.parse(line) as { reverted: number[] }).reverted))
      // The tests of both versions are repeated to be sure.
      .filter((set) => set !== '[]' && set !== '[1,2]');
    expect(new Set(sets).size).toBe(sets.length);
  });

  it('rebuilds the old version after a kill during its build', async () => {
    // The first build is cut off with half a program in place, which looks finished to a later build.
    write(
      'build.sh',
      '[ ! -e prog ] || [ main.c -nt prog ] || exit 0\nif [ ! -e "$REACHED" ]; then echo half > prog; touch "$REACHED"; sleep 5; exit 1; fi\ncc -o prog main.c\n',
    );
    const env = { REACHED: join(folder, 'reached') };
    const script = `sh ${join(folder, 'build.sh')}`;
    const options = bothFolders.map((word) => (word.startsWith('cc ') ? script : word));
    const asked = ['explain', ...options, '--repeat', '1', '--strategy', 'dd', '--out', 'why'];
    const { child, ended } = startCulprit(asked, folder, env);
    while (!existsSync(env.REACHED)) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(child.pid ?? 0, 'SIGKILL');
    await ended;
    const { stderr } = culprit(['explain', '--resume', 'why'], { cwd: folder, env });
    expect(stderr).not.toContain('the test fails on');
    expect(existsSync(join(folder, 'why/explanation.json'))).toBe(true);
  });
});

describe('culprit explain reports in one sentence', () => {
  const refused = (says: string, ...args: readonly string[]): void => {
    const { exitCode, stderr } = explain(...args);
    expect(stderr).toContain(says);
    expect(exitCode).toBe(2);
  };
  const testedBy = (test: string): readonly string[] => [...bothFolders.slice(0, -1), test];

  beforeEach(() => {
    write('old/main.c', figure6([]));
    write('new/main.c', figure6([1, 2, 3, 4]));
  });

  it('that the test passes on both', () => refused('there is no failure to explain', ...testedBy('true')));
  it('that the test fails on both', () =>
    refused('name an older version on which it passes', ...testedBy('false')));
  it('that the test never ends', () =>
    refused('the test does not end on ', ...testedBy('sleep 100'), '--timeout', '300ms'));
  it('that the test takes more time or memory than it may', () => {
    refused(
      'old: ended after 0.3 s of processor time',
      ...testedBy('while :; do :; done'),
      ...['--timeout', '300ms'],
    );
    refused(
      'old: ended at its limit of 64 MB of memory',
      ...testedBy('tail /dev/zero'),
      ...['--memory', '64MB'],
    );
  });

  it('that the test is flaky', () =>
    refused(
      'the test is flaky: on ',
      ...testedBy(`if [ -e ${join(folder, 'x')} ]; then exit 1; fi; touch ${join(folder, 'x')}`),
      ...['--repeat', '3'],
    ));

  it('that an explanation is unfinished or damaged', () => {
    explain(...bothFolders, '--strategy', 'dd', '--out', 'why');
    const report = () => culprit(['report', 'why'], { cwd: folder }).stderr;
    const kept = join(folder, 'why/explanation.json');
    const { tree: _, ...whole } = JSON.parse(readFileSync(kept, 'utf8')) as Record<string, unknown>;
    const cause = { decides: 'failure', isForced: true, lines: [], changes: [] };
    const endless = Array.from({ length: 100_000 }, (_, at) =>
      at === 0 ? cause : { ...cause, parent: at - 1 },
    );
    for (const tree of [
      [{ ...cause, parent: 0 }],
      [cause, cause],
      [cause, { ...cause, parent: 7 }],
      endless,
    ]) {
      writeFileSync(kept, JSON.stringify({ ...whole, tree }));
      expect(report()).toContain('explanation.json is damaged');
    }
    writeFileSync(kept, '{');
    expect(report()).toContain('explanation.json is damaged');
    unfinished();
    expect(report()).toContain('resume it with: culprit explain --resume why');
  });

  it('which version does not build', async () => {
    write('old/main.c', 'int main(void) { return nothing; }\n');
    refused('old does not build', ...bothFolders);
    write('old/main.c', figure6([]));
    write('new/main.c', 'int main(void) { return nothing; }\n');
    const { stderr } = explain(...bothFolders);
    expect(stderr).toMatch(/^culprit: .*new does not build: main\.c:1:.* error: .*nothing.*\.\n$/m);
    expect(stderr).not.toContain('resume');
    refused('new does not build', ...bothFolders);
  });

  it('that the versions are the same', async () => {
    write('new/main.c', figure6([]));
    refused('nothing to blame', ...bothFolders);
  });

  it('a missing argument, an unknown version, a folder without an explanation', () => {
    const named = (from: RegExp, to: string) => bothFolders.map((word) => (from.test(word) ? to : word));
    const asked: readonly (readonly [says: string, args: readonly string[]])[] = [
      ['how to build and how to test', ['--old', 'old', '--repeat', '1']],
      [
        'is neither a folder nor a commit',
        [...named(/^old$/, 'v9'), '--repo', process.cwd(), '--repeat', '1'],
      ],
      ['is neither a folder nor a commit', [...named(/^old$/, 'v9'), '--repeat', '1']],
      ['no folder nowhere', ['--resume', 'nowhere']],
      ['--build is empty', [...named(/^cc/, ''), '--repeat', '1']],
    ];
    const ended = culpritMany(
      asked.map(([, args]) => ['explain', ...args]),
      { cwd: folder },
    );
    expect(ended).toHaveLength(asked.length);
    for (const [at, { stderr, exitCode }] of ended.entries()) {
      expect(stderr).toContain(asked[at]?.[0]);
      expect(exitCode).toBe(2);
    }
  });

  it("that a stranger's campaign names commands nobody allowed", async () => {
    explain(...bothFolders, '--strategy', 'dd', '--out', 'why');
    const settings = join(folder, 'why/campaign.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('./prog', 'touch /tmp/owned'));
    refused('which you have not named on this machine', '--resume', 'why');
    // Reading runs nothing.
    expect(culprit(['report', 'why'], { cwd: folder }).exitCode).toBe(0);
  });

  it("that a stranger's campaign names a file outside of the sources", () => {
    explain(...bothFolders, '--strategy', 'dd', '--out', 'why');
    unfinished();
    write('mine.c', 'kept');
    const changes = join(folder, 'why/changes.json');
    writeFileSync(changes, readFileSync(changes, 'utf8').replace('"main.c"', '"../../../mine.c"'));
    refused('changes.json is damaged', '--resume', 'why');
    expect(readFileSync(join(folder, 'mine.c'), 'utf8')).toBe('kept');
  });
});

describe('culprit explain --slower-than', () => {
  /** A table of numbers whose steps are counted; one of three changes makes it slow. */
  const program = (isNew: boolean): string => `#include <stdio.h>
#include <string.h>
static int table[4096];
static long steps;
static int hash(int x) {
  return ${isNew ? '(x & 7)' : '(x * 31 & 4095)'};
}
static void put(int x) {
  int at = hash(x);
  while (table[at]) {
    steps++;
    at = at + 1 & 4095;
  }
  table[at] = x;
}
int main(void) {
${isNew ? '  int i;\n  memset(table, 0, sizeof table);' : '  int i = 0;'}
  for (i = 1; i < 500; i++) {
    put(i);
    steps++;
  }
  printf("%ld steps: %ld\\n", ${isNew ? 'steps + 0' : 'steps'}, steps);
  return 0;
}
`;

  beforeEach(() => {
    write('old/main.c', program(false));
    write('new/main.c', program(true));
  });

  it('names the change that adds work, and the functions with more work', () => {
    const slow = ['--slower-than', '3', '--prints', '--out', 'why'];
    const found = told(...bothFolders, ...slow) as Told & {
      readonly slowdown: {
        readonly old: number;
        readonly new: number;
        readonly repaired: number;
        readonly functions: readonly { readonly name: string }[];
      };
    };
    expect(linesOf(found.blamed)).toEqual([6]);
    expect(found.auxiliary).toEqual([]);
    expect(found.isRepaired).toBe(true);
    const { old, new: next, repaired, functions } = found.slowdown;
    expect([old, repaired]).toEqual([499, 499]);
    expect(next).toBeGreaterThan(50_000);
    expect(functions.map(({ name }) => name)).toContain('put');
    expect(functions.map(({ name }) => name)).not.toContain('hash');
    const { stdout } = culprit(['report', 'why'], { cwd: folder });
    expect(stdout).toMatch(/the test prints \d+k instead of 499, and 499 with these changes reverted/);
    expect(stdout).toMatch(/before +after +function +file\n.*put +main\.c/);
    // Cut off after it had counted, it counts again.
    unfinished();
    expect((told('--resume', 'why') as typeof found).slowdown.functions).toEqual(functions);
  });

  it('counts executed lines of objects from a compiler cache', () => {
    mkdirSync(join(folder, 'kept'));
    write(
      'ccache',
      `#!/bin/sh
# What was made of the same text before, by whatever compiler.
[ -z "$CCACHE_DISABLE" ] || exec "$@"
kept='${join(folder, 'kept')}'/$(cksum <main.c | tr ' ' -)
[ -e "$kept" ] || { "$@" && cp main.o "$kept" && exit; }
cp "$kept" main.o
`,
    );
    chmodSync(join(folder, 'ccache'), 0o755);
    const build = `'${join(folder, 'ccache')}' cc -c main.c -o main.o && cc main.o -o prog`;
    const asked = ['--old', 'old', '--new', 'new', '--build', build, '--test', './prog'];
    const found = told(...asked, '--slower-than', '3', '--prints') as Told & {
      readonly slowdown: { readonly functions: readonly { readonly name: string }[] };
    };
    expect(linesOf(found.blamed)).toEqual([6]);
    expect(found.slowdown.functions.map(({ name }) => name)).toContain('put');
  });

  it('counts executed lines if headers are precompiled', () => {
    for (const version of ['old', 'new']) write(`${version}/own.h`, 'int own(void);\n');
    const build = 'cc -x c-header own.h -o one && cc own.h -o own.h.gch && cc -o prog main.c';
    const asked = ['--old', 'old', '--new', 'new', '--build', build, '--test', './prog'];
    const found = told(...asked, '--slower-than', '3', '--prints') as Told & {
      readonly slowdown: { readonly functions: readonly { readonly name: string }[] };
    };
    expect(found.slowdown.functions.map(({ name }) => name)).toContain('put');
  });

  it('reports tests that are not slower or print no number', () => {
    const refused = (says: string, ...args: readonly string[]): void => {
      const { exitCode, stderr } = explain(...args);
      expect(stderr).toContain(says);
      expect(exitCode).toBe(2);
    };
    refused('there is no slowdown to explain', ...bothFolders, '--slower-than', '1e6', '--prints');
    const silent = [...bothFolders.slice(0, -1), 'true'];
    refused('the test prints no number', ...silent, '--slower-than', '2', '--prints');
    refused('--prints measures a slowdown', ...bothFolders, '--prints');
    refused('above 1', ...bothFolders, '--slower-than', '1');
  });
});

describe('a resumed culprit explain', () => {
  it('writes nothing through a link in place of the sources', () => {
    write('old/main.c', figure6([]));
    write('new/main.c', figure6([1, 2, 3, 4]));
    write('mine/main.c', 'kept');
    explain(...bothFolders, '--strategy', 'dd', '--out', 'why');
    unfinished();
    writeFileSync(join(folder, 'why/journal.ndjson'), '');
    rmSync(join(folder, 'why/tree/source'), { recursive: true });
    symlinkSync(join(folder, 'mine'), join(folder, 'why/tree/source'));
    expect(explain('--resume', 'why').exitCode).toBe(0);
    expect(readFileSync(join(folder, 'mine/main.c'), 'utf8')).toBe('kept');
    expect(readdirSync(join(folder, 'mine'))).toEqual(['main.c']);
  });

  it('reports differences that are never reverted, even if they are to blame', () => {
    write('old/main.c', figure6([]));
    write('new/main.c', figure6([1, 2, 3, 4]));
    write('new/picture.bin', '\0');
    for (const version of ['old', 'new']) write(`${version}/run.sh`, './prog\n');
    chmodSync(join(folder, 'old/run.sh'), 0o755);
    const { stdout } = explain(...bothFolders, '--strategy', 'dd');
    expect(stdout).toContain('files that are not text differ and are not reverted: picture.bin');
    expect(stdout).toContain('executable permissions differ and are not reverted: run.sh');
    const { stderr } = explain(...bothFolders.slice(0, -1), 'test -x run.sh', '--strategy', 'culprit');
    expect(stderr).toMatch(/still fails: .*; executable permissions differ .*: run\.sh/);
  });
});
