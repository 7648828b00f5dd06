import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { itStudies } from '../rounds.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, startCulprit } from './culprit.js';
import { besideWrongSolver, makeWrongSolver } from './wrong-solver.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('locate');
  makeWrongSolver(folder);
});

const asUsual = () => besideWrongSolver(folder);

const locate = (...args: readonly string[]) => culprit(['locate', ...args], asUsual());

const how = ['--on', 'git:solver@main', '--reference', 'path:./right'];

describe('culprit locate', () => {
  it('names the file, the function and the evidence, stores every trial and resumes', () => {
    const { stdout, stderr, exitCode } = locate('wrong.smt2', ...how, '--out', 'kept');
    expect(stderr).toContain('every formula tried is stored in kept');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('says unsat, and path:./right says sat');
    expect(stdout).toMatch(
      /^ *1 {2}contains\.c .* lines?, each executed by .* witnesses; touched by 1 commit, a line edited 0\.0 times/m,
    );
    expect(stdout).toMatch(/^ *1 {2}contains +1?\.?\d/m);
    const tried = readFileSync(join(folder, 'kept', 'tried.ndjson'), 'utf8');
    const again = JSON.parse(locate('wrong.smt2', ...how, '--out', 'kept', '--json').stdout);
    expect(readFileSync(join(folder, 'kept', 'tried.ndjson'), 'utf8')).toBe(tried);
    expect(again).toMatchObject({
      failure: { kind: 'verdict' },
      counts: 'lines',
      files: [
        { name: 'contains.c', rank: 1, edits: 0 },
        { name: 'main.c', rank: 2 },
      ],
    });
    const published = JSON.parse(
      locate('wrong.smt2', ...how, '--out', 'kept', '--score', 'smtloc', '--json').stdout,
    );
    expect(published.files.map(({ name }: { name: string }) => name)).toEqual(['contains.c', 'main.c']);
    expect(again.witnesses.length + again.failing).toBe(again.tried);
    expect(again.witnesses.length).toBeGreaterThan(3);
  });

  it('names the place of a crash even without a witness, and applies --weigh', () => {
    const { stdout, exitCode } = locate('crash.smt2', ...how, '--most', '1');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ *1 {2}main\.c .* it ended there \(last on the stack\)/m);
    expect(stdout).toContain('It ended in these calls, the last first:\n  main, main.c');
    expect(locate('crash.smt2', ...how, '--strategy', 'developers').exitCode).toBe(0);
    expect(locate('crash.smt2', ...how, '--strategy', 'developers', '--score', 'smtloc').stderr).toContain(
      'none of the 0 formulas near it is answered correctly',
    );
    const weighed = JSON.parse(
      locate('wrong.smt2', ...how, '--suspects', 'main', '--weigh', 'commits=3', '--json').stdout,
    );
    expect(weighed.ordinary).toBeGreaterThan(40);
    expect(weighed.lines[0]).toMatchObject({ file: 'contains.c', rank: expect.any(Number) });
    expect(locate('wrong.smt2', ...how, '--weigh', 'commit=3').stderr).toContain(
      'It is one of stack, message, recency',
    );
  });

  it('treats a failed internal check as a failure, and counts the place it names', () => {
    const path = join(folder, 'verify.smt2');
    writeFileSync(
      path,
      '(declare-fun verify () Bool)(declare-fun b () Bool)(assert (or b verify))(check-sat)\n',
    );
    const { stdout } = locate('verify.smt2', ...how, '--most', '30');
    expect(stdout).toContain('fails an assertion: Failed to verify: text[0]');
    expect(stdout).toMatch(/^ *1 {2}others\.c .* the check that failed names its line 2; /m);
    const unweighed = locate('verify.smt2', ...how, '--most', '30', '--weigh', 'message=0', '--json');
    expect(JSON.parse(unweighed.stdout)).toMatchObject({
      failure: { kind: 'assertion' },
      files: [{ name: 'main.c' }, { name: 'others.c', message: 2 }],
    });
  });

  it('reports how much of a file an older version does not execute', () => {
    const older = ['--older', 'git:solver@main~1', '--weigh', 'older=1'];
    const { stdout } = locate('wrong.smt2', ...how, ...older);
    expect(stdout).toMatch(/^ *1 {2}contains\.c .*; 0 % of that in functions the older version does not/m);
    expect(locate('wrong.smt2', ...how, '--older', 'path:./right').stderr).toContain(
      'does not count what it executes',
    );
  });

  it('writes a page with the source, its ranks and the witnesses', () => {
    const { stderr, exitCode } = locate('wrong.smt2', ...how, '--html', 'blame.html');
    expect(stderr).toContain('written: blame.html');
    expect(exitCode).toBe(0);
    const page = readFileSync(join(folder, 'blame.html'), 'utf8');
    expect(page).toContain('Suspicious code for wrong.smt2');
    expect(page).toContain('<a href="#contains.c">contains.c</a>');
    expect(page).toMatch(/<script type="text\/plain" class="packed" data-name="contains\.c">/);
    expect(page).toContain('<summary><code>');
    writeFileSync(join(folder, 'mine.html'), 'mine');
    expect(locate('wrong.smt2', ...how, '--html', 'mine.html').exitCode).toBe(2);
    const there = locate('wrong.smt2', ...how, '--html', '-');
    expect(there.stdout.startsWith('<!doctype html>')).toBe(true);
  });

  it('reuses no judgement of another solver, commit or limit', () => {
    const kept = (): number => readFileSync(join(folder, 'again', 'tried.ndjson'), 'utf8').split('\n').length;
    const counts = [
      [...how],
      [...how.slice(0, 2), '--reference', 'path:./right,path:./silent'],
      [...how, '--timeout', '6s'],
      ['--on', 'git:solver@main~1', ...how.slice(2)],
      [...how],
    ].map((words) => {
      expect(locate('wrong.smt2', ...words, '--out', 'again', '--most', '3').exitCode).toBe(0);
      return kept() - 1;
    });
    expect(counts).toEqual([3, 6, 9, 12, 12]);
  });

  it('stops at Ctrl-C, prints how to resume, and resumes', async () => {
    const sleeping = join(folder, 'sleeping');
    const script = readFileSync(join(folder, 'right'), 'utf8').replace(
      'cat >',
      'echo >> asked; sleep 1; cat >',
    );
    writeFileSync(sleeping, script, { mode: 0o755 });
    const words = [
      'locate',
      'wrong.smt2',
      ...how.slice(0, 2),
      '--reference',
      'path:./sleeping',
      '--out',
      'ended',
    ];
    const { cwd, env } = asUsual();
    const { child, ended } = startCulprit(words, cwd, env);
    const tried = join(folder, 'ended', 'tried.ndjson');
    while (!existsSync(tried) || readFileSync(tried, 'utf8') === '') await setTimeout(50);
    child.kill('SIGINT');
    const { stdout, stderr, exitCode } = await ended;
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 130 });
    expect(stderr).toContain('the same command resumes with the results in ended');
    const before = readFileSync(tried, 'utf8');
    const again = culprit([...words, '--most', '4'], asUsual());
    expect(again.exitCode).toBe(0);
    expect(readFileSync(tried, 'utf8').startsWith(before)).toBe(true);
  });

  it('explains a missing argument in one sentence', () => {
    for (const [args, sentence] of [
      [['fine.smt2', ...how], 'does not fail on the formula: it says sat, and path:./right says sat'],
      [
        ['wrong.smt2', '--on', 'git:solver@main', '--reference', 'path:./silent'],
        'none of path:./silent answers',
      ],
      [['wrong.smt2', '--on', 'git:solver@nowhere', ...how.slice(2)], 'solver has no commit nowhere'],
      [['wrong.smt2', '--on', 'path:./right', ...how.slice(2)], 'does not count what it executes'],
      [['wrong.smt2', ...how, '--weight', '2'], 'a number from 0 to 1'],
      [['nothing.smt2', ...how], 'nothing.smt2'],
      [['wrong.smt2', '--on', 'z3@4.8.17,z3@5.2.0'], 'locate examines one version'],
      [['wrong.smt2', ...how, '--out', 'wrong.smt2'], 'wrong.smt2'],
      [
        ['wrong.smt2', ...how, '--strategy', 'developers'],
        'none of the 0 formulas near it is answered correctly',
      ],
      [[], 'name a formula and the version'],
    ] as const) {
      const { stderr, exitCode } = locate(...args);
      expect(stderr).toContain(sentence);
      expect(exitCode).toBe(2);
    }
  });

  itStudies('is held against bugs whose files are known', () => {
    const bugs = join(folder, 'bugs');
    for (const [id, formulaFile, truth] of [
      ['one', 'wrong.smt2', 'contains.c'],
      ['two', 'fine.smt2', 'others.c'],
    ] as const) {
      mkdirSync(join(bugs, id), { recursive: true });
      const bug = { id, solver: 'own', truth: [truth], buggyTag: 'main', options: [] };
      writeFileSync(join(bugs, id, 'bug.json'), JSON.stringify(bug));
      copyFileSync(join(folder, formulaFile), join(bugs, id, 'formula.smt2'));
    }
    const on = ['--repo', 'own=solver', '--reference', 'path:./right', '--strategies'];
    const study = (...args: readonly string[]) => culprit(['study', 'locate', ...args], asUsual());
    const ways = 'enumeration,random,nearest';
    const studied = study('bugs', ...on, ways, '--most', '40');
    expect(studied.exitCode).toBe(0);
    expect(studied.stdout).toMatch(/^SMTLOC +2 +1 +1 +1 +1 +1\.00 +1\.00$/m);
    expect(studied.stdout).toMatch(/^culprit +2 +1 /m);
    expect(studied.stdout).toMatch(/^SMTLOC_rand +2 +1 /m);
    expect(studied.stdout).toMatch(/two \(enumeration\): .* does not fail on the formula/);
    const again = JSON.parse(study('bugs', ...on, ways, '--most', '40', '--json').stdout);
    const located = again.bugs;
    expect(again.ways.find(({ name }: { name: string }) => name === 'SMTLOC').top).toEqual([1, 1, 1, 1]);
    expect(located[0].ranks).toHaveLength(11);
    expect(again.parts[0]).toMatchObject({ name: 'culprit', top: [1, 1, 1, 1] });
    expect(again.choices.map(({ bugs: judged }: { bugs: number }) => judged)).toEqual([2, 1, 1]);
    const one = JSON.parse(study('bugs', ...on, 'nearest', '--only', 'two', '--json').stdout);
    expect(one.bugs.map(({ id }: { id: string }) => id)).toEqual(['two']);
    expect(study('bugs', ...on, 'nearest', '--only', 'three').stderr).toContain('there is no bug three');
    expect(study('nowhere', ...on, 'nearest').stderr).toContain('there is no folder nowhere');
    expect(study('kept', ...on, 'nearest').stderr).toContain('kept holds no bugs');
    expect(study('bugs', '--repo', 'own').stderr).toContain('NAME=VALUE');
    expect(study('bugs', ...on, 'nearest', '--quick').stderr).toContain('no quick-coverage recipe for');
    expect(study('bugs', '--repo', 'cvc5=solver', ...on.slice(2), 'nearest').stderr).toContain('left out');
    const older = { id: 'one', solver: 'cvc4', truth: ['contains.c'], buggyTag: 'main', options: [] };
    writeFileSync(join(bugs, 'one', 'bug.json'), JSON.stringify(older));
    const ofCvc4 = ['--only', 'one', '--repo', 'cvc5=solver', ...on.slice(2), 'nearest', '--out', 'of-cvc4'];
    expect(study('bugs', ...ofCvc4).stderr).not.toContain('left out');
  });

  it('lists its rules', () => {
    const { stdout } = locate('--rules');
    expect(stdout).toMatch(/^Bool: 14 replacements/m);
    expect(stdout).toContain('  str.contains to str.prefixof\n');
  });
});
