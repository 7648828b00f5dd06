import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { templateSolver } from '../stand-in-solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('calibrate');
  const endless = templateSolver({ before: 'while :; do :; done' });
  writeFileSync(
    join(folder, 'culprit.json'),
    JSON.stringify({ solvers: { quick: templateSolver(), again: templateSolver(), endless } }),
  );
});

const run = (...args: readonly string[]) =>
  culprit([...args, '--formulas', '2', '--repeat', '2', '--timeout', '100ms'], {
    cwd: folder,
    env: { CULPRIT_CACHE: join(folder, 'cache') },
  });

describe.each(['calibrate', 'study noise'])('culprit %s', (command) => {
  const words = command.split(' ');

  it('shows Table 1 over all formulas, with the published figures and the runs that never ended', () => {
    const { stdout, stderr, exitCode } = run(...words, '--on', 'quick,endless');
    expect(exitCode).toBe(0);
    const cells = (name: string) =>
      stdout
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(/ {2,}/);
    expect(cells('quick')?.[1]).toBe('2');
    expect(cells('quick')?.[5]).toBe('0');
    expect(cells('endless')?.[5]).toBe('2');
    expect(cells('Z3Str3 (paper)')?.slice(1)).toEqual(['500', '9.91 s', '240 ms', '2.02 s']);
    expect(stderr).toContain('endless: 2 of 2 formulas timed out in every run');
    expect(stderr).not.toContain('quick:');
  });

  it('prints the same as JSON', () => {
    const { versions } = JSON.parse(run(...words, '--on', 'quick,endless', '--json').stdout);
    expect(versions).toMatchObject([
      { version: 'quick', formulas: 2, unfinished: 0, neverFinished: 0 },
      { version: 'endless', formulas: 2, unfinished: 2, neverFinished: 2 },
    ]);
    expect(versions[1].averageMs).toBeGreaterThanOrEqual(100);
  });
});

describe('the influence of parallel runs', () => {
  it('is reported with the skipped formulas', () => {
    const { stdout } = run('calibrate', '--on', 'endless', '--force');
    expect(stdout).toContain(
      'How 2 runs at once slow each other down was not measured: 2 of 2 formulas did not always end in time.\n',
    );
    const { skew, skewFormulas, skewUnfinished } = JSON.parse(
      run('calibrate', '--on', 'endless', '--json').stdout,
    );
    expect({ skew, skewFormulas, skewUnfinished }).toEqual({ skew: 1, skewFormulas: 2, skewUnfinished: 2 });
    expect(JSON.parse(run('calibrate', '--on', 'quick', '--json').stdout)).toMatchObject({
      skewFormulas: 2,
      skewUnfinished: 0,
    });
  });
});

describe('a calibration of a busy machine', () => {
  /** Replaces the calibration by one of a busy machine. */
  const plant = (): void => {
    run('calibrate', '--on', 'quick', '--force');
    const [name = ''] = readdirSync(join(folder, 'cache')).filter((entry) =>
      entry.startsWith('calibration-'),
    );
    const path = join(folder, 'cache', name);
    const kept = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...kept, noise: { floorMs: 227, relative: 0.05 } }));
  };
  const sentence =
    'culprit: this machine was calibrated while it was busy: with 227 ms and 5 % of noise small slowdowns are missed; ' +
    'run culprit calibrate when it is idle, or give a --threshold\n';

  it('causes a warning, unless a threshold is given', () => {
    plant();
    const formula = join(folder, 'formula.smt2');
    writeFileSync(formula, '(assert true)(check-sat)');
    const told = (...args: readonly string[]): string =>
      culprit([...args, '--on', 'quick,again'], {
        cwd: folder,
        env: { CULPRIT_CACHE: join(folder, 'cache') },
      }).stderr;
    for (const command of ['run', 'confirm', 'timeline']) {
      expect(told(command, formula)).toContain(sentence);
      expect(told(command, formula, '--threshold', '1s')).not.toContain('busy');
    }
  });
});
