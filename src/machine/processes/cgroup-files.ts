import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { wantsCore } from './proc-files.js';

/** The files of a cgroup are tiny and answered by the kernel at once, so they are read and written in place. */

export function readGroupFile(group: string, file: string): string | undefined {
  try {
    return readFileSync(join(group, file), 'latin1').trim();
  } catch {
    return undefined;
  }
}

/** False when the file is not there or the kernel refuses the value. */
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

/** The number behind `key` in a file of `key value` lines such as `memory.events`. */
export function groupCounter(group: string, file: string, key: string): number | undefined {
  const line = readGroupFile(group, file)
    ?.split('\n')
    .find((line) => line.startsWith(`${key} `));
  return line === undefined ? undefined : Number(line.slice(key.length + 1));
}

/** The group and all groups a solver made below it, deepest first. */
function groupTree(group: string): readonly string[] {
  try {
    const below = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [...below.flatMap((entry) => groupTree(join(group, entry.name))), group];
  } catch {
    return [];
  }
}

/** Pid 0 stands for a process of another pid namespace, which no signal of ours reaches. */
export function groupProcesses(group: string): readonly number[] {
  const text = readGroupFile(group, 'cgroup.procs');
  if (text === undefined || text === '') return [];
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Something in the group, or below it, is at work or waits for a core. */
export function groupWantsCore(group: string): boolean {
  return groupTree(group).flatMap(groupProcesses).some(wantsCore);
}

/** How long to wait for killed processes to be gone; only one that hangs inside the kernel takes longer. */
const patienceMs = 5_000;

/**
 * Ends every process of the group. `cgroup.kill` does it in one step; without it, forbidding forks first keeps
 * a fork bomb from outrunning the signals.
 */
export async function killGroup(group: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isEmpty(group) && performance.now() < deadline) {
    if (!writeGroupFile(group, 'cgroup.kill', '1')) {
      writeGroupFile(group, 'pids.max', '0');
      for (const pid of groupTree(group).flatMap(groupProcesses)) signal(pid);
    }
    await pause(1);
  }
}

/** Asks first the one file that speaks for the groups below as well; it also counts the dead nobody has waited for. */
function isEmpty(group: string): boolean {
  if (readGroupFile(group, 'pids.current') === '0') return true;
  return groupTree(group).every((member) => groupProcesses(member).length === 0);
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
}

/**
 * Removes the group and what is below it; a group stays busy for an instant after its last process ended. The one
 * step here the kernel may take its time for, so nobody is kept waiting.
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
