import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';
import { besideWrongSolver, makeWrongSolver, sources } from './wrong-solver.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('blame-locate');
  makeWrongSolver(folder);
  const repository = join(folder, 'solver');
  const right = sources['contains.c'].replace('int wrong = 0', 'int wrong = 1');
  commitFiles(repository, { 'contains.c': right }, 'mend it');
  commitFiles(repository, { 'contains.c': sources['contains.c'] }, 'break it again');
});

const range = ['--repo', 'solver', '--good', 'main~1', '--bad', 'main', '--threshold', '1s', '--seeds', '1'];
const blame = (...args: readonly string[]) =>
  culprit(['blame', ...args, ...range], besideWrongSolver(folder));

describe('culprit blame', () => {
  it('suggests culprit locate for a formula with another answer', () => {
    const { stdout, stderr, exitCode } = blame('wrong.smt2');
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^culprit: the formula is not slower on .*; wrong\.smt2 fails there in another way \(it says unsat, and [0-9a-f]+ says sat\); to name the files to look at, add --locate or run: culprit locate wrong\.smt2 --on git:\S+solver@[0-9a-f]+ --reference git:\S+solver@[0-9a-f]+\.?$/m,
    );
    expect(exitCode).toBe(2);
  });

  it('ranks files with --locate, and stores every trial', () => {
    const { stdout, exitCode } = blame('wrong.smt2', '--locate');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^git:\S+ says unsat, and [0-9a-f]+ says sat$/m);
    expect(stdout).toMatch(/^ *1 {2}contains\.c .* touched by 3 commits/m);
    const kept = join(folder, 'blame', 'wrong');
    const [name = ''] = readdirSync(kept).filter((entry) => entry.startsWith('located-'));
    expect(existsSync(join(kept, name, 'tried.ndjson'))).toBe(true);
    const located = JSON.parse(blame('wrong.smt2', '--locate', '--json').stdout);
    expect(located).toMatchObject({ formula: 'wrong.smt2', files: [{ name: 'contains.c', rank: 1 }, {}] });
  });

  it('suggests nothing if both commits fail or neither does', () => {
    for (const name of ['fine.smt2', 'crash.smt2']) {
      const { stderr, exitCode } = blame(name, '--locate');
      expect(stderr).not.toContain('culprit locate');
      expect(exitCode).toBe(2);
    }
  });
});
