import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { shellWord } from '../../src/page/shell-word.js';
import { findingCommands } from '../../src/report/hunt/reproduce.js';
import { hostile } from './hostile.js';
import { ordinary, settingsOf } from './made-campaign.js';

const settings = settingsOf(ordinary);

describe('the commands that show a finding again', () => {
  it('name the file, the versions and the limits of the campaign', () => {
    expect(findingCommands(settings, 'campaigns/one', caseId(12))).toEqual([
      'culprit run campaigns/one/cases/s0012.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s',
      'culprit confirm campaigns/one/cases/s0012.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s',
    ]);
  });

  it('leave out what is calibrated, and name a memory limit that is not the usual one', () => {
    const { noise } = settings.slowness;
    const other = { ...settings, slowness: { noise, timeoutMs: 1500 }, memoryBytes: 512 * (1 << 20) };
    expect(findingCommands(other, 'c', caseId(1))[0]).toBe(
      'culprit run c/cases/s0001.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 1500ms --memory 512MB',
    );
  });

  it('quote names with options and folders with spaces, and keep a folder from being an option', () => {
    const other = { ...settings, versions: ['z3@4.8.12', 'z3@5.2.0?smt.arith.solver=2'] };
    const [run] = findingCommands(other, "my hunt's", caseId(1));
    expect(run).toContain(
      `run 'my hunt'\\''s/cases/s0001.smt2' --on 'z3@4.8.12,z3@5.2.0?smt.arith.solver=2' `,
    );
    expect(findingCommands(settings, '-x', caseId(1))[0]).toContain('run ./-x/cases/s0001.smt2 ');
  });
});

describe('a word for a shell', () => {
  it('holds nothing a terminal would act on when it is pasted', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shellWord(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it.skipIf(spawnSync('bash', ['--version']).status !== 0)('is read back as it was by bash', () => {
    // In one call, so that the property costs one process; a NUL is in no argument.
    const words = fc
      .sample(hostile, { numRuns: 200, seed: 1 })
      .map((text) => Buffer.from(text.replaceAll('\0', '')).toString());
    const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});
