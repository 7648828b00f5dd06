import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeSolver } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, culpritMany, startCulprit } from './culprit.js';
import { besideWrongSolver, makeWrongSolver } from './wrong-solver.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('hunt-locate');
  makeWrongSolver(folder);
  // Takes a second per formula while a file `slow` exists.
  writeSolver(join(folder, 'waiting'), {
    banner: 'Z3 version 4.14.0 - 64 bit',
    before: `[ -e ${join(folder, 'slow')} ] && sleep 1`,
  });
  // Wrong like the repository's solver, but no commit.
  writeSolver(join(folder, 'released'), {
    banner: 'Z3 version 4.13.0 - 64 bit',
    on: { '*str.contains*\\"b\\"*': { answers: ['unsat'] } },
  });
});

const run = (...args: readonly string[]) => culprit(args, besideWrongSolver(folder));
const hunt = (...args: readonly string[]) => run('hunt', '--seed', '1', '--workers', '2', ...args);
const commit = ['--on', 'path:./waiting,git:solver@main'];
const short = ['--for', '1s', '--corpus', 'wrong.smt2'];

const isLocated = (line: string): boolean => line.includes('"event":"located"');
const journal = (name: string): string => readFileSync(join(folder, name, 'journal.ndjson'), 'utf8');
const locatedIn = (name: string) =>
  journal(name)
    .split('\n')
    .filter(isLocated)
    .map((line) => JSON.parse(line));
/** The first campaign with another journal and without trials. */
const copied = (name: string, change: (line: string) => string | undefined): void => {
  cpSync(join(folder, 'all'), join(folder, name), { recursive: true });
  rmSync(join(folder, name, 'located'), { recursive: true });
  const lines = journal('all')
    .split('\n')
    .flatMap((line) => change(line) ?? []);
  writeFileSync(join(folder, name, 'journal.ndjson'), lines.join('\n'));
};
const notLocated = (line: string): string | undefined => (isLocated(line) ? undefined : line);
/** The trials for its disagreement. */
const triedIn = (name: string): string => {
  const { oddity } = locatedIn('all')[0];
  return join(folder, name, 'located', String(oddity).padStart(4, '0'), 'tried.ndjson');
};

describe('culprit hunt --locate', () => {
  it('ranks files in every format of the report, and repeats nothing', () => {
    const { stdout, stderr, exitCode } = hunt(...commit, ...short, 'crash.smt2', '--locate', '--out', 'all');
    expect(stderr).not.toContain('culprit:');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Files to look at for the wrong answer of git:.*: it says unsat, and path:.* says sat/m,
    );
    expect(stdout).toMatch(
      /^It is assumed that git:.* is wrong, as the newest version: nothing shows which answer is right/m,
    );
    expect(stdout).toMatch(
      /^ *1 {2}contains\.c .* lines?, each executed by .* witnesses; touched by 1 commit/m,
    );
    expect(stdout).toMatch(/^Files to look at for the crash of git:/m);
    expect(stdout).toMatch(/^ *1 {2}main\.c +it ended there \(last on the stack\)/m);
    expect(stdout).not.toContain('Which files are to blame');

    const page = readFileSync(join(folder, 'all', 'report.html'), 'utf8');
    expect(page).toContain('<h2>Files to look at</h2>');
    expect(page).toContain('<td>contains.c</td>');
    const markdown = readFileSync(join(folder, 'all', 'report.md'), 'utf8');
    expect(markdown).toMatch(/^\| 1 \| `contains\.c` \| 4 lines, each executed by/m);
    expect(markdown).toMatch(/^## Crash of `z3 at [0-9a-f]+`$/m);
    // The settings name the programs; relative names must keep their meaning in another folder.
    expect(markdown.split('## How it was found')[0]).not.toContain(folder);

    const again = run('report', 'all');
    expect(again.stdout).toBe(stdout);
    const { locations, oddities } = JSON.parse(run('report', 'all', '--json').stdout);
    expect(locations).toMatchObject([
      { version: 1, isAssumed: true, references: [0], result: { kind: 'ranked', counts: 'lines' } },
      { version: 1, isAssumed: false, result: { files: [{ name: 'main.c', stack: 1 }] } },
    ]);
    const disagreement = oddities.find(({ id }: { id: number }) => id === locations[0].oddity);
    expect(disagreement.kind).toBe('disagreement');

    const before = locatedIn('all');
    expect(before).toHaveLength(2);
    expect(run('hunt', '--resume', 'all', '--locate').stdout).toContain('Files to look at for the crash');
    expect(locatedIn('all')).toEqual(before);
    expect(run('hunt', '--replay', 'all').exitCode).toBe(0);
  });

  it('suggests a command if it would have to build a commit', () => {
    copied('unasked', notLocated);
    const { stdout } = run('hunt', '--resume', 'unasked');
    expect(stdout).toMatch(
      /^Which files are to blame for the wrong answer of git:\S+\? culprit locate unasked\/cases\/o\d+\.smt2 --on git:\S+@[0-9a-f]+ --reference path:\S+waiting$/m,
    );
    expect(existsSync(join(folder, 'unasked', 'located'))).toBe(false);
    const [{ next, result }] = JSON.parse(run('report', 'unasked', '--json').stdout).locations;
    expect(next).toMatch(/^culprit locate unasked\/cases\/o\d+\.smt2 /);
    expect(result).toBeUndefined();
    const page = readFileSync(join(folder, 'unasked', 'report.html'), 'utf8');
    expect(page).toContain('Not ranked yet');
  });

  it('needs no option for a version that counts, and respects --no-locate', () => {
    const counting = ['--on', 'path:./waiting,git:solver@main?coverage'];
    expect(hunt(...counting, ...short, '--no-locate', '--out', 'counting').stdout).toContain(
      'Which files are to blame',
    );
    expect(run('hunt', '--resume', 'counting').stdout).toMatch(/^ *1 {2}contains\.c /m);
  });

  it('accepts the commit of a release', () => {
    const versions = ['--on', 'path:./waiting,path:./released'];
    const { stdout } = hunt(...versions, ...short, '--out', 'released-hunt');
    expect(stdout).toContain('--on git:REPOSITORY@NEW --reference path:');
    const at = ['--locate', '--repo', 'solver', '--bad', 'main'];
    expect(run('hunt', '--resume', 'released-hunt', ...at).stdout).toMatch(/^ *1 {2}contains\.c /m);
    const { stderr, exitCode } = hunt(...versions, '--locate', '--repo', 'solver', '--out', 'none');
    expect(stderr).toContain('--locate needs a repository and the commit of the newest version');
    expect(exitCode).toBe(2);
  });

  it('stops at Ctrl-C with its results, and resumes', async () => {
    copied('stopped', notLocated);
    writeFileSync(join(folder, 'slow'), '');
    const { cwd, env } = besideWrongSolver(folder);
    const { child, ended } = startCulprit(['hunt', '--resume', 'stopped', '--locate'], cwd, env);
    const tried = triedIn('stopped');
    while (!existsSync(tried) || readFileSync(tried, 'utf8') === '') await setTimeout(50);
    process.kill(-(child.pid as number), 'SIGINT');
    const { stdout, stderr, exitCode } = await ended;
    rmSync(join(folder, 'slow'));
    expect(stdout).toContain('Which files are to blame');
    expect(stderr).toContain('interrupted; resume with: culprit hunt --resume stopped');
    expect(exitCode).toBe(130);
    const before = readFileSync(tried, 'utf8');
    expect(run('hunt', '--resume', 'stopped', '--locate').stdout).toMatch(/^ *1 {2}contains\.c /m);
    expect(readFileSync(tried, 'utf8').startsWith(before)).toBe(true);
  });

  it("treats a stored campaign as a stranger's", () => {
    const changes: readonly ((line: string) => string)[] = [
      (line) => line.replace('"version":1', '"version":7'),
      (line) => line.replace(/"oddity":\d+/, '"oddity":99'),
      (line) => line.replace('"rank":1', '"rank":"first"'),
    ];
    for (const [at, change] of changes.entries())
      copied(`spoilt${at}`, (line) => (isLocated(line) ? change(line) : line));
    const reports = culpritMany(
      changes.map((_, at) => ['report', `spoilt${at}`]),
      besideWrongSolver(folder),
    );
    for (const { stderr, exitCode } of reports) {
      expect(stderr).toMatch(/^culprit: spoilt\d\/journal\.ndjson, line \d+, is damaged\.?$/m);
      expect(exitCode).toBe(2);
    }
  });

  it('explains in one sentence why no file is ranked', () => {
    copied('damaged', notLocated);
    const locate = () => run('hunt', '--resume', 'damaged', '--locate');
    const tried = triedIn('damaged');
    mkdirSync(dirname(tried), { recursive: true });
    writeFileSync(tried, 'nonsense\n');
    const { stdout, exitCode } = locate();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^No files to look at for the wrong answer of git:.*: damaged\/located\/\d+\/tried\.ndjson, line 1, is damaged\.$/m,
    );
    // A failed ranking is repeated only with --locate.
    rmSync(tried);
    expect(run('hunt', '--resume', 'damaged').stdout).toContain('is damaged.');
    expect(locate().stdout).toMatch(/^ *1 {2}contains\.c /m);
  });
});
