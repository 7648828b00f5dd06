/** Leftovers of a killed culprit or of a user's command, which culprit removes at its next start at the latest. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { Fault, runToEnd, userCommand } from '../../src/machine/index.js';
import { newOwnerName } from '../../src/machine/processes/owner.js';
import { allPids } from '../../src/machine/processes/proc-files.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('build');

const culprit = fileURLToPath(new URL('../../dist/bin/main.cjs', import.meta.url));

function running(mark: string): readonly number[] {
  return allPids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

describe('leftovers', () => {
  it("of a user's command in another session end with the command", async () => {
    const mark = `1000.${process.pid}`;
    const end = await runToEnd({
      words: userCommand(['sh', '-c', `(setsid sleep ${mark} </dev/null >/dev/null 2>&1 &) ; exit 7`]),
      output: 'keep',
      endsOrphans: true,
    });
    expect(end instanceof Fault ? end : end.exitCode).toBe(7);
    await vi.waitFor(() => expect(running(mark)).toEqual([]), { timeout: 20_000 });
  });

  it('of a culprit killed with its watchdog are removed at the next start', () => {
    const folder = temporaryFolder('left');
    const [, , , namespace = ''] = newOwnerName().split('-');
    // Exceeds the largest process id, so the owner is dead.
    const left = join(folder, `culprit-${2 ** 22 + 1}-1-${namespace}-7`);
    mkdirSync(join(left, 'reduce-abc'), { recursive: true });
    writeFileSync(join(left, 'reduce-abc/formula.smt2'), '(check-sat)');
    const { status } = spawnSync(process.execPath, [culprit, 'complexity', '--repo', folder], {
      env: { ...process.env, TMPDIR: folder },
      cwd: folder,
    });
    expect(status).toBe(2);
    expect(existsSync(left)).toBe(false);
  });
});
