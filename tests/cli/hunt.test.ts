import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ordinary, settingsOf } from '../report/made-campaign.js';
import { itStudies } from '../rounds.js';
import { spin, templateSolver } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, madeTogether, startCulprit } from './culprit.js';

let folder: string;

/** `new` is slow on formulas with str.contains. */
beforeAll(() => {
  folder = temporaryFolder('hunt');
  const slow = templateSolver({ on: { '*str.contains*': { before: spin(100_000) } } });
  writeFileSync(
    join(folder, 'culprit.json'),
    JSON.stringify({ solvers: { old: templateSolver(), new: slow } }),
  );
});

/** Damaged campaigns and formulas. */
beforeAll(() => {
  writeFileSync(join(folder, 'garbage.smt2'), ')(');
  writeFileSync(join(folder, 'silent.smt2'), '(declare-const x Int)');
  const settings = { ...settingsOf(ordinary), versions: ['old', 'new'], builds: [] };
  for (const [name, options] of [
    ['odd', { pool: 'deep' }],
    ['torn', settings.options],
  ] as const) {
    mkdirSync(join(folder, name, 'cases'), { recursive: true });
    writeFileSync(
      join(folder, name, 'campaign.json'),
      JSON.stringify({ ...settings, builds: ['custom 1 template {}', 'custom 1 template {}'], options }),
    );
    writeFileSync(join(folder, name, 'journal.ndjson'), 'nonsense\n');
  }
});

const env = () => ({ CULPRIT_CACHE: join(folder, 'cache') });
const versions = ['--on', 'old,new', '--threshold', '40ms', '--timeout', '2s', '--workers', '2'];
const run = (...args: readonly string[]) => culprit(args, { cwd: folder, env: env() });
/** The length of the first campaign. */
let huntedSeconds = 2;

describe('culprit hunt', () => {
  it('finds, reduces, confirms and reports slowdowns, and replays the search', () => {
    const begun = run('hunt', ...versions, '--for', `${huntedSeconds}s`, '--seed', '3', '--out', 'first');
    expect(begun.stderr).not.toContain('culprit:');
    expect(begun.exitCode).toBe(0);
    let { stdout } = begun;
    // A busy machine may need more time.
    for (let more = 0; more < 20 && !/^old, new: [1-9]/m.test(stdout); more++) {
      huntedSeconds += 2;
      ({ stdout } = run('hunt', '--resume', 'first', '--for', '2s'));
    }
    expect(stdout).toMatch(/^old, new: [1-9]\d* findings? of 1 kind, from .* formulas/m);
    expect(stdout).toMatch(/^str\.contains +\d+ /m);
    expect(readdirSync(join(folder, 'first'))).toEqual(
      expect.arrayContaining(['campaign.json', 'cases', 'journal.ndjson', 'report.html', 'report.md']),
    );
    expect(existsSync(join(folder, 'first', 'lock.json'))).toBe(false);

    expect(run('hunt', '--replay', 'first').stdout).toMatch(/formulas replayed from first: the same search/);
    const trials = run('hunt', '--replay', 'first', '--json').stdout.trim().split('\n');
    expect(JSON.parse(trials[0] as string)).toMatchObject({ lane: expect.any(Number), origin: 'generated' });

    // The next campaign between the same builds knows its findings.
    run('hunt', ...versions, '--for', '1s', '--out', 'second');
    const { known } = JSON.parse(readFileSync(join(folder, 'second', 'campaign.json'), 'utf8'));
    expect(known).toEqual([{ answer: 'sat', operators: ['str.contains'], since: 1 }]);

    expect(run('confirm', 'first', '--seeds', '1-3', '--json').stdout).toContain('"robustness":"every seed"');
    const confirmed = run('confirm', 'first', '--seeds', '1-3');
    expect(confirmed.stdout).toMatch(/cases\/s\d+\.smt2 +3 of 3 +every seed/);
    expect(readFileSync(join(folder, 'first', 'report.md'), 'utf8')).toContain('3 of 3');
    expect(run('study', 'seeds', 'first').stdout).toMatch(/every seed +n = 30 +100\.0 %/);
    expect(JSON.parse(run('study', 'seeds', 'first', '--json').stdout)).toMatchObject({
      gone: 0,
      shares: { 'every seed': 1, 'few seeds': 0 },
      published: expect.arrayContaining([{ solver: 'all', none: 0.032, some: 0.968, every: 0.278 }]),
    });
  });

  it('counts in a study the commits that a bisection blamed', () => {
    cpSync(join(folder, 'first'), join(folder, 'study', 'culprit-1'), { recursive: true });
    const [{ findings }] = JSON.parse(run('report', 'first', '--json').stdout).groups;
    const [met, ...others] = findings as { text: string }[];
    const [good, bad, culpritCommit, other] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40));
    const bisection = {
      ...{ format: 1, job: 'bisect', culprit: '1', repository: '.', good, bad, line: 'all' },
      ...{ recipe: { build: ['make'], binary: 'z3' }, isPrinted: false, by: 'time', timeoutMs: 1000 },
      ...{
        memoryBytes: 1,
        sensitivity: { least: 1, noise: 0, share: 0.2 },
        confidence: 0,
        strategy: 'batch',
      },
    };
    const blamed = (commit: string | undefined, direction: string, isVerified = true) => ({
      ...{ case: 0, commit, before: good, others: [], direction },
      ...{ beforeLevel: 1, afterLevel: 9, isVerified },
    });
    const write = (name: string, cases: readonly object[]) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'campaign.json'), JSON.stringify({ ...bisection, cases }));
      const culprits = [
        blamed(culpritCommit, 'slower'),
        blamed(other, 'slower'),
        blamed(good, 'slower', false),
        blamed(bad, 'quicker'),
      ];
      writeFileSync(
        join(folder, name, 'bisection.json'),
        JSON.stringify({ culprits, looked: 9, built: 9, failed: [], without: [] }),
      );
    };
    // Another layout is the same formula.
    write('blamed', [{ name: 'x', text: met?.text.replaceAll('\n', '\n\n') }]);
    write('spoilt', [{ name: 'x', text: ')(' }]);
    write('command', [{ name: 'make check' }]);
    const length = ['--for', `${huntedSeconds}s`, '--repeat', '1', '--strategies', 'culprit'];
    const study = (...args: readonly string[]) => run('study', 'detection', ...versions, ...length, ...args);
    const causes = (...args: readonly string[]) =>
      JSON.parse(study('--out', 'study', '--json', ...args).stdout).rows[0].causes.max;
    expect(causes()).toBe(1);
    expect(causes('--commits', 'blamed')).toBe(2);
    expect(readFileSync(join(folder, 'study', 'detection.html'), 'utf8')).toContain('Commits found (Fig. 3)');
    expect(JSON.parse(study('--out', 'study', '--json').stdout).published).toContainEqual({
      strategy: 'sprfinder',
      solver: 'CVC4',
      tests: { min: 52, max: 68, average: 59.2 },
      commits: { min: 9, max: 11, average: 10 },
    });
    expect(study('--out', 'study', '--commits', 'blamed').stderr).toContain(
      others.length === 0 ? '' : `${others.length} of ${findings.length} findings were not bisected`,
    );
    const spoilt = study('--out', 'study', '--commits', 'spoilt');
    expect(spoilt.stderr).toContain(`${findings.length} of ${findings.length} findings were not bisected`);
    expect(spoilt.stdout).toContain('; causes are commits\n');
    // Before hours of campaigns.
    for (const [name, sentence] of [
      ['nowhere', 'there is no folder nowhere'],
      ['command', 'command holds a bisection of a command, not of formulas'],
    ] as const) {
      const { stderr, exitCode } = study('--out', 'unborn', '--commits', name);
      expect(stderr).toContain(sentence);
      expect(exitCode).toBe(2);
    }
    expect(existsSync(join(folder, 'unborn'))).toBe(false);
  });

  it('stops at Ctrl-C, prints how to resume, and resumes', async () => {
    const args = ['hunt', ...versions, '--for', '30m', '--out', 'stopped'];
    const { child, ended } = startCulprit(args, folder, env());
    const journal = join(folder, 'stopped', 'journal.ndjson');
    const lines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0);
    while (lines() < 10) await setTimeout(10);
    process.kill(-(child.pid as number), 'SIGINT');
    const { stderr, exitCode } = await ended;
    expect(stderr).toContain('culprit: interrupted; resume with: culprit hunt --resume stopped\n');
    expect(exitCode).toBe(130);
    const before = readFileSync(journal, 'utf8');

    const again = startCulprit(['hunt', '--resume', 'stopped'], folder, env());
    while (lines() < before.split('\n').length + 5) await setTimeout(10);
    expect(run('hunt', '--resume', 'stopped').stderr).toMatch(/^culprit: stopped is in use by process \d+/m);
    // A kill leaves everything that was written.
    process.kill(-(again.child.pid as number), 'SIGKILL');
    await again.ended;
    expect(readFileSync(journal, 'utf8').startsWith(before)).toBe(true);
    expect(run('hunt', '--replay', 'stopped').exitCode).toBe(0);
  });

  itStudies(
    'compares strategies with the constants they were given, and does not mix them with others',
    () => {
      const study = (...args: readonly string[]) =>
        run('study', 'detection', ...versions, '--repeat', '1', '--for', '1s', '--out', 'compared', ...args);
      const given = ['--strategies', 'sprfinder,random', '--set', 'sprfinder.queue=3'];
      const { exitCode } = study(
        ...given,
        '--set',
        'sprfinder.distanceTo=all',
        '--set',
        'random.depthRange=[2,3]',
      );
      expect(exitCode).toBe(0);
      const optionsOf = (name: string) =>
        JSON.parse(readFileSync(join(folder, 'compared', name, 'campaign.json'), 'utf8')).options;
      expect(optionsOf('sprfinder-1')).toMatchObject({ queue: 3, distanceTo: 'all', discount: 0.05 });
      expect(optionsOf('random-1')).toMatchObject({ depthRange: [2, 3] });
      const other = study(...given);
      expect(other.stderr).toContain('sprfinder-1 was begun with other constants');
      expect(other.exitCode).toBe(2);
    },
  );

  const refused: readonly (readonly [args: readonly string[], code: number, sentence: string])[] = [
    [['hunt', '--on', 'old', '--out', 'x'], 2, 'a hunt needs two versions'],
    [['hunt', ...versions, '--out', '.'], 2, 'is not empty'],
    [['hunt', '--resume', 'nowhere'], 2, 'there is no folder nowhere'],
    [['hunt', '--replay', 'nowhere'], 2, 'there is no folder nowhere'],
    [['hunt', ...versions, '--strategy', 'sprfinder', '--set', 'quue=5'], 2, 'has no constant quue; it has '],
    [['hunt', ...versions, '--strategy', 'sprfinder', '--set', 'queue=0'], 2, '--set queue'],
    [['hunt', ...versions, '--strategy', 'guess'], 2, 'strategy'],
    [
      ['hunt', ...versions, '--strategy', 'mulstringfuzz', '--out', 'x'],
      2,
      'new does not count what it executes',
    ],
    [
      ['hunt', ...versions, '--strategy', 'mulstringfuzz', '--set', 'objectives=["fun"]'],
      2,
      '--set objectives',
    ],
    [['hunt', ...versions, '--corpus', 'nowhere'], 2, 'there is no file or folder nowhere'],
    [['hunt', ...versions, '--corpus', 'garbage.smt2'], 2, 'the corpus holds no formula that can be run'],
    [['hunt', ...versions, '--corpus', 'silent.smt2'], 2, 'silent.smt2 holds no check-sat'],
    [['hunt', '--resume', 'odd'], 2, 'campaign.json is damaged at options.pool'],
    [['hunt', '--replay', 'odd'], 2, 'campaign.json is damaged at options.pool'],
    [['hunt', '--replay', 'torn'], 2, 'line 1, is damaged'],
    [['report', 'torn'], 2, 'line 1, is damaged'],
    [['confirm', 'garbage.smt2', '--on', 'old,new'], 1, 'garbage.smt2:1:'],
    [['confirm', 'silent.smt2', '--on', 'old,new'], 2, 'holds no check-sat'],
    [['confirm', 'culprit.json'], 2, 'name the versions'],
    [['study', 'seeds', 'nowhere'], 2, 'there is no folder nowhere'],
    [['study', 'detection', '--strategies', 'guess'], 2, 'There is no strategy guess'],
    [['study', 'detection', ...versions, '--set', 'queue=5'], 2, 'sprfinder.queue=5'],
    [['study', 'detection', ...versions, '--set', 'sprfinder.quue=5'], 2, 'sprfinder has no constant quue'],
    [['study', 'detection', ...versions, '--set', 'sprfinder.queue=0'], 2, '--set sprfinder.queue: '],
    [['study', 'detection', ...versions, '--set', 'sprfinder.distanceTo=far'], 2, 'sprfinder.distanceTo'],
    [
      ['study', 'detection', ...versions, '--strategies', 'random', '--set', 'sprfinder.queue=5'],
      2,
      '--set sprfinder: the study does not compare this strategy',
    ],
  ];
  const ended = madeTogether(
    refused.map(([args]) => args),
    () => ({ cwd: folder, env: env() }),
  );

  it.each(
    refused.map(([args, ...said], at) => [args, at, ...said] as const),
  )('explains %j in one clear sentence', (_args, at, code, sentence) => {
    const { stderr, exitCode } = ended(at);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('bug in culprit');
    expect(exitCode).toBe(code);
  });
});
