/** Formulas with sorts and operators that culprit does not know: every command accepts them, as solvers do. */

import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, initRepository } from '../git-repository.js';
import { solverScript, spin } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

/** One version is slow on formulas with `widget.spin`. */
const solver = (isSlow: boolean, at = 0): string =>
  solverScript(
    {
      banner: `Z3 version 4.13.${isSlow ? 1 : 0} - 64 bit`,
      on: { '*widget.spin*': { before: isSlow ? spin(80_000) : ':' } },
    },
    `change ${at}`,
  );

const formula = `(set-logic ALL)
(declare-fun w () (Widget Int))
(declare-fun v () (Widget Int))
(assert (= (widget.turn v) w))
(assert (or (widget.spin w (_ gear 3)) (widget.spin v (_ gear 4))))
(check-sat)
`;

const note = 'slow.smt2:2:1: unknown sort Widget, and 3 more: solvers get it as it is';

let folder: string;
let commits: readonly string[];

beforeAll(() => {
  folder = temporaryFolder('unknown');
  for (const name of ['old', 'new']) {
    writeFileSync(join(folder, name), solver(name === 'new'));
    chmodSync(join(folder, name), 0o755);
  }
  const repository = join(folder, 'repository');
  initRepository(repository);
  commits = [0, 1, 2, 3].map((at) =>
    commitFiles(repository, { 'z3.sh': solver(at >= 2, at) }, `change ${at}`),
  );
  writeFileSync(join(folder, 'slow.smt2'), formula);
});

const run = (...words: readonly string[]) =>
  culprit(words, { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache') } });
const both = 'path:z3=./old,path:z3=./new';
const limits = ['--timeout', '60s', '--threshold', '40ms'];
const range = () => ['--repo', 'repository', '--good', commits[0] as string, '--bad', commits[3] as string];
const build = [
  ...['--build', 'cp z3.sh "$CULPRIT_BUILD/z3"; chmod +x "$CULPRIT_BUILD/z3"'],
  ...['--binary', '$CULPRIT_BUILD/z3'],
];

describe('a formula with unknown parts', () => {
  it('is run, with a note', () => {
    const { stdout, stderr, exitCode } = run('run', 'slow.smt2', '--on', both, '--json');
    expect(stderr).toContain(note);
    expect(JSON.parse(stdout).versions).toMatchObject([{ outcome: 'sat' }, { outcome: 'sat' }]);
    expect(exitCode).toBe(0);
  });

  it('is refused only by a strict check', () => {
    expect(run('formula', 'check', 'slow.smt2').exitCode).toBe(0);
    const strict = run('formula', 'check', '--strict', 'slow.smt2');
    expect(strict.stdout + strict.stderr).toContain('slow.smt2:2:1: unknown sort Widget');
    expect(strict.exitCode).toBe(1);
  });

  it('is reduced', () => {
    const sides = ['--slower', 'path:z3=./new', '--than', 'path:z3=./old'];
    const { stderr, exitCode } = run('reduce', 'slow.smt2', ...sides, ...limits, '--out', 'small.smt2');
    expect(stderr).toContain(note);
    expect(exitCode).toBe(0);
    const small = readFileSync(join(folder, 'small.smt2'), 'utf8');
    expect(small).toBe('(declare-const w (Widget Int))\n(assert (widget.spin w (_ gear 3)))\n(check-sat)\n');
  });

  it('has a timeline', () => {
    const { stdout, stderr, exitCode } = run('timeline', 'slow.smt2', '--on', both, ...limits);
    expect(stderr).toContain(note);
    expect(stdout).toMatch(/slower/);
    expect(exitCode).toBe(0);
  });

  it('is bisected', () => {
    const asked = ['bisect', 'slow.smt2', ...range(), ...limits, ...build, '--out', 'bisected', '--json'];
    const { stdout, stderr, exitCode } = run(...asked);
    expect(stderr).toContain(note);
    expect(JSON.parse(stdout).culprits).toMatchObject([{ commit: commits[2], direction: 'slower' }]);
    expect(exitCode).toBe(0);
  });

  it('is blamed on a commit', () => {
    const { stdout, stderr, exitCode } = run(
      ...['blame', 'slow.smt2', ...range(), ...limits, ...build, '--seeds', '1-2', '--out', 'blamed'],
    );
    expect(stderr).toContain(note);
    expect(stdout).toContain(`${commits[2]?.slice(0, 10)}  change 2`);
    expect(exitCode).toBe(0);
  });

  it('is the start of a hunt, and its findings are confirmed', () => {
    const asked = [
      'hunt',
      '--on',
      both,
      '--corpus',
      'slow.smt2',
      '--for',
      '2s',
      '--seed',
      '1',
      '--out',
      'hunted',
    ];
    const hunted = run(...asked, '--threshold', '40ms', '--timeout', '2s');
    expect(hunted.stderr).toContain('1 of 1 formulas contain parts that culprit does not know');
    expect(hunted.exitCode).toBe(0);
    // A busy machine may need more time.
    const cases = () => readdirSync(join(folder, 'hunted', 'cases'));
    for (let more = 0; more < 10 && cases().length === 0; more++)
      run('hunt', '--resume', 'hunted', '--for', '4s');
    const [found] = cases();
    expect(readFileSync(join(folder, 'hunted', 'cases', found ?? ''), 'utf8')).toContain('widget.spin');
    const confirmed = run('confirm', 'hunted', '--seeds', '1-2');
    expect(confirmed.stdout).toMatch(/cases\/s\d+\.smt2 +2 of 2 +every seed/);
    expect(confirmed.exitCode).toBe(0);
  });
});
