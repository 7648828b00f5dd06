import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

interface Program {
  readonly hash: string;
  readonly words: string;
  readonly first: number;
}

/** A program that fills a table of n numbers and prints the steps it took. */
const program = ({ hash, words, first }: Program): string => `#include <stdio.h>
#include <stdlib.h>
static int table[4096];
static long steps;
static int hash(int x) {
  return ${hash};
}
static void put(int x) {
  int at = hash(x);
  while (table[at]) {
    steps++;
    at = at + 1 & 4095;
  }
  table[at] = x;
}
int main(int argc, char **argv) {
  int most = atoi(argv[1]);
  for (int i = ${first}; i < most; i++) {
    put(i);
    steps++;
  }
  printf("${words}: %ld\\n", steps);
  return 0;
}
`;

let folder: string;
let guilty: string;

beforeAll(() => {
  folder = temporaryFolder('explain-culprits');
  const repository = join(folder, 'repository');
  initRepository(repository);
  const before = { hash: '(x * 31 & 4095)', words: 'steps', first: 1 };
  const slow = { hash: '(x & 7)', words: 'steps taken', first: 2 };
  const commits: readonly Program[] = [
    before,
    { ...before, words: 'step' },
    { ...before, words: 'all steps' },
    slow,
    { ...slow, words: 'done' },
  ];
  for (const [at, made] of commits.entries()) {
    writeFileSync(join(repository, 'table.c'), program(made));
    gitIn(repository, ['add', '-A']);
    gitIn(repository, ['commit', '-q', '-m', `change ${at}`]);
  }
  guilty = gitIn(repository, ['rev-parse', 'HEAD~1']).toString().trim();
});

describe('culprit bisect --explain', () => {
  it('names the change within the culprit commit, and the functions that do more', () => {
    const asked = [
      ...['bisect', '500', '--repo', 'repository', '--good', 'HEAD~4', '--out', 'found', '--explain'],
      ...['--build', 'cc -o "$CULPRIT_BUILD/table" table.c', '--binary', '$CULPRIT_BUILD/table', '--prints'],
    ];
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), CULPRIT_PROGRESS: '0' };
    const first = culprit([...asked, '--', '{program}', '{case}'], { cwd: folder, env });
    expect(first.stderr).not.toContain('is not explained');
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(/reverting changes: \d+ built, \d+ of them tested, no estimate/);
    expect(first.stdout).toContain(`1 change to blame between ${guilty.slice(0, 10)}~1`);
    expect(first.stdout).toMatch(
      /table\.c:6 in hash\n +- {2}return \(x \* 31 & 4095\);\n +\+ {2}return \(x & 7\);/,
    );
    expect(first.stdout).toMatch(/\d+k +put +table\.c/);
    const again = culprit(['bisect', '--resume', 'found', '--explain', '--json'], { cwd: folder, env });
    const [bisection, explanation] = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(bisection).toMatchObject({ culprits: [{ commit: guilty }] });
    expect(explanation).toMatchObject({
      blamed: [{ file: 'table.c', function: 'hash' }],
      isRepaired: true,
      slowdown: { functions: expect.arrayContaining([expect.objectContaining({ name: 'put' })]) },
    });
  });
});
