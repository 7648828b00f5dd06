import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commitFiles, initRepository } from '../git-repository.js';
import { templateSolver } from '../stand-in-solver.js';
import { culprit, inFolder } from './culprit.js';

it('only new contradictions fail a run with a baseline', () => {
  inFolder((folder) => {
    const solvers = { liar: templateSolver({ answers: ['unsat'] }), honest: templateSolver() };
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
    writeFileSync(join(folder, 'a.smt2'), '(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n');
    const run = (...more: readonly string[]) =>
      culprit(['run', '.', '--on', 'liar,honest', '--repeat', '1', ...more], { cwd: folder });
    const first = run('--sarif', 'found.sarif', '--annotate', '--baseline', 'known.json');
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain(
      '::error file=a.smt2,line=1,title=Wrong answer::honest says sat, liar says unsat\n',
    );
    expect(JSON.parse(readFileSync(join(folder, 'found.sarif'), 'utf8')).runs[0].results).toHaveLength(1);
    expect(run('--baseline', 'known.json', '--update-baseline').exitCode).toBe(1);
    const second = run('--baseline', 'known.json', '--annotate');
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain('culprit: 1 of 1 are known by known.json\n');
    expect(second.stderr).not.toContain('::');
    writeFileSync(join(folder, 'b.smt2'), '(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n');
    expect(run('--baseline', 'known.json').exitCode).toBe(1);
    expect(run('--update-baseline').stderr).toContain('--update-baseline needs a file');
    writeFileSync(join(folder, 'known.json'), 'garbage');
    expect(run('--baseline', 'known.json')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('known.json is not a baseline of culprit'),
    });
  });
});

it('a change above the limit is annotated at its place, and fails nothing once it is in the baseline', () => {
  inFolder((folder) => {
    initRepository(folder);
    commitFiles(folder, { 'a.c': 'int f(int x) { return x; }\n' });
    commitFiles(folder, { 'a.c': 'int f(int x) { if (x) return 2; while (x < 9) x++; return x; }\n' });
    const measure = (...more: readonly string[]) =>
      culprit(['complexity', 'HEAD', '--no-compiler', '--max', '0', ...more], { cwd: folder });
    const first = measure(
      '--annotate',
      '--baseline',
      'known.json',
      '--update-baseline',
      '--markdown',
      'c.md',
    );
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toMatch(
      /^::warning file=a\.c,line=1,title=Complex change::[0-9a-f]{10} \(.*\) has a complexity/m,
    );
    expect(readFileSync(join(folder, 'c.md'), 'utf8')).toMatch(/1 above the limit of 0\./);
    expect(measure('--baseline', 'known.json').exitCode).toBe(0);
    const without = culprit(['complexity', 'HEAD', '--no-compiler', '--annotate'], { cwd: folder });
    expect(without).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('without a limit: --max N'),
    });
  });
});
