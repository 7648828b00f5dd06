import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { spin, templateSolver, writeSolver } from '../stand-in-solver.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { culprit, inFolder, startCulprit } from './culprit.js';

const sat = '(declare-const s String)\n(assert (= (str.len s) 3))\n(check-sat)\n';
const embedded = ['--on', 'z3@4.8.17,z3@5.2.0'];

/** Scripts that imitate two versions of Z3: embedded ones need seconds to start. */
const folderOfStandIns = temporaryFolder('stand-ins');
const [old, other] = [500, 600].map((effort) => {
  const path = join(folderOfStandIns, `z3-${effort}`);
  writeSolver(path, { banner: 'Z3 version 4.8.8 - 64 bit', effort });
  return `path:${path}`;
});
const onStandIns = ['--on', `${old},${other}`];

describe('culprit run', () => {
  it('compares the embedded versions without any download', () => {
    inFolder((folder) => {
      writeFileSync(join(folder, 'sat.smt2'), sat);
      writeFileSync(join(folder, 'unsat.smt2'), sat.replace('3', '(- 3)'));
      const { stdout, stderr, exitCode } = culprit(['run', '.'], {
        cwd: folder,
        env: { CULPRIT_OFFLINE: '1', CULPRIT_CACHE: join(folder, 'cache') },
      });
      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
      const [header, first, second] = stdout.split('\n');
      expect(header).toMatch(/^formula +z3@4\.8\.17 +time +effort .*z3@5\.2\.0 +time +effort .*ratio/);
      expect(first).toMatch(/^sat\.smt2 +sat .* sat .*x$/);
      expect(second).toMatch(/^unsat\.smt2 +unsat .* unsat .*x$/);
    });
  });

  it('prints every run as JSON', () => {
    const { stdout, exitCode } = culprit(['run', '-', ...onStandIns, '--json', '--repeat', '2'], {
      input: sat,
    });
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.versions.map((version: { outcome: string }) => version.outcome)).toEqual(['sat', 'sat']);
    for (const version of report.versions) {
      expect(version.runs).toHaveLength(2);
      expect(new Set(version.runs.map((run: { effort: number }) => run.effort)).size).toBe(1);
    }
  });

  it('runs seeds and counts the slower ones', () => {
    const { stdout } = culprit(['run', '-', ...onStandIns, '--seeds', '1-3'], { input: sat });
    expect(stdout).toContain('on 0 of 3 seeds');
  });

  it('runs a solver by a command template', () => {
    inFolder((folder) => {
      const solvers = { liar: templateSolver({ answers: ['unsat'] }), honest: templateSolver() };
      writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
      const { stdout, exitCode } = culprit(['run', '-', '--on', 'liar,honest'], { input: sat, cwd: folder });
      expect(stdout).toContain('DISAGREE');
      expect(stdout).toContain('honest says sat, liar says unsat: one of them is wrong.');
      expect(exitCode).toBe(1);
    });
  });

  it('exits with code 1 for the results in --fail-on', () => {
    inFolder((folder) => {
      const slow = templateSolver({ before: spin(100_000) });
      const solvers = { quick: templateSolver(), slow, liar: templateSolver({ answers: ['unsat'] }) };
      writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
      const codes = (on: string): readonly (number | null)[] =>
        [[], ['--fail-on', 'slower'], ['--fail-on', 'disagree,slower'], ['--fail-on', 'nothing']].map(
          (words) =>
            culprit(['run', '-', '--on', on, '--threshold', '50ms', '--repeat', '2', ...words], {
              input: sat,
              cwd: folder,
            }).exitCode,
        );
      expect(codes('quick,slow')).toEqual([0, 1, 1, 0]);
      expect(codes('quick,liar')).toEqual([1, 0, 1, 0]);
      const wrong = culprit(['run', '-', '--fail-on', 'quicker'], { input: sat, cwd: folder });
      expect(wrong.stderr).toContain('There are slower and disagree, and nothing.');
      expect(wrong.exitCode).toBe(2);
    });
  });

  it('skips formulas that cannot be run, as other commands do', () => {
    inFolder((folder) => {
      const solvers = { one: templateSolver(), two: templateSolver({}, '2') };
      writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
      writeFileSync(join(folder, 'good.smt2'), sat);
      writeFileSync(join(folder, 'silent.smt2'), '(assert true)');
      writeFileSync(join(folder, 'torn.smt2'), '(assert');
      for (const words of [['run', '--repeat', '1'], ['timeline'], ['confirm', '--seeds', '1']]) {
        const { stdout, stderr, exitCode } = culprit([...words, '.', '--on', 'one,two'], { cwd: folder });
        expect(stdout).toContain('good.smt2');
        expect(stderr).toMatch(/silent\.smt2 holds no check-sat: there is nothing to run; it is left out/);
        expect(stderr).toMatch(/torn\.smt2:1:\d+: .*; it is left out/);
        expect(exitCode).toBe(words[0] === 'run' ? 1 : 0);
      }
    });
  });

  it.each([
    [['run', '-', '--on', 'z3@nonsense'], sat, 2],
    [['run', '-', '--on', 'nosuchsolver'], sat, 2],
    [['run', '-', '--on', 'z3@5.2.0,z3@5.2.0'], sat, 2],
    [['run', '-', ...embedded, '--timeout', 'soon'], sat, 2],
    [['run', '-', ...embedded, '--seeds', '9-1'], sat, 2],
    [['run', '-', ...onStandIns], '(assert', 1],
    [['run', '-', ...onStandIns], '(assert true)', 2],
    [['run', '-', '--on', 'path:/nowhere/z3'], sat, 2],
  ])('explains %j in one clear sentence', (args, input, code) => {
    const { stdout, stderr, exitCode } = culprit(args, { input, env: { CULPRIT_OFFLINE: '1' } });
    expect(stdout).toBe('');
    expect(stderr).not.toContain('bug in culprit');
    expect(stderr.trim()).not.toBe('');
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
    expect(exitCode).toBe(code);
  });
});

it('culprit run accepts a formula with unknown parts, and warns once', () => {
  const input = '(declare-const x Int)(assert (= (frobbed x) (frobbed 1)))(assert (> x 0))(check-sat)';
  const { stdout, stderr } = culprit(['run', '-', '--on', `${old},z3`, '--json', '--repeat', '1'], { input });
  // Z3 complains about it and answers nevertheless.
  expect(JSON.parse(stdout).versions).toHaveLength(2);
  expect(stderr.match(/frobbed is not declared/g)).toHaveLength(1);
});

describe('Ctrl-C during culprit run', () => {
  it('ends the solvers and reports the completed formulas', async () => {
    const folder = temporaryFolder('run');
    try {
      const sign = join(folder, 'started');
      const script = `require('fs').writeFileSync(${JSON.stringify(sign)}, String(process.pid)); setInterval(() => {}, 1e6)`;
      const command = [process.execPath, '-e', script, '{file}'];
      writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers: { sleeper: { command } } }));
      writeFileSync(join(folder, 'one.smt2'), sat);
      const args = ['run', 'one.smt2', '--on', 'sleeper', '--timeout', '10m'];
      const { child, ended } = startCulprit(args, folder, { CULPRIT_WRITABLE: folder });
      while (!existsSync(sign) || readFileSync(sign, 'utf8') === '') await setTimeout(10);
      // Like a terminal: to the whole process group.
      process.kill(-(child.pid as number), 'SIGINT');
      const { stderr, exitCode } = await ended;
      expect(stderr).toBe(
        'culprit: interrupted after 0 of 1 formulas; the same command runs all of them again\n',
      );
      expect(exitCode).toBe(130);
      expect(() => process.kill(Number(readFileSync(sign, 'utf8')), 0)).toThrow('ESRCH');
    } finally {
      removeFolder(folder);
    }
  });
});
