import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { groupProcesses, makeGroup } from '../../../src/machine/processes/cgroups/cgroup-files.js';
import { ownGroups } from '../../../src/machine/processes/cgroups/cgroup-mounts.js';
import { isLeftBehind, newOwnerName } from '../../../src/machine/processes/owner.js';
import { allPids, hasProc, processEnvironment } from '../../../src/machine/processes/proc-files.js';
import { openRunner } from '../../../src/solver/runners/chain.js';
import { leftovers } from '../../machine/processes/leftovers.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';
import { asking, standin } from '../standins/standin.js';

const culprit = fileURLToPath(new URL('./hanging-culprit.ts', import.meta.url));
const patience = { timeout: 20_000, interval: 20 };

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('death');
});
afterEach(() => {
  removeFolder(directory);
});

async function hangingCulprit(cgroups: boolean): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', culprit, directory, String(cgroups)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await once(child.stdout, 'data');
  return child;
}

describe.skipIf(!hasProc).each([true, false])('culprit killed with SIGKILL (cgroups: %s)', (cgroups) => {
  it('leaves no solvers, directories or cgroups', async () => {
    const child = await hangingCulprit(cgroups);
    const pid = child.pid ?? 0;
    await vi.waitFor(() => expect(running(pid).length).toBeGreaterThanOrEqual(4), patience);
    process.kill(-pid, 'SIGKILL');
    await vi.waitFor(() => expect(leftovers(directory, pid)).toEqual([]), patience);
    await vi.waitFor(() => expect(servants(pid)).toEqual([]), patience);
  });
});

it.skipIf(!hasProc)('culprit killed with SIGKILL leaves no commands or their children', async () => {
  const hanging = fileURLToPath(new URL('./hanging-command.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', hanging], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = await once(child.stdout, 'data');
  const room = String(line).trim();
  const pid = child.pid ?? 0;
  await vi.waitFor(() => expect(running(pid).length).toBeGreaterThanOrEqual(3), patience);
  expect(existsSync(room)).toBe(true);
  process.kill(-pid, 'SIGKILL');
  await vi.waitFor(() => expect(running(pid)).toEqual([]), patience);
  await vi.waitFor(() => expect(existsSync(room)).toBe(false), patience);
});

/** Launchers and watchdogs have their owner's name among their arguments. */
function servants(pid: number): readonly string[] {
  return allPids()
    .map((candidate) => commandLine(candidate))
    .filter((words) => words.includes(`culprit-${pid}-`));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function running(pid: number): readonly number[] {
  return allPids().filter((candidate) =>
    processEnvironment(candidate)?.includes(`CULPRIT_RUN=culprit-${pid}-`),
  );
}

describe.skipIf(!hasProc)('the remains of a culprit whose watchdog was killed too', () => {
  it('are removed when the next one starts', async () => {
    const gone = spawnSync('true').pid;
    const owner = newOwnerName().replace(/^culprit-\d+/, `culprit-${gone}`);
    mkdirSync(join(directory, owner, 'run-1'), { recursive: true });
    writeFileSync(join(directory, owner, 'run-1.smt2'), '');
    const solver = spawn('sleep', ['1000'], { env: { CULPRIT_RUN: `${owner}:run-1;` }, stdio: 'ignore' });
    const ended = once(solver, 'exit');
    const group = leftGroup(owner, solver.pid ?? 0);

    const runner = openRunner({ print: () => '', directory });
    await runner.run({ formula: asking(1), version: standin('answer'), limits: { wallMs: 60_000 } });
    await runner.close();

    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(leftovers(directory, gone)).toEqual([]);
    if (group !== undefined) expect(groupProcesses(group)).toEqual([]);
  });

  /** If possible, a cgroup like one of that culprit. */
  function leftGroup(owner: string, pid: number): string | undefined {
    const memory = ownGroups().v1.get('memory');
    const home = memory && join(memory, owner);
    if (home === undefined || !makeGroup(home)) return undefined;
    const group = join(home, 'run-1');
    makeGroup(group);
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return group;
  }
});

describe('the owner in a directory’s name', () => {
  it('counts as dead only if its process is gone, even if another process has its pid', () => {
    const mine = newOwnerName();
    expect(isLeftBehind(mine)).toBe(false);
    expect(isLeftBehind(mine.replace(/^culprit-\d+/, `culprit-${spawnSync('true').pid}`))).toBe(true);
    if (hasProc) expect(isLeftBehind(mine.replace(/^culprit-(\d+)-\d+/, 'culprit-$1-1'))).toBe(true);
    expect(isLeftBehind(mine.replace(/-\d+-(\d+)$/, '-77-$1'))).toBe(false);
    expect(isLeftBehind('culprit-notes')).toBe(false);
    expect(newOwnerName()).not.toBe(mine);
  });
});
