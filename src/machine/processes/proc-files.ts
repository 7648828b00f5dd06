import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What the kernel says about one process. */
export interface ProcessInfo {
  readonly pid: number;
  /** In clock ticks since the machine came up; together with the pid it names a process for good. */
  readonly startTicks: number;
  readonly group: number;
  readonly isZombie: boolean;
  readonly isKernelThread: boolean;
  /** Its own and that of its children it has waited for. */
  readonly cpuMs: number;
}

/** False on systems without Linux's `/proc`. */
export const hasProc = existsSync('/proc/self/stat');

/** Not every kernel tells a process's children. */
export const hasChildLists = existsSync(`/proc/self/task/${process.pid}/children`);

/** `sysconf(_SC_CLK_TCK)`, 100 on every Linux a solver is likely to meet. */
const millisecondsPerTick = 10;

/** `PF_KTHREAD` of the kernel's sched.h. */
const kernelThreadFlag = 0x00200000;

export function processInfo(pid: number): ProcessInfo | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything, so the fields are counted from its end (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (position: number) => Number(fields[position - 3]);
  return {
    pid,
    startTicks: field(22),
    group: field(5),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    isKernelThread: (field(9) & kernelThreadFlag) !== 0,
    cpuMs: (field(14) + field(15) + field(16) + field(17)) * millisecondsPerTick,
  };
}

/** When a process started, in the system's own words, so that its number used again is told apart; Linux only. */
export function startOfProcess(pid: number): string | undefined {
  const ticks = processInfo(pid)?.startTicks;
  return ticks === undefined ? undefined : String(ticks);
}

/** It runs no more, though nobody may have asked how it ended yet; Linux only. */
export function hasEnded(pid: number): boolean {
  return processInfo(pid)?.isZombie ?? true;
}

/** Is there still the process that had this number and started then? Somebody else's counts too. */
export function isRunning(pid: number, started: string | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Numbers of processes are used again.
  return started === undefined || startOfProcess(pid) === started;
}

/** One of its threads is at work or waits for nothing but a core to be; Linux only. */
export function wantsCore(pid: number): boolean {
  return numbersIn(`/proc/${pid}/task`).some((thread) => {
    const stat = readProc(pid, `task/${thread}/stat`);
    return stat?.startsWith('R', stat.lastIndexOf(')') + 2) ?? false;
  });
}

/** Resident memory now and at its highest. */
export function processMemory(pid: number): { readonly nowBytes: number; readonly peakBytes: number } {
  const status = readProc(pid, 'status') ?? '';
  const bytes = (key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

/**
 * The environment a process was started with, as `NAME=value` entries each ended by a NUL. Empty for an instant while
 * the process becomes another program; `undefined` when it is gone or someone else's.
 */
export function processEnvironment(pid: number): string | undefined {
  return readProc(pid, 'environ');
}

/** Each thread has its own list of the children it started. */
export function childrenOf(pid: number): readonly number[] {
  return numbersIn(`/proc/${pid}/task`).flatMap(
    (thread) => readProc(pid, `task/${thread}/children`)?.split(' ').filter(Boolean).map(Number) ?? [],
  );
}

export function allPids(): readonly number[] {
  return numbersIn('/proc');
}

function numbersIn(directory: string): readonly number[] {
  try {
    return readdirSync(directory)
      .map(Number)
      .filter((number) => number > 0);
  } catch {
    return [];
  }
}

/** The pid given out last, and how many threads there are; both from `/proc/loadavg`. */
export function machineProcesses(): { readonly lastPid: number; readonly threads: number } | undefined {
  try {
    const [, , , threads = '', lastPid] = readFileSync('/proc/loadavg', 'latin1').split(' ');
    return { lastPid: Number(lastPid), threads: Number(threads.split('/')[1]) };
  } catch {
    return undefined;
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}
