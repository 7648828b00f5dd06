/** Checks that every wrong call ends with one sentence and the right exit code. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { culprit, culpritMany, type Ended } from '../cli/culprit.js';
import { commitFiles, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';

const main = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));
const folder = temporaryFolder('sentences');
const formula = '(declare-const x Bool)(assert x)(check-sat)';

writeFileSync(join(folder, 'ok.smt2'), formula);
writeFileSync(join(folder, 'empty'), '');
writeFileSync(join(folder, 'binary'), Buffer.from([0, 255, 254, 0, 1, 2, 128]));
mkdirSync(join(folder, 'folder'));
initRepository(join(folder, 'repository'));
const good = commitFiles(join(folder, 'repository'), { 'tool.sh': '#!/bin/sh\nexit 0\n' });
commitFiles(join(folder, 'repository'), { 'tool.sh': '#!/bin/sh\n\nexit 0\n' });
const solvers = { gone: { command: ['/nowhere/solver', '{file}'] }, lost: { command: ['no-such-solver'] } };
writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));

/** Drops the progress lines of a bisection. */
function sentencesIn(stderr: string): readonly string[] {
  const lines = stderr.trimEnd().split('\n');
  return lines.filter((line) => !/^(\d+ cases? over|building|[0-9a-f]{10}) /.test(line));
}

function expectSentence({ stderr }: Ended): void {
  expect(stderr).not.toMatch(/bug in culprit|^ +at |\bE[A-Z]{4,}: |uv_cwd/m);
  const lines = sentencesIn(stderr);
  // A usage error adds a hint at --help.
  expect(lines.filter((line) => !line.startsWith('(add --help'))).toHaveLength(1);
}

const on = ['--on', 'z3'];
const bisect = [
  ...['bisect', '--repo', 'repository', '--good', good],
  ...['--build', 'echo "#!/bin/sh" > "$CULPRIT_BUILD/tool" && chmod +x "$CULPRIT_BUILD/tool"'],
  ...['--binary', '$CULPRIT_BUILD/tool'],
];

const rows: readonly (readonly [what: string, code: number, calls: readonly (readonly string[])[]])[] = [
  [
    'nothing at all',
    2,
    [['run'], ['report'], ['triage'], ['program'], ['blame'], ['reduce'], ['study', 'seeds']],
  ],
  [
    'what is not there',
    2,
    [
      ['run', 'none', ...on],
      ['formula', 'check', 'none'],
      ['report', 'none'],
      ['triage', 'none'],
      ['program', 'none'],
      ['complexity', '--repo', 'none'],
      ['hunt', '--resume', 'none'],
    ],
  ],
  [
    'a folder for a file and a file for a folder',
    2,
    [
      ['program', 'folder'],
      ['report', 'ok.smt2'],
      ['hunt', '--resume', 'ok.smt2'],
      ['complexity', '--repo', 'ok.smt2'],
      ['complexity', '--repo', 'folder'],
      ['run', 'folder', ...on],
      ['run', 'ok.smt2/x', ...on],
    ],
  ],
  [
    'bytes that are no formula',
    1,
    [
      ['formula', 'check', 'binary'],
      ['formula', 'stats', 'binary'],
    ],
  ],
  [
    'numbers that are none',
    2,
    ['NaN', '1e9', '-1', '0', '9'.repeat(400)].map((value) => [
      ...['run', 'ok.smt2', ...on, `--workers=${value}`],
    ]),
  ],
  [
    'times, sizes and seeds that are none',
    2,
    [
      ['hunt', '--for', '0'],
      ['hunt', '--for', 'NaN'],
      ['run', 'ok.smt2', ...on, '--timeout', '1e9'],
      ['run', 'ok.smt2', ...on, '--timeout', '9'.repeat(400)],
      ['run', 'ok.smt2', ...on, '--memory=-1'],
      ['run', 'ok.smt2', ...on, '--memory', '9'.repeat(400)],
      ['run', 'ok.smt2', ...on, '--seeds', ''],
      ['bisect', 'ok.smt2', '--confidence', 'Infinity'],
      ['reduce', 'ok.smt2', '--exit', '256'],
    ],
  ],
  [
    'programs that are not there',
    3,
    [
      ['run', 'ok.smt2', '--on', 'gone'],
      ['run', 'ok.smt2', '--on', 'lost'],
      ['reduce', 'ok.smt2', '--', './missing', '{file}'],
      ['reduce', 'ok.smt2', '--', './ok.smt2', '{file}'],
      [...bisect, '--', './missing', '{program}'],
      [...bisect, '--out', 'shell', '--measure', 'no-such-command {program}'],
    ],
  ],
];

let ends: readonly Ended[] = [];
beforeAll(() => {
  const calls = rows.flatMap(([, , calls]) => calls);
  ends = culpritMany(calls, { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } });
});

let next = 0;
describe.each(rows)('on %s', (_, code, calls) => {
  it.each(
    calls.map((args) => [args.join(' ').slice(0, 60), next++] as const),
  )('culprit reports one sentence and its exit code: %s', (_name, at) => {
    const ended = ends[at] as Ended;
    expectSentence(ended);
    expect(ended.exitCode).toBe(code);
  });
});

it('a bisection whose command cannot start fails in the same way when it is resumed', () => {
  const env = { CULPRIT_CACHE: join(folder, 'cache') };
  const begin = [...bisect, '--out', 'unstarted', '--measure', 'no-such-command {program}'];
  const resume = ['bisect', '--resume', 'unstarted'];
  const [begun, resumed] = culpritMany([begin, resume], { cwd: folder, env });
  expect(begun?.stderr).toContain('could not be started');
  expect([begun?.exitCode, resumed?.exitCode]).toEqual([3, 3]);
  expect(sentencesIn(resumed?.stderr ?? '')).toEqual(sentencesIn(begun?.stderr ?? ''));
});

describe('a folder outside any repository', () => {
  it('is reported as such once', () => {
    const { stderr } = culprit(['complexity', '--repo', folder], { cwd: folder });
    expect(stderr.match(/not a git repository/g)).toHaveLength(1);
  });
});

/** Uses a shell because Node cannot close or redirect streams in this way. */
function inShell(script: string, env: Record<string, string> = {}): Ended {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...env, culprit: main, node: process.execPath },
  });
  return { stdout, stderr, exitCode: status };
}

const call = '"$node" "$culprit"';

describe('culprit', () => {
  it.each([
    ['a full disk under standard output', `${call} formula check ok.smt2 > /dev/full`, 3, /no space is left/],
    ['a full standard error', `${call} formula check none 2> /dev/full`, 2, /^$/],
    ['a closed standard error', `${call} formula check none 2>&-`, 2, /^$/],
    ['a closed standard output', `${call} formula check ok.smt2 >&-`, 0, /^$/],
    ['a closed standard input', `${call} run - --on z3 <&-`, 2, /no check-sat/],
    ['a locale that is none', `LC_ALL=xx_YY.none ${call} formula check ok.smt2`, 0, /^$/],
  ])('handles %s', (_, script, code, said) => {
    const { stderr, exitCode } = inShell(script);
    expect(stderr).toMatch(said);
    expect(stderr.split('\n').length).toBeLessThanOrEqual(2);
    expect(exitCode).toBe(code);
  });
});

describe('culprit', () => {
  it('reports that its current folder was removed', () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const ended = inShell(`cd gone && rmdir ../gone && ${call} builds list`);
    expectSentence(ended);
    expect(ended.stderr).toContain('the current folder no longer exists');
    expect(ended.exitCode).toBe(3);
    expect(() => rmdirSync(gone)).toThrow('ENOENT');
  });

  it.each([
    join(folder, 'no-folder'),
    join(folder, 'ok.smt2'),
    'relative',
  ])('reports an unusable TMPDIR: %s', (TMPDIR) => {
    const command = [process.execPath, '-e', '0', '{file}'];
    const other = temporaryFolder('sentences');
    writeFileSync(join(other, 'culprit.json'), JSON.stringify({ solvers: { silent: { command } } }));
    writeFileSync(join(other, 'ok.smt2'), formula);
    const ended = culprit(['run', 'ok.smt2', '--on', 'silent', '--repeat', '1'], {
      cwd: other,
      env: { TMPDIR },
    });
    expectSentence(ended);
    expect(ended.stderr).toContain('set TMPDIR to');
    expect(ended.exitCode).toBe(3);
  });

  it('reports that git is missing', () => {
    const ended = culprit(['complexity', 'HEAD', '--repo', 'repository'], {
      cwd: folder,
      env: { PATH: '/nowhere' },
    });
    expectSentence(ended);
    expect(ended.exitCode).toBe(3);
  });
});
