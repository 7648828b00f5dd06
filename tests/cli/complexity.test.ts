import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitIn, initRepository } from '../git-repository.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

let folder: string;
const git = (...args: readonly string[]): string => gitIn(folder, args);
const write = (name: string, text: string | Buffer): void => writeFileSync(join(folder, name), text);
const commit = (subject: string): string => {
  git('add', '-A');
  git('commit', '-q', '-m', subject);
  return git('rev-parse', 'HEAD');
};
const run = (...args: readonly string[]) => culprit(['complexity', ...args], { cwd: folder });

const main = (last: string): string => `#include <stdio.h>
int main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < argc; i++)
    {
      if (argv[i][0] == '-')
        sum += 2;
      ${last}
    }
  printf ("%d\\n", sum);
  return 0;
}
`;

const commits = { first: '', changed: '', comment: '', binary: '', merge: '', gone: '' };

beforeAll(() => {
  folder = temporaryFolder('complexity-command');
  initRepository(folder);
  write('a.c', main('sum++;'));
  write('README', 'words\n');
  commits.first = commit('Begin');
  write('a.c', main('sum += i > 3 && argc ? 1 : 2;'));
  commits.changed = commit('Count differently');
  write('a.c', `/* why */\n${main('sum += i > 3 && argc ? 1 : 2;')}`);
  commits.comment = commit('Say why');
  write('b.c', Buffer.from([1, 0, 2]));
  commits.binary = commit('Add a picture under a wrong name');
  git('checkout', '-q', '-b', 'side', commits.changed);
  mkdirSync(join(folder, 'lib'));
  write('lib/x.c', 'int x (int a)\n{\n  return a ? 1 : 2;\n}\n');
  commit('Beside it');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-edit', 'side');
  commits.merge = git('rev-parse', 'HEAD');
  git('rm', '-q', 'a.c', 'b.c', 'lib/x.c');
  commits.gone = commit('Delete everything');
});

describe('culprit complexity', () => {
  it('prints the complexity of a commit, with its functions', () => {
    const { stdout, exitCode } = run(commits.changed);
    expect(stdout).toMatch(new RegExp(`${commits.changed.slice(0, 10)} +\\d+ +1 +1 +1 `));
    expect(stdout).toContain('main  a.c:2  1 line');
    expect(stdout).not.toContain('note:');
    expect(exitCode).toBe(0);
  });

  it('measures plain code the same with and without the compiler', () => {
    const number = (...args: readonly string[]): number =>
      JSON.parse(run(commits.changed, '--json', ...args).stdout).complexity;
    expect(number()).toBe(number('--no-compiler'));
  });

  it('measures 0 for a changed comment', () => {
    expect(JSON.parse(run(commits.comment, '--json').stdout)).toMatchObject({ complexity: 0, lines: 0 });
  });

  it('shows a range, exits with code 1 above the limit, and sorts by complexity on request', () => {
    const range = `${commits.first}..${commits.comment}`;
    const all = run(range);
    expect(all.stdout.trim().split('\n').slice(2)).toEqual(['1 more of complexity 0 (--all shows them)']);
    expect(all.exitCode).toBe(0);
    expect(run(range, '--all').stdout.trim().split('\n')).toHaveLength(3);
    const { complexity } = JSON.parse(run(commits.changed, '--json').stdout);
    expect(run(range, '--max', '1')).toMatchObject({
      exitCode: 1,
      stderr: `culprit: 1 of 2 above 1: ${commits.changed.slice(0, 10)} (${complexity})\n`,
    });
    expect(run(range, '--top', '1').stdout).toContain('Count differently');
    expect(run(range, '--whole', '--json').stdout.trim().split('\n')).toHaveLength(1);
  });

  it('refuses --program for a range before it reads the program', () => {
    const { stderr, exitCode } = run(`${commits.first}..${commits.comment}`, '--program', 'nowhere');
    expect(stderr).toBe('culprit: --program needs a single change: name one commit, or add --whole\n');
    expect(exitCode).toBe(2);
    expect(run(`${commits.first}..${commits.comment}`, '--whole', '--program', 'nowhere').stderr).toContain(
      'nowhere',
    );
  });

  it('draws the graph as SVG and for Graphviz', () => {
    const [svg, dot] = [
      join(folder, '..', 'complexity-graph.svg'),
      join(folder, '..', 'complexity-graph.dot'),
    ];
    try {
      run(commits.changed, '--graph', svg);
      const drawn = readFileSync(svg, 'utf8');
      expect(drawn).toContain('sum += i &gt; 3 &amp;&amp; argc ? 1 : 2;');
      expect(drawn).toContain(`<title>change sequence graph of ${commits.changed.slice(0, 10)}</title>`);
      // The entry stands above all others.
      const tops = [...drawn.matchAll(/<g class="(\w+)"><rect x="[-\d.]+" y="([-\d.]+)"/g)];
      // The picture has a text description.
      expect(drawn).toMatch(
        /<text class="about"[^>]*>Count differently \(complexity \d+, \d+ changed blocks?, \d+ edges\)<\/text>/,
      );
      const [first = 0, ...others] = tops.map(([, , y]) => Number(y));
      expect(tops[0]?.[1]).toBe('end');
      expect(Math.min(...others)).toBeGreaterThan(first);
      run(commits.changed, '--graph', dot);
      expect(readFileSync(dot, 'utf8')).toMatch(/^digraph changes \{[\s\S]*"entry" -> "0";[\s\S]*\}\n$/);
      expect(run(commits.changed, '--graph', 'x.png')).toMatchObject({ exitCode: 2 });
    } finally {
      rmSync(svg, { force: true });
      rmSync(dot, { force: true });
    }
  });

  it('writes a page that names the commit above the limit and hides changes of complexity 0', () => {
    const place = temporaryFolder('complexity-page');
    const range = `${commits.first}..${commits.comment}`;
    const at = (name: string): string => join(place, name);
    try {
      const { complexity } = JSON.parse(run(commits.changed, '--json').stdout);
      const written = run(range, '--max', '1', '--html', at('changes.html'));
      expect(written).toMatchObject({ exitCode: 1 });
      expect(written.stderr).toBe(
        `written: ${at('changes.html')}\nculprit: 1 of 2 above 1: ${commits.changed.slice(0, 10)} (${complexity})\n`,
      );
      const page = readFileSync(at('changes.html'), 'utf8');
      expect(page).toContain('<b>1 of 2 above 1</b>');
      expect(page).toContain(`<code>${commits.changed.slice(0, 10)}</code></a> (${complexity}).`);
      expect(page).toContain('1 more change of complexity 0');
      expect(page).toContain('<ins class="line changed counted" data-line="9">');
      expect(page).not.toContain('Say why');
      run(range, '--all', '--html', at('all.html'));
      expect(readFileSync(at('all.html'), 'utf8')).toContain('Say why');
      // An existing file is kept.
      expect(run(range, '--html', at('all.html'), '--max', '0')).toMatchObject({ exitCode: 1 });
      const printed = run(commits.changed, '--html', '-');
      expect(printed.stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
      expect(run(commits.changed, '--html', '-', '--json')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('only one form goes to standard output'),
      });
    } finally {
      removeFolder(place);
    }
  });

  it('follows calls through a built program, prints where changes interact, and draws it', () => {
    const place = temporaryFolder('complexity-program');
    const files = (isNew: boolean) => ({
      'main.c': `extern void (*hook) (int);\nint total;\nint main (int argc, char **argv)\n{\n  total = argc${isNew ? ' * 2' : ''};\n  hook (argc);\n  return 0;\n}\n`,
      'show.c': `#include <stdio.h>\nextern int total;\nstatic int scale;\nstatic void show (int at)\n{\n  scale = at${isNew ? ' + 1' : ''};\n  int sum = scale + total;\n  printf ("%d < \\n", sum);\n}\nvoid (*hook) (int) = show;\n`,
    });
    for (const name of ['old', 'new']) {
      mkdirSync(join(place, name));
      for (const [file, text] of Object.entries(files(name === 'new')))
        writeFileSync(join(place, name, file), text);
    }
    const database = ['main.c', 'show.c'].map((file) => ({
      ...{ directory: join(place, 'new'), file },
      arguments: ['cc', '-g', '-c', file],
    }));
    writeFileSync(join(place, 'new/compile_commands.json'), JSON.stringify(database));
    const there = (...args: readonly string[]) =>
      culprit(['complexity', '--folders', 'old', 'new', '--program', 'new/compile_commands.json', ...args], {
        cwd: place,
      });
    const { graph, interactions, interactionGraph } = JSON.parse(there('--json').stdout);
    expect(graph.edges).toContainEqual([0, 1]);
    expect(interactions).toMatchObject([{ at: { file: 'show.c', line: 7, function: 'show' } }]);
    expect(
      interactionGraph.nodes.map(({ kind, line }: { kind: string; line: number }) => `${kind} ${line}`),
    ).toEqual(expect.arrayContaining(['change 5', 'change 6', 'interaction 7', 'output 8']));
    expect(interactionGraph.edges.length).toBeGreaterThan(2);
    expect(there().stdout).toMatch(
      /changes can interact at +in +changed lines\nshow\.c:7 +show +(main\.c:5, 6|6, main\.c:5)/,
    );
    there('--graph', 'changes.svg');
    const svg = readFileSync(join(place, 'changes.svg'), 'utf8');
    expect(svg).toContain(
      '<title>change sequence graph of old to new with potential interaction locations</title>',
    );
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).toContain('<g class="interaction">');
    expect(svg).toContain('7: int sum = scale + total;');
    there('--graph', 'changes.dot');
    expect(readFileSync(join(place, 'changes.dot'), 'utf8')).toMatch(
      /^digraph changes \{\n {2}label="[\s\S]*label="can interact: show {2}show\.c:7\\l7: int sum = scale \+ total;\\l"[\s\S]*\}\n$/,
    );
  });

  it('measures uncommitted changes, and two folders', () => {
    mkdirSync(join(folder, 'old'));
    mkdirSync(join(folder, 'new'));
    write('old/a.c', main('sum++;'));
    write('new/a.c', main('sum--;'));
    const folders = JSON.parse(run('--folders', 'old', 'new', '--json').stdout);
    expect(folders).toMatchObject({ change: 'old to new', lines: 1, files: ['a.c'] });
    write('README', 'other words\n');
    expect(run().stdout).toMatch(/not committed +0 +0/);
    git('checkout', '-q', commits.changed);
    write('a.c', main('sum += 7;'));
    expect(JSON.parse(run('--json').stdout)).toMatchObject({ change: 'not committed', lines: 1 });
    git('checkout', '-q', '-f', 'main');
    rmSync(join(folder, 'old'), { recursive: true });
    rmSync(join(folder, 'new'), { recursive: true });
  });

  it('sees added jumps with and without the compiler', () => {
    const place = temporaryFolder('complexity-jumps');
    const text = (jump: string): string =>
      `int g (int);\nint f (int n)\n{\n  int sum = 0;\n  for (int i = 0; i < n; i++)\n    {\n      if (g (i))\n        {\n          sum++;\n          ${jump}\n        }\n      g (sum);\n    }\n  return sum;\n}\n`;
    try {
      for (const [name, jump] of [
        ['old', ''],
        ['new', 'break;'],
      ] as const) {
        mkdirSync(join(place, name));
        writeFileSync(join(place, name, 'a.c'), text(jump));
      }
      const measure = (...args: readonly string[]) =>
        JSON.parse(
          culprit(['complexity', '--folders', 'old', 'new', '--json', ...args], { cwd: place }).stdout,
        );
      expect(measure()).toMatchObject({ lines: 1, complexity: 1 });
      expect(measure('--no-compiler')).toMatchObject({ lines: 1, complexity: 1 });
    } finally {
      removeFolder(place);
    }
  });

  it('measures untracked and renamed files, macros at their uses, and reports unknown parts', () => {
    const clone = temporaryFolder('complexity-files');
    const there = (...args: readonly string[]) => culprit(['complexity', '--json', ...args], { cwd: clone });
    const gitThere = (...args: readonly string[]): string => gitIn(clone, args);
    try {
      gitThere('init', '-q');
      writeFileSync(join(clone, 'a.h'), '#define LEN 3\n');
      writeFileSync(join(clone, 'use.c'), '#include "a.h"\nint f (int a)\n{\n  return a + LEN;\n}\n');
      writeFileSync(join(clone, 'a.c'), main('sum++;'));
      gitThere('add', '-A');
      gitThere('commit', '-q', '-m', 'Begin');
      gitThere('mv', 'a.c', 'b.c');
      writeFileSync(join(clone, 'b.c'), main('sum--;'));
      expect(JSON.parse(there().stdout)).toMatchObject({ lines: 1, files: ['b.c'] });
      gitThere('checkout', '-q', '-f', 'HEAD');
      gitThere('reset', '-q', '--hard');
      writeFileSync(join(clone, 'a.h'), '#define LEN 4\n');
      writeFileSync(join(clone, 'fresh.c'), 'int fresh (void)\n{\n  return 1;\n}\n');
      const { functions, notes } = JSON.parse(there().stdout);
      expect(functions).toMatchObject([{ name: 'f', file: 'use.c' }]);
      expect(notes).toContain('fresh.c is left out: untracked; add new files with git add -N');
      expect(there('--max', '0').exitCode).toBe(1);
    } finally {
      removeFolder(clone);
    }
  });

  it('compares with the merge base, and reports a shallow clone', () => {
    const range = `side...${commits.comment}`;
    expect(JSON.parse(run(range, '--whole', '--json').stdout)).toMatchObject({ complexity: 0, lines: 0 });
    const shallow = temporaryFolder('complexity-shallow');
    try {
      gitIn(folder, ['clone', '-q', '--depth', '1', `file://${folder}`, shallow]);
      expect(culprit(['complexity', 'HEAD'], { cwd: shallow })).toMatchObject({
        exitCode: 3,
        stdout: '',
        stderr: expect.stringContaining('run git fetch --unshallow'),
      });
    } finally {
      removeFolder(shallow);
    }
  });

  it('compiles files by a compile_commands.json in any folder', () => {
    const project = temporaryFolder('complexity-database');
    const gitThere = (...args: readonly string[]): string => gitIn(project, args);
    try {
      gitThere('init', '-q');
      for (const name of ['src', 'build']) mkdirSync(join(project, name));
      writeFileSync(join(project, '.gitignore'), 'build\n');
      writeFileSync(join(project, 'build/config.h'), '#define WIDE 1\n');
      const text = (n: number) =>
        `#include "config.h"\n#include "own.h"\nint f (int a)\n{\n  return a + OWN + WIDE + ${n};\n}\n`;
      writeFileSync(join(project, 'src/own.h'), '#define OWN 1\n');
      writeFileSync(join(project, 'src/a.c'), text(1));
      gitThere('add', '-A');
      gitThere('commit', '-q', '-m', 'Begin');
      writeFileSync(join(project, 'src/a.c'), text(2));
      gitThere('commit', '-q', '-a', '-m', 'Change');
      // The files in the work tree do not compile; the commit does.
      writeFileSync(join(project, 'src/a.c'), '#error nothing\n');
      const entry = {
        directory: join(project, 'build'),
        file: '../src/a.c',
        arguments: ['cc', '-I.', '-I../src', '-c', '../src/a.c', '-o', 'a.o'],
      };
      writeFileSync(join(project, 'build/compile_commands.json'), JSON.stringify([entry]));
      const { stdout } = culprit(
        ['complexity', 'HEAD', '--compile-commands', '../build/compile_commands.json', '--json'],
        { cwd: join(project, 'src') },
      );
      expect(JSON.parse(stdout)).toMatchObject({ lines: 1, complexity: 1, notes: [] });
    } finally {
      removeFolder(project);
    }
  });

  it('reports the files it skips, and measures the others', () => {
    expect(run(commits.binary).stdout).toContain('note: b.c is left out: not text');
    expect(run(commits.merge).stdout).toContain('note: merge commit: measured against its first parent');
    expect(run(commits.merge).stdout).toContain('x  lib/x.c:1');
    expect(JSON.parse(run(commits.gone, '--json').stdout)).toMatchObject({ complexity: 0, lines: 0 });
    expect(JSON.parse(run(commits.first, '--json').stdout).complexity).toBeGreaterThan(1);
  });

  it('measures the rest if a file is full of errors, holds no code, or is a submodule', () => {
    const place = temporaryFolder('complexity-odd');
    const there = (...args: readonly string[]) => culprit(['complexity', ...args], { cwd: place });
    const gitThere = (...args: readonly string[]): string => gitIn(place, args);
    try {
      gitThere('init', '-q');
      writeFileSync(join(place, 'README'), 'words\n');
      gitThere('add', '-A');
      gitThere('commit', '-q', '-m', 'Words');
      expect(there('HEAD')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(there('HEAD', '--json').stdout)).toMatchObject({ complexity: 0, files: [] });
      writeFileSync(
        join(place, 'wrong.c'),
        'int f (int a { if (a return 1; }}} )\nint g (int a)\n{\n  return a;\n}\n',
      );
      writeFileSync(join(place, 'right.c'), 'int right (int a)\n{\n  return a;\n}\n');
      gitThere('add', '-A');
      gitThere('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      gitThere('commit', '-q', '-m', 'Code');
      const { functions, notes } = JSON.parse(there('HEAD', '--json').stdout);
      expect(functions).toContainEqual(expect.objectContaining({ name: 'right' }));
      expect(notes).toContain('lib is left out: a submodule');
      expect(notes).toContainEqual(expect.stringMatching(/^wrong\.c is only parsed: /));
    } finally {
      removeFolder(place);
    }
  });

  it('prints one clear sentence for impossible requests', () => {
    expect(run('nonsense')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no commit nonsense'),
    });
    expect(run('HEAD..nonsense')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^culprit: .*\n$/),
    });
    expect(run('--folders', 'nowhere', 'there')).toMatchObject({
      exitCode: 2,
      stderr: 'culprit: nowhere is not a folder.\n',
    });
    expect(run('--repo', tmpdir())).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not a git repository'),
    });
    const without = culprit(['complexity', commits.changed], {
      cwd: folder,
      env: { CULPRIT_CC: '/nowhere/clang' },
    });
    expect(without.stderr).toContain('no file is compiled');
    expect(without.exitCode).toBe(0);
  });
});

describe('culprit complexity --program', () => {
  it('reports where the changes of a built program can interact', () => {
    const text = (n: number): string =>
      `#include <stdio.h>\nint main (int argc, char **argv)\n{\n  int a = argc + ${n};\n  int b = argc * ${n};\n  int c = 7;\n  c += a - b;\n  printf ("%d\\n", c);\n  return 0;\n}\n`;
    const place = temporaryFolder('complexity-program');
    try {
      for (const [name, n] of [['old', 1] as const, ['new', 2] as const]) {
        mkdirSync(join(place, name));
        writeFileSync(join(place, name, 'a.c'), text(n));
      }
      const cc = fileURLToPath(new URL('../../src/program/compile/cc.sh', import.meta.url));
      execFileSync('sh', [cc, '-o', 'prog', 'a.c'], { cwd: join(place, 'new') });
      const { stdout, exitCode } = culprit(
        ['complexity', '--folders', 'old', 'new', '--program', 'new/prog'],
        {
          cwd: place,
          env: { XDG_CACHE_HOME: join(place, 'cache') },
        },
      );
      expect(stdout).toMatch(/changes can interact at +in +changed lines\na\.c:7 +main +4, 5\n/);
      expect(exitCode).toBe(0);
    } finally {
      removeFolder(place);
    }
  });
});
