/** Solvers that write, lock, remove and hide files or processes they should not. */

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { confinement, RunFiles, ThrownFault } from '../../src/machine/index.js';
import { newOwnerName } from '../../src/machine/processes/owner.js';
import { allPids } from '../../src/machine/processes/proc-files.js';
import { sweep } from '../../src/machine/processes/sweep.js';
import { openRunner, type Run, type Runner, type RunnerOptions } from '../../src/solver/index.js';
import { leftovers } from '../machine/processes/leftovers.js';
import { asOrdinaryUser } from '../ordinary-user.js';
import { asking, standin } from '../solver/standins/standin.js';
import { temporaryFolder } from '../temporary-folder.js';

const limits = { wallMs: 60_000 };

function run(runner: Runner, name: string, ...words: readonly string[]): Promise<Run> {
  return runner.run({ formula: asking(1), version: standin(name, ...words), limits });
}

/** Runs solvers one after the other and checks that nothing of them is left. */
async function withRunner(
  options: RunnerOptions,
  use: (runner: Runner, directory: string) => Promise<void>,
): Promise<void> {
  const directory = options.directory ?? temporaryFolder('hostile');
  const runner = openRunner({ ...options, print: () => '(check-sat)\n', directory });
  try {
    await use(runner, directory);
  } finally {
    await runner.close();
  }
  expect(existsSync(directory) ? leftovers(directory) : []).toEqual([]);
}

function snapshot(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`);
}

describe.each([{ cgroups: true }, { cgroups: false }])('a solver, with $cgroups cgroups', ({ cgroups }) => {
  it('writes to its own folder and its output, and nowhere else', async () => {
    const foreign = temporaryFolder('foreign');
    writeFileSync(join(foreign, 'there'), 'mine');
    await withRunner({ cgroups }, async (runner) => {
      expect(await run(runner, 'write-outside', foreign)).toMatchObject({ outcome: 'sat' });
    });
    // Without confinement on this system, `culprit doctor` reports it.
    if ((await confinement()) !== undefined) expect(snapshot(foreign)).toEqual(['there: mine']);
  });

  it('can write to a folder that the user allows', async () => {
    const shared = temporaryFolder('shared');
    await withRunner({ cgroups, writable: [shared] }, async (runner) => {
      await run(runner, 'write-outside', shared);
    });
    expect(readdirSync(shared)).toContain('new');
  });

  it('can remove its folder without stopping later runs', async () => {
    await withRunner({ cgroups, writable: ['/'] }, async (runner) => {
      for (let runs = 0; runs < 3; runs++)
        expect(await run(runner, 'remove-own')).toMatchObject({ outcome: 'sat' });
    });
  });

  it('leaves no process running, even if it hides one', async () => {
    const mark = `1000.${process.pid}${cgroups ? 1 : 0}`;
    await withRunner({ cgroups }, async (runner) => {
      expect(await run(runner, 'escape', mark)).toMatchObject({ outcome: 'sat' });
      await vi.waitFor(() => expect(allPids().filter((pid) => commandOf(pid).includes(mark))).toEqual([]), {
        timeout: 20_000,
      });
    });
  });

  it('runs after TMPDIR was emptied, and fails with a message after it was removed', async () => {
    await withRunner({ cgroups }, async (runner, directory) => {
      expect(await run(runner, 'answer')).toMatchObject({ outcome: 'sat' });
      for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
      const outcomes = [await settled(run(runner, 'answer')), await settled(run(runner, 'answer'))];
      expect(outcomes.at(-1)).toBe('sat');
      rmSync(directory, { recursive: true });
      // Even a run prepared earlier fails with its folder instead of producing an answer.
      const ends = [await settled(run(runner, 'answer')), await settled(run(runner, 'answer'))];
      for (const end of ends) expect(end).toMatch(/TMPDIR/);
    });
  });

  it.each([1, 4096, 100_000])('runs out of memory with a limit of %i bytes', async (memoryBytes) => {
    await withRunner({ cgroups }, async (runner) => {
      const small = await runner.run({
        formula: asking(1),
        version: standin('eat-memory'),
        limits: { wallMs: 60_000, memoryBytes },
      });
      expect(small).toMatchObject({ outcome: 'memout' });
    });
  });
});

describe('a folder without permissions', () => {
  /** Removes all permissions, as a hostile solver might. */
  function locked(folder: string): void {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'a/b/c'), '');
    chmodSync(join(folder, 'a/b'), 0);
    chmodSync(join(folder, 'a'), 0);
    chmodSync(folder, 0);
  }

  it('is removed when its run ends', async () => {
    const root = temporaryFolder('hostile');
    await asOrdinaryUser([root], async () => {
      const files = new RunFiles(root, 'run-1');
      files.writeInput('');
      locked(files.directory);
      await files.clear();
    });
    expect(readdirSync(root)).toEqual([]);
  });

  it('is removed by the next culprit, which skips folders that it cannot remove', async () => {
    const parent = temporaryFolder('hostile');
    // Exceeds the largest process id, so the owner is dead.
    const [mine, theirs] = [1, 2].map((nonce) => join(parent, deadOwner(nonce))) as [string, string];
    mkdirSync(theirs);
    mkdirSync(join(theirs, 'root'));
    writeFileSync(join(theirs, 'root/file'), '');
    await asOrdinaryUser([parent, theirs], async () => {
      mkdirSync(mine);
      locked(mine);
      await sweep(parent, { v1: new Map(), v2: undefined });
    });
    expect(existsSync(mine)).toBe(false);
  });

  function deadOwner(nonce: number): string {
    const [, , namespace = ''] = newOwnerName().split('-').slice(1);
    return `culprit-${2 ** 22 + 1}-1-${namespace}-${nonce}`;
  }
});

/** The outcome, or the message that a command would end with. */
async function settled(run: Promise<Run>): Promise<string> {
  try {
    return (await run).outcome;
  } catch (error) {
    if (!(error instanceof ThrownFault)) throw error;
    expect(error.fault.kind).toBe('environment');
    return error.message;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
