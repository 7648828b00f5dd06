import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateSolver } from '../stand-in-solver.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { culprit, type Ended } from './culprit.js';

/** A line at every change, so that the clock does not matter. */
const talkative = { CULPRIT_PROGRESS: '0' };

let folder = '';

beforeAll(() => {
  folder = temporaryFolder();
  const solvers = { one: templateSolver(), two: templateSolver({}, '2') };
  writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ solvers }));
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.smt2`), `(declare-const ${name} Bool)(assert ${name})(check-sat)\n`);
});

afterAll(() => removeFolder(folder));

function told(args: readonly string[], env: Record<string, string> = talkative): Ended {
  return culprit(args, { cwd: folder, env: { CULPRIT_CACHE: join(folder, 'cache'), ...env } });
}

const on = ['--on', 'one,two'];

describe('the progress of a command', () => {
  it.each([
    [
      ['run', '.', ...on],
      /^measuring: 1 of 2 formulas, about \d+ s left {2}b\.smt2 {2}one {2}sat; \d+ s so far$/m,
    ],
    [
      ['timeline', '.', ...on],
      /^measuring: 1 of 2 formulas, about \d+ s left {2}b\.smt2 {2}two; \d+ s so far$/m,
    ],
    [
      ['confirm', '.', ...on, '--seeds', '1-3', '--all'],
      /^under other seeds: 1 of 2 formulas, about \d+ s left {2}b\.smt2 {2}seed 2; \d+ s so far$/m,
    ],
    [
      ['calibrate', ...on, '--formulas', '2', '--repeat', '2'],
      /^step 1 of 2, alone: 3 of 8 runs, about \d+ s left; [\s\S]*^step 2 of 2, 2 at once: 3 of 6 turns, about \d+ s left; /m,
    ],
    [
      ['study', 'noise', ...on, '--formulas', '2', '--repeat', '2'],
      /^measuring: 0 of 8 runs, no estimate yet; [\s\S]*^measuring: 3 of 8 runs, about \d+ s left; /m,
    ],
    [
      ['reduce', 'a.smt2', '--on', 'one', '--forget'],
      /^step 1 of 3, by a quick look: \d+ -> \d+ characters, \d+ tried, \d+ taken, the last \d+ failed, no estimate: until nothing smaller holds/m,
    ],
    [
      [
        'study',
        'detection',
        ...on,
        '--for',
        '300ms',
        '--repeat',
        '1',
        '--strategies',
        'random',
        '--out',
        'study',
      ],
      /^campaign 1 of 1 \(random, 1 of 1\): \d+ s left {2}\d+ formulas .*; for all of them at least \d+ s left; \d+ s so far$/m,
    ],
  ])('is shown by %j', (args, line) => {
    const { stderr, exitCode } = told(args);
    expect(stderr).toMatch(line);
    expect(exitCode).toBe(0);
  });

  it('never goes to standard output', () => {
    const { stdout } = told(['run', '.', ...on, '--json']);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).formula)).toEqual(['a.smt2', 'b.smt2']);
  });

  it('is absent with CULPRIT_PROGRESS=never', () => {
    expect(told(['run', '.', ...on], { CULPRIT_PROGRESS: 'never' }).stderr).toBe('');
  });

  it('follows the interval in CULPRIT_PROGRESS, which must be a time', () => {
    const { stderr, exitCode } = told(['run', '.', ...on], { CULPRIT_PROGRESS: 'soon' });
    expect(stderr).toBe(
      'culprit: CULPRIT_PROGRESS is soon: set it to an interval such as 30s, or to never.\n',
    );
    expect(exitCode).toBe(2);
  });
});

describe('the progress of a command on a terminal', () => {
  /** The final state of a terminal: removed lines are gone. */
  const left = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''))
      .join('\n');

  it('is a bar in place, removed before rows are printed and at the end', () => {
    const terminal = 'process.stderr.isTTY = true; process.stderr.columns = 120;';
    const { stdout, stderr } = told(['run', '.', ...on], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(terminal)}`,
    });
    expect(stderr).toContain('\r\u001b[Kstarting the solvers');
    expect(stderr).toMatch(/\[[█░]{16}\] measuring: \d of 2 formulas, /);
    expect(left(stderr)).toBe('');
    expect(stdout).toMatch(/^a\.smt2 .*\nb\.smt2 /m);
  });
});
