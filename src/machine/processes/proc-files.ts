import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ProcessInfo {
  readonly pid: number;
  /** Clock ticks since boot; unique for a process together with the pid. */
  readonly startTicks: number;
  readonly group: number;
  readonly isZombie: boolean;
  readonly isKernelThread: boolean;
  readonly cpuMs: number;
}

export const hasProc = existsSync('/proc/self/stat');

export const hasChildLists = existsSync(`/proc/self/task/${process.pid}/children`);

/** `sysconf(_SC_CLK_TCK)` is 100 on all common Linux systems. */
const millisecondsPerTick = 10;

/** `PF_KTHREAD` in the kernel's sched.h. */
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

/** The start time of a process, to recognise a reused pid; Linux only. */
export function processStartTime(pid: number): string | undefined {
  const ticks = processInfo(pid)?.startTicks;
  return ticks === undefined ? undefined : String(ticks);
}

/** Whether it has ended, waited for or not; Linux only. */
export function hasEnded(pid: number): boolean {
  return processInfo(pid)?.isZombie ?? true;
}

/** Whether the process with this pid and start time still runs, under any user. */
export function isRunning(pid: number, started: string | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return started === undefined || processStartTime(pid) === started;
}

/** Whether a thread runs or waits for a core; Linux only. */
export function wantsCore(pid: number): boolean {
  return numbersIn(`/proc/${pid}/task`).some((thread) => {
    const stat = readProc(pid, `task/${thread}/stat`);
    return stat?.startsWith('R', stat.lastIndexOf(')') + 2) ?? false;
  });
}

export function processMemory(pid: number): { readonly nowBytes: number; readonly peakBytes: number } {
  const status = readProc(pid, 'status') ?? '';
  const bytes = (key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

/**
 * The initial environment of a process, as `NAME=value` entries, each ended by a NUL. Empty for an instant during
 * exec; `undefined` if the process has ended or belongs to another user.
 */
export function processEnvironment(pid: number): string | undefined {
  return readProc(pid, 'environ');
}

/** Each thread has its own list of children. */
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
