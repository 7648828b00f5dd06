import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryKill } from '../kill.js';
import { wantsCore } from '../proc-files.js';

/** Files of a cgroup are small and the kernel answers at once, so they are read and written synchronously. */

export function readGroupFile(group: string, file: string): string | undefined {
  try {
    return readFileSync(join(group, file), 'latin1').trim();
  } catch {
    return undefined;
  }
}

/** Returns false if the file does not exist or the kernel refuses the value. */
export function writeGroupFile(group: string, file: string, value: string): boolean {
  try {
    writeFileSync(join(group, file), value);
    return true;
  } catch {
    return false;
  }
}

export function makeGroup(group: string): boolean {
  try {
    mkdirSync(group);
    return true;
  } catch {
    return false;
  }
}

export function groupCounter(group: string, file: string, key: string): number | undefined {
  const line = readGroupFile(group, file)
    ?.split('\n')
    .find((line) => line.startsWith(`${key} `));
  return line === undefined ? undefined : Number(line.slice(key.length + 1));
}

function groupTree(group: string): readonly string[] {
  try {
    const below = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [...below.flatMap((entry) => groupTree(join(group, entry.name))), group];
  } catch {
    return [];
  }
}

/** Pid 0 stands for a process of another pid namespace, which cannot be signalled. */
export function groupProcesses(group: string): readonly number[] {
  const text = readGroupFile(group, 'cgroup.procs');
  if (text === undefined || text === '') return [];
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

export function groupWantsCore(group: string): boolean {
  return groupTree(group).flatMap(groupProcesses).some(wantsCore);
}

/** How long to wait for killed processes; only a process that hangs in the kernel takes longer. */
const patienceMs = 5_000;

/**
 * Kills every process of the group. `cgroup.kill` does it in one step; without it, forks are forbidden first, so that
 * a fork bomb cannot outrun the signals.
 */
export async function killGroup(group: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isEmpty(group) && performance.now() < deadline) {
    if (!writeGroupFile(group, 'cgroup.kill', '1')) {
      writeGroupFile(group, 'pids.max', '0');
      for (const pid of groupTree(group).flatMap(groupProcesses)) tryKill(pid);
    }
    await pause(1);
  }
}

/** `pids.current` covers the groups below, and counts zombies too. */
function isEmpty(group: string): boolean {
  if (readGroupFile(group, 'pids.current') === '0') return true;
  return groupTree(group).every((member) => groupProcesses(member).length === 0);
}

/**
 * Removes the group and the groups below it. A group stays busy for an instant after its last process ended. This is
 * the one slow step, so it is asynchronous.
 */
export async function removeGroup(group: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isRemoved(group)) && performance.now() < deadline) {
    for (const below of groupTree(group)) await isRemoved(below);
    await pause(1);
  }
}

async function isRemoved(group: string): Promise<boolean> {
  try {
    await rmdir(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
