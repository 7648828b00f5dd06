import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { solverScript, spin } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

let folder: string;
let culpritCommit: string;

/** From one commit on, slow on formulas with str.contains. */
const solver = (isSlow: boolean, at: number): string =>
  solverScript(
    {
      banner: 'Z3 version 4.13.0 - 64 bit',
      on: { '*str.contains*': { before: isSlow ? spin(100_000) : ':' } },
    },
    `change ${at}`,
  );

beforeAll(() => {
  folder = temporaryFolder('blame');
  const repository = join(folder, 'solver');
  initRepository(repository);
  for (let at = 0; at < 6; at++) {
    const message = at === 3 ? 'fix #12 by eager splitting' : `change ${at}`;
    commitFiles(repository, { 'z3.sh': solver(at >= 3, at) }, message);
  }
  culpritCommit = gitIn(repository, ['rev-parse', 'main~2']);
  writeFileSync(
    join(folder, 'slow.smt2'),
    `(set-logic QF_SLIA)(declare-fun name () String)(declare-fun other () String)
(assert (= (str.len name) 4))(assert (str.contains (str.++ name other) "abc"))(check-sat)`,
  );
});

const run = (...args: readonly string[]) =>
  culprit(['blame', 'slow.smt2', '--repo', 'solver', ...args], {
    cwd: folder,
    env: { CULPRIT_CACHE: join(folder, 'cache') },
  });

const told = (...args: readonly string[]): string =>
  culprit(args, { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } }).stdout;

const build = [
  '--build',
  'cp z3.sh "$CULPRIT_BUILD/z3"; chmod +x "$CULPRIT_BUILD/z3"',
  '--binary',
  '$CULPRIT_BUILD/z3',
];

describe('culprit blame', () => {
  it('leads from a slow formula to a named culprit and a report', () => {
    const limits = ['--timeout', '60s', '--threshold', '40ms', '--seeds', '1-2'];
    const asked = ['--good', 'main~5', '--bad', 'main', ...limits, ...build];
    const { stdout, stderr, exitCode } = run(...asked);
    expect(stderr).toMatch(
      /^1\. build .*\n2\. confirm .*\n3\. reduce it\n.*characters\n4\. look under 2 .*\n(?: {3}.*\n)* {3}.* of 2\n(?: {3}.*\n)+5\. triage/,
    );
    expect(stdout).toContain(`${culpritCommit.slice(0, 10)}  fix #12 by eager splitting`);
    expect(stdout).toMatch(/intention +program fix/);
    expect(stdout).toMatch(/issues +#12/);
    expect(exitCode).toBe(0);
    const reduced = readFileSync(join(folder, 'blame', 'slow', 'reduced', 'slow.smt2'), 'utf8');
    expect(reduced).toBe('(assert (str.contains "" ""))\n(check-sat)\n');
    const report = readFileSync(join(folder, 'blame', 'slow', `${culpritCommit.slice(0, 10)}.md`), 'utf8');
    expect(report).toContain('(assert (str.contains "" ""))');
    expect(report).toMatch(/Random seeds: slower under \d\/2 \(/);
    expect(report).toMatch(/^timeout \d+ z3 .*slow\.smt2$/m);
    expect(report).not.toContain(folder);
    expect(report).toContain('(before the culprit) |');
    expect(report).toMatch(/ --timeout 60s --memory 2GB --threshold 40ms$/m);
    expect(report).toMatch(/^\| `slow\.smt2` \| /m);
    expect(report).toContain(`Found by culprit \`${version}\` on \`${type()} `);
    const again = run(...asked, '--explain');
    expect(again.stderr).toContain('2. and 3. are done');
    // After the commit, the change within it: of two changes, the number in the comment is not to blame.
    expect(again.stderr).not.toContain('is not explained');
    expect(again.stdout).toMatch(
      /1 change to blame between [\s\S]*\nz3\.sh:6\n[\s\S]*\+\*str\.contains\*\) i=0; while/,
    );
    expect(told('triage', 'blame/slow')).toMatch(/intention +program fix/);
    expect(again.exitCode).toBe(0);
    const other = run(...asked.map((word) => (word === 'main~5' ? 'main~4' : word)));
    expect(other.stderr).toBe(
      `culprit: ${join('blame', 'slow')} was begun with another good commit: name another folder with --out\n`,
    );
    expect(other.exitCode).toBe(2);
    rmSync(join(folder, 'blame', 'slow', 'bisection', 'bisection.json'));
    expect(told('report', 'blame/slow')).toContain(
      '\nTo go on: the same culprit blame command, with --out blame/slow\n',
    );
  });

  describe('culprit with a builder in culprit.json', () => {
    const there = (...args: readonly string[]) =>
      culprit(args, { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } });
    const both = 'git:solver@main~5,git:solver@main';

    beforeAll(() => {
      const builder = { repository: 'solver', build: build.slice(1, 2), binary: '$CULPRIT_BUILD/z3' };
      writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ builders: { shell: builder } }));
    });
    afterAll(() => rmSync(join(folder, 'culprit.json')));

    it('accepts a commit as a version', () => {
      const { stdout, exitCode } = there('run', 'slow.smt2', '--on', both, '--json');
      expect(exitCode).toBe(0);
      expect(stdout).toContain('"git:solver@main~5"');
      const wrong = run('--good', 'main~5', '--builder', 'other', '--out', 'third');
      expect(wrong.stderr).toBe('culprit: no builder "other" is defined in culprit.json.\n');
    });

    it('shows a timeline over every second commit, on the terminal and as a page', () => {
      const range = ['--repo', 'solver', '--good', 'main~5', '--bad', 'main', '--every', '2'];
      const { stdout, stderr, exitCode } = there(
        ...['timeline', 'slow.smt2', ...range, '--threshold', '40ms', '--html', 'line.html'],
      );
      expect(stderr).toBe('written: line.html\n');
      expect(exitCode).toBe(0);
      expect(stdout).toContain('slow.smt2 became slow once.');
      expect(stdout.match(/^[0-9a-f]{10} +sat /gm)).toHaveLength(4);
      expect(readFileSync(join(folder, 'line.html'), 'utf8')).toContain('slow.smt2 became slow once');
    });

    it('leads from a hunt between two commits to the culprit', () => {
      let { stdout, exitCode } = there(
        ...['hunt', '--on', both, '--corpus', 'slow.smt2', '--for', '1s', '--seed', '3'],
        ...['--threshold', '40ms', '--timeout', '60s', '--out', 'hunted', '--blame'],
      );
      // A busy machine may need more than a second.
      for (let more = 0; more < 10 && !stdout.includes('fix #12'); more++)
        ({ stdout, exitCode } = there('hunt', '--resume', 'hunted', '--for', '2s', '--blame'));
      expect(stdout).toContain(`${culpritCommit.slice(0, 10)}  fix #12 by eager splitting`);
      expect(exitCode).toBe(0);
      const explained = there('hunt', '--resume', 'hunted', '--blame', '--explain');
      expect(explained.stderr).not.toContain('is not explained');
      expect(explained.stdout).toMatch(
        /1 change to blame between [\s\S]*\nz3\.sh:6\n[\s\S]*\+\*str\.contains\*\) i=0; while/,
      );
      expect(explained.exitCode).toBe(0);
      const alone = there('hunt', '--on', both, '--explain');
      expect(alone.stderr).toBe('culprit: --explain needs --blame: hunt --blame --explain\n');
      expect(alone.exitCode).toBe(2);
      const wanting = there('hunt', '--blame');
      expect(wanting.stderr).toContain('--blame needs commits');
      expect(wanting.exitCode).toBe(2);
    });
  });

  it('reports that a commit named as a version does not build', () => {
    const { stderr, exitCode } = culprit(['run', 'slow.smt2', '--on', 'git:solver@nothing'], {
      cwd: folder,
    });
    expect(stderr).toContain('has no commit nothing');
    expect(exitCode).toBe(2);
  });

  it('accepts several formulas, and skips those that are not slower', () => {
    writeFileSync(
      join(folder, 'other.smt2'),
      '(declare-fun a () String)(assert (not (str.contains a "b")))(assert (= (str.len a) 3))(check-sat)',
    );
    writeFileSync(join(folder, 'quick.smt2'), '(assert true)(check-sat)');
    const limits = ['--timeout', '60s', '--threshold', '40ms', '--seeds', '1'];
    const asked = ['--good', 'main~5', '--bad', 'main', ...limits, ...build, '--out', 'several', '--json'];
    const { stdout, stderr, exitCode } = run('other.smt2', 'quick.smt2', ...asked);
    expect(stderr).toContain('quick.smt2: the formula is not slower on');
    expect(exitCode).toBe(0);
    const { culprits, dossiers } = JSON.parse(stdout);
    expect(culprits).toMatchObject([
      { case: join('several', 'reduced', '1-slow.smt2'), commit: culpritCommit },
      { case: join('several', 'reduced', '2-other.smt2'), commit: culpritCommit },
    ]);
    expect(dossiers).toHaveLength(1);
  });

  it('refuses the folder of another job', () => {
    const range = ['--good', 'main~5', '--bad', 'main', ...build];
    const bisected = culprit(
      ['bisect', 'slow.smt2', '--repo', 'solver', ...range, '--out', 'bisected', '--threshold', '40ms'],
      { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } },
    );
    expect(bisected.exitCode).toBe(0);
    const { stderr, exitCode } = run(...range, '--out', 'bisected');
    expect(stderr).toBe('culprit: bisected was created by culprit bisect, so culprit blame cannot use it.\n');
    expect(exitCode).toBe(2);
  });

  it('reports that the formula is not slower', () => {
    const { stderr, exitCode } = run('--good', 'main~5', '--bad', 'main~4', '--out', 'other', ...build);
    expect(stderr).toContain('the formula is not slower on');
    expect(exitCode).toBe(2);
  });
});
