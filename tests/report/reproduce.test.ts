import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { shellWord } from '../../src/page/shell-word.js';
import { findingCommands } from '../../src/report/hunt/reproduce.js';
import { hostile } from './hostile.js';
import { ordinary, settingsOf } from './made-campaign.js';

const settings = settingsOf(ordinary);

describe('commands that reproduce a finding', () => {
  it('name the file, the versions and the limits of the campaign', () => {
    expect(findingCommands(settings, 'campaigns/one', caseId(12))).toEqual([
      'culprit run campaigns/one/cases/s0012.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s',
      'culprit confirm campaigns/one/cases/s0012.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 2s --threshold 1s',
    ]);
  });

  it('leave out calibrated thresholds, and name a memory limit that is not the default', () => {
    const { noise } = settings.slowness;
    const other = { ...settings, slowness: { noise, timeoutMs: 1500 }, memoryBytes: 512 * (1 << 20) };
    expect(findingCommands(other, 'c', caseId(1))[0]).toBe(
      'culprit run c/cases/s0001.smt2 --on z3@4.8.1,z3@4.8.2 --timeout 1500ms --memory 512MB',
    );
  });

  it('quote options and spaces, and protect a folder from being read as an option', () => {
    const other = { ...settings, versions: ['z3@4.8.12', 'z3@5.2.0?smt.arith.solver=2'] };
    const [run] = findingCommands(other, "my hunt's", caseId(1));
    expect(run).toContain(
      `run 'my hunt'\\''s/cases/s0001.smt2' --on 'z3@4.8.12,z3@5.2.0?smt.arith.solver=2' `,
    );
    expect(findingCommands(settings, '-x', caseId(1))[0]).toContain('run ./-x/cases/s0001.smt2 ');
  });
});

describe('shell word', () => {
  it('contains nothing that a terminal interprets on paste', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shellWord(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it.skipIf(spawnSync('bash', ['--version']).status !== 0)('is read back unchanged by bash', () => {
    // One call for all samples saves processes. Arguments cannot hold NUL.
    const words = fc
      .sample(hostile, { numRuns: 200, seed: 1 })
      .map((text) => Buffer.from(text.replaceAll('\0', '')).toString());
    const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});
