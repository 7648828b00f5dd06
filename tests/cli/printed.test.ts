/** Outputs that no other test prints. The call checks them against the schemas. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { platformOf, thisMachine } from '../../src/machine/index.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { templateSolver } from '../stand-in-solver.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { culprit, madeTogether } from './culprit.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('printed');
  const endless = templateSolver({ before: 'while :; do :; done' });
  writeFileSync(
    join(folder, 'culprit.json'),
    JSON.stringify({ solvers: { quick: templateSolver(), endless } }),
  );
  writeFileSync(
    join(folder, 'f.smt2'),
    '(declare-const x Int)\n(assert (> x 0))\n(assert true)\n(check-sat)\n',
  );
  return () => removeFolder(folder);
});

const asUsual = () => ({ cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } });
const run = (...args: readonly string[]) => culprit([...args, '--json'], asUsual());

const objects = (stdout: string) =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const both = ['--on', 'quick,endless', '--timeout', '100ms'];

it('culprit timeline prints a version without a measurement, and a slow one', () => {
  const { stdout } = run('timeline', 'f.smt2', ...both, '--repeat', '1', '--threshold', '10ms');
  expect(objects(stdout)).toMatchObject([
    {
      formula: 'f.smt2',
      by: 'time',
      points: [{ version: 'quick' }, { version: 'endless', outcome: 'timeout' }],
    },
  ]);
});

it('culprit confirm prints the seeds', () => {
  const { stdout } = run('confirm', 'f.smt2', ...both, '--threshold', '10ms', '--seeds', '1-2');
  expect(objects(stdout)).toEqual([
    { formula: 'f.smt2', slower: [1, 2], tried: [1, 2], robustness: 'every seed' },
  ]);
});

it('culprit confirm prints that nothing is slower, and the time limit', () => {
  const { stdout, stderr } = run(
    'confirm',
    'f.smt2',
    '--on',
    'endless,quick',
    '--timeout',
    '100ms',
    '--seeds',
    '1',
  );
  expect(objects(stdout)).toMatchObject([{ slower: [], robustness: 'no seed' }]);
  expect(stderr).toContain(
    'culprit: 1 of 1 formula showed nothing slower within 100 ms; --timeout allows more\n',
  );
});

it('culprit reduce prints the formula even if it cannot write the file', () => {
  const reduced = {
    formula: 'f.smt2',
    charactersAfter: expect.any(Number),
    isMinimal: true,
    text: expect.stringContaining('(check-sat)'),
  };
  const asked = ['reduce', 'f.smt2', '--on', 'quick'];
  expect(objects(run(...asked).stdout)).toMatchObject([reduced]);
  expect(run(...asked, '--out', 'nowhere/a.smt2').stdout).toBe('');
});

it('culprit formula prints the output of each of its commands', () => {
  writeFileSync(join(folder, 'wrong.smt2'), '(assert (> x 0))\n(check-sat');
  for (const command of ['check', 'format', 'stats']) {
    const { stdout, exitCode } = run('formula', command, 'f.smt2', 'wrong.smt2');
    expect(objects(stdout)).toMatchObject([{ ok: true }, { ok: false, line: 2 }]);
    expect(exitCode).toBe(1);
  }
  expect(objects(run('formula', 'generate', '--count', '2').stdout)).toMatchObject([
    { kind: 'random', seed: 1 },
    { kind: 'random', seed: 2 },
  ]);
  expect(objects(run('formula', 'mutate', 'f.smt2').stdout)).toMatchObject([{ seed: 1 }]);
});

const refused = [
  ['timeline', 'f.smt2', ...both, '--html', '-'],
  ['run', 'f.smt2', ...both, '--sarif', '-'],
  ['complexity', '--max', '1', '--sarif', '-'],
  ['complexity', '--markdown', '-'],
  ['study', 'seeds', 'nowhere', '--html', '-'],
];
const refusal = madeTogether(
  refused.map((words) => [...words, '--json']),
  asUsual,
);

it.each(
  refused.map((words, at) => [words.join(' '), at] as const),
)('culprit %s prints only JSON on standard output', (_words, at) => {
  const { stdout, stderr, exitCode } = refusal(at);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('only one form goes to standard output');
});

it('culprit tools prints an installed tool, and its removal', () => {
  const bin = join(folder, 'cache', 'tools', `clang+${platformOf(thisMachine())}`, 'bin');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, 'clang');
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  expect(objects(run('tools', 'add', 'clang').stdout)).toEqual([{ tool: 'clang', path }]);
  expect(objects(run('tools', 'remove', 'clang').stdout)).toEqual([{ removed: 'clang' }]);
});

it('culprit builds prints nothing if there is no build', () => {
  for (const command of ['list', 'prune'])
    expect(run('builds', command)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

it('culprit study complexity and study triage print known commits, and name an unknown one', () => {
  const repository = join(folder, 'project');
  initRepository(repository);
  const code = (body: string) => ({ 'a.c': `int f(int a) {\n  ${body}\n  return a;\n}\n` });
  const [first, second, third] = [
    commitFiles(repository, code('a = 1;'), 'start'),
    commitFiles(repository, code('if (a) a = 2;'), 'improve it'),
    commitFiles(repository, code('if (a > 3) a = 2;'), 'fix it'),
  ];
  mkdirSync(join(folder, 'lists'));
  const gone = 'a'.repeat(40);
  writeFileSync(join(folder, 'lists', 'project.txt'), `${second} ${third} #1\n${gone} ${first} #2\n`);
  const study = run('study', 'complexity', `project=${repository}`, '--lists', 'lists');
  expect(objects(study.stdout)).toMatchObject([
    {
      errors: [
        { introducing: { complexity: expect.any(Number) }, fixing: { date: expect.any(String) } },
        { introducing: { why: expect.any(String) } },
      ],
    },
  ]);
  const labels = { commits: [{ commit: third, category: 'program fix', half: 'second' }] };
  writeFileSync(join(folder, 'labels.json'), JSON.stringify(labels));
  expect(objects(run('study', 'triage', 'labels.json', '--repo', 'project').stdout)).toMatchObject([
    { told: [{ commit: third, told: 'program fix' }] },
  ]);
});
