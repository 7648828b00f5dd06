/** Wrong paths, and files that a kill has cut off: one clear sentence each, and nothing intact is lost. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateSolver } from '../stand-in-solver.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { culprit, culpritMany } from './culprit.js';

let folder = '';
let results = '';

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers: { one: templateSolver() } }));
  for (const name of ['a.smt2', 'b.smt2']) writeFileSync(join(folder, name), '(check-sat)\n');
  results = culprit(['run', '.', '--on', 'one', '--repeat', '1', '--json'], { cwd: folder }).stdout;
  writeFileSync(join(folder, 'good.jsonl'), results);
  writeFileSync(join(folder, 'cut.jsonl'), results.slice(0, -50));
  writeFileSync(join(folder, 'half.jsonl'), results.slice(0, 40));
  writeFileSync(join(folder, 'empty.jsonl'), '');
  writeFileSync(join(folder, 'binary'), Buffer.from([0, 255, 1, 254, 10, 200]));
  mkdirSync(join(folder, 'folder'));
});

afterAll(() => removeFolder(folder));

describe('culprit with a file of another program', () => {
  const kinds = 'culprit run --json or culprit timeline --json';
  it.each([
    ['folder', 'folder holds no campaign, bisection, explanation or study of culprit'],
    ['missing', 'there is no file or folder missing'],
    ['binary', `binary:1 is no line of ${kinds}`],
    ['half.jsonl', `half.jsonl:1 is no line of ${kinds}`],
    ['empty.jsonl', `empty.jsonl is empty: ${kinds} printed nothing into it`],
  ])('report names the file in one sentence: %s', (path, message) => {
    const [ended] = culpritMany([['report', path]], { cwd: folder });
    expect(ended?.stderr.trim().replace(/\.$/, '')).toBe(`culprit: ${message}`);
    expect(ended?.exitCode).toBe(2);
  });

  it.each([
    ['folder', 'folder is a folder: name a file'],
    ['binary', 'binary:1 is no line of culprit run --json'],
    ['half.jsonl', 'half.jsonl:1 is no line of culprit run --json'],
  ])('compare names the file in one sentence: %s', (path, message) => {
    for (const files of [
      [path, 'good.jsonl'],
      ['good.jsonl', path],
    ]) {
      const [ended] = culpritMany([['compare', ...files]], { cwd: folder });
      expect(ended?.stderr.trim().replace(/\.$/, '')).toBe(`culprit: ${message}`);
      expect(ended?.exitCode).toBe(2);
    }
  });
});

describe('a result file whose last line was cut off by a kill', () => {
  const note = 'culprit: cut.jsonl:2 was cut off and is left out\n';

  it('is reported without that line', () => {
    const { stdout, stderr, exitCode } = culprit(['report', 'cut.jsonl'], { cwd: folder });
    expect(stdout).toContain('a.smt2');
    expect(stdout).not.toContain('b.smt2');
    expect({ stderr, exitCode }).toEqual({ stderr: note, exitCode: 0 });
  });

  it('is compared without that line', () => {
    const compared = culprit(['compare', 'good.jsonl', 'cut.jsonl', '--all'], { cwd: folder });
    expect(compared.stdout).toContain('a.smt2');
    expect(compared.stderr).toContain(note);
    expect(compared.exitCode).toBe(0);
  });
});

it('culprit explains that culprit.json is a folder', () => {
  const home = join(folder, 'home');
  mkdirSync(join(home, 'culprit.json'), { recursive: true });
  const { stderr, exitCode } = culprit(['solvers', 'list'], { cwd: home });
  expect(stderr).toBe(
    `culprit: ${join(home, 'culprit.json')} is a folder, but culprit reads its settings from a file of that name: rename it.\n`,
  );
  expect(exitCode).toBe(2);
});

it('culprit report writes its page even if standard output fails', () => {
  const main = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));
  const { stderr, status } = spawnSync(
    process.execPath,
    [main, 'run', 'a.smt2', '--on', 'one', '--repeat', '1', '--html', 'page.html'],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    },
  );
  expect(stderr).toContain(
    'culprit: nothing can be printed: no space is left where standard output goes to\n',
  );
  expect(stderr).toContain('written: page.html\n');
  expect(status).toBe(3);
});
