import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, madeTogether } from './culprit.js';

let folder: string;
/** Another path to the folder. */
let link: string;
const compiler = fileURLToPath(new URL('../../src/program/compile/cc.sh', import.meta.url));
const asUsual = () => ({ cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } });
const run = (...args: readonly string[]) => culprit(['program', ...args], asUsual());

beforeAll(() => {
  const above = temporaryFolder('program');
  folder = join(above, 'program');
  link = join(above, 'link');
  mkdirSync(folder);
  symlinkSync(folder, link);
  writeFileSync(
    join(folder, 'main.c'),
    `#include <stdio.h>
int width (int n);
int main (int argc, char **argv)
{
  int unused = argc * 7;
  int wide = width (argc);
  if (wide > 3)
    puts ("wide");
  return unused & 1;
}
`,
  );
  writeFileSync(
    join(folder, 'width.c'),
    `static int pad = 2;
int width (int n)
{
  return n + pad;
}
`,
  );
  execFileSync(compiler, ['-g', 'main.c', 'width.c', '-o', 'prog'], { cwd: folder });
  execFileSync('ar', ['rc', 'empty.a'], { cwd: folder });
});

describe('culprit program', () => {
  it('prints the size of a program', () => {
    const { stdout, exitCode } = run('prog');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('prog: 2 modules, 2 functions, ');
    expect(stdout).toContain('1 call (0 through pointers)');
    expect(JSON.parse(run('prog', '--json').stdout)).toMatchObject({ modules: 2, functions: 2, calls: 1 });
  });

  it('shows a function with its blocks, callers and callees', () => {
    const [width] = run('prog', '--function', 'width', '--json').stdout.split('\n');
    expect(JSON.parse(width ?? '')).toMatchObject({
      ...{ name: 'width', file: 'width.c', firstLine: 2, callers: ['main'], callees: [] },
      blocks: [{ lines: [{ file: 'width.c', line: 4 }], next: [] }],
    });
    const { stdout } = run('prog', '--function', 'main');
    expect(stdout).toContain('main  main.c:3-9');
    expect(stdout).toMatch(/calls +width/);
    expect(stdout).toContain('back to the caller');
  });

  it('prints slices in both directions over files, with their code', () => {
    const { stdout } = run('prog', '--backward', 'main.c:8');
    expect(stdout).toMatch(/^main\.c\n/);
    expect(stdout).toContain('6    int wide = width (argc);');
    expect(stdout).toContain('4    return n + pad;');
    expect(stdout).not.toContain('unused');
    const { lines } = JSON.parse(run('prog', '--forward', 'main.c:5', '--json').stdout);
    expect(lines).toEqual([
      { file: 'main.c', line: 5 },
      { file: 'main.c', line: 9 },
    ]);
  });

  it('finds a line by any path to its file', () => {
    const expected = run('prog', '--backward', 'main.c:8').stdout;
    for (const file of ['./main.c', join(folder, 'main.c'), join(link, 'main.c'), '../program/main.c'])
      expect(run('prog', '--backward', `${file}:8`).stdout).toBe(expected);
    expect(run('prog', '--backward', 'main.c:8', '--root', link).stdout).toBe(expected);
  });

  it('finds a line of a program that was built in a folder behind a link', () => {
    const built = { cwd: link, env: { ...process.env, PWD: link } };
    execFileSync(compiler, ['-g', 'main.c', 'width.c', '-o', 'linked'], built);
    const expected = run('prog', '--backward', 'main.c:8').stdout;
    for (const root of ['.', link])
      expect(run('linked', '--backward', 'main.c:8', '--root', root).stdout).toBe(expected);
  });

  const refused: readonly (readonly [args: readonly string[], says: string])[] = [
    [['nowhere'], 'nowhere'],
    [['main.c'], 'main.c'],
    [['empty.a'], 'there is no code in empty.a'],
    [['prog', '--function', 'none'], 'the program has no function none'],
    [['prog', '--backward', 'main.c'], 'main.c is not a line: write it as src/main.c:12'],
    [['prog', '--backward', 'main.c:1'], 'no code at main.c:1'],
    [['prog', '--backward', 'main.c:8', '--forward', 'main.c:8'], 'one question at a time'],
  ];
  const ended = madeTogether(
    refused.map(([args]) => ['program', ...args]),
    asUsual,
  );

  it.each(
    refused.map(([args, says], at) => [args, says, at] as const),
  )('explains %j in one clear sentence', (_args, says, at) => {
    const { stderr, stdout, exitCode } = ended(at);
    expect(exitCode).toBeGreaterThanOrEqual(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
