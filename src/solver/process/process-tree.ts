import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '../run.js';
import { type Enclosure, type Isolation, processLimit, type Usage } from './enclosure.js';
import {
  allPids,
  childrenOf,
  hasProc,
  machineProcesses,
  processEnvironment,
  processInfo,
  processMemory,
} from './proc-files.js';

/** Every process of a run carries `CULPRIT_RUN=<owner>:<run>;` in its environment, whoever its parent is by now. */
export const markerVariable = 'CULPRIT_RUN';

export function marker(owner: string, run: string): string {
  return `${owner}:${run};`;
}

/** Address space beyond the memory limit: code, stacks and what is reserved but never touched. */
const addressSlackBytes = 1 << 30;

const lookEveryMs = 20;
const patienceMs = 5_000;

/**
 * The way to hold a run where no cgroup is to be had: its process group, its descendants, and every process that
 * carries the run's marker. Where there is no `/proc` either, the process group alone.
 */
export function processTree(owner: string): Isolation {
  return {
    kind: hasProc ? 'process tree' : 'process group',
    directories: [],
    enclose: (name, limits) => new ProcessTreeEnclosure(marker(owner, name), limits),
    close: async () => {},
  };
}

class ProcessTreeEnclosure implements Enclosure {
  readonly gates = [];
  readonly launcherReportsTimes = true;
  readonly lookEveryMs = hasProc ? lookEveryMs : undefined;
  readonly rlimits: Enclosure['rlimits'];
  readonly #marker: string;
  readonly #memoryBytes: number;
  /** Start time by pid of every process seen so far: one that has cleared its environment may still be known. */
  readonly #seen = new Map<number, number>();
  #root: number | undefined;
  #startedAt = 0;
  #cpuMs = 0;
  #peakBytes = 0;
  #outOfMemory = false;

  constructor(runMarker: string, { memoryBytes }: Limits) {
    this.#marker = `${markerVariable}=${runMarker}\0`;
    this.#memoryBytes = memoryBytes ?? Number.POSITIVE_INFINITY;
    const threads = machineProcesses()?.threads;
    this.rlimits = [
      ...(memoryBytes === undefined
        ? []
        : [['-v', Math.ceil((memoryBytes + addressSlackBytes) / 1024)] as const]),
      // Counts all processes of the user, so it has to leave room for those that are there already.
      ...(threads === undefined ? [] : [['-u', threads + processLimit] as const]),
    ];
  }

  started(pid: number): void {
    this.#root = pid;
    this.#startedAt = performance.now();
  }

  usage(): Usage {
    this.#look();
    return {
      ...(this.#cpuMs > 0 ? { cpuMs: this.#cpuMs } : {}),
      ...(this.#peakBytes > 0 ? { peakMemoryBytes: this.#peakBytes } : {}),
      outOfMemory: this.#outOfMemory,
    };
  }

  async killAll(): Promise<void> {
    if (this.#root === undefined) return;
    const deadline = performance.now() + patienceMs;
    // One signal to the whole group is atomic: nothing in it can fork past it.
    send(-this.#root, 'SIGKILL');
    let found = this.#members();
    while (found.length > 0 && performance.now() < deadline) {
      // What is stopped cannot fork, so stop all before ending the first.
      for (const pid of found) send(pid, 'SIGSTOP');
      for (const pid of this.#members()) send(pid, 'SIGKILL');
      await pause(1);
      found = this.#members();
    }
  }

  async remove(): Promise<void> {}

  /** Adds up the tree as it is now. */
  #look(): void {
    if (this.#root === undefined || !hasProc) return;
    let cpuMs = 0;
    let nowBytes = 0;
    for (const pid of descendants(this.#root)) {
      const info = processInfo(pid);
      if (info === undefined) continue;
      this.#seen.set(pid, info.startTicks);
      const memory = processMemory(pid);
      cpuMs += info.cpuMs;
      nowBytes += memory.nowBytes;
      this.#peakBytes = Math.max(this.#peakBytes, memory.peakBytes);
    }
    this.#cpuMs = Math.max(this.#cpuMs, cpuMs);
    this.#peakBytes = Math.max(this.#peakBytes, nowBytes);
    if (nowBytes > this.#memoryBytes) this.#outOfMemory = true;
  }

  /** The run's living processes. */
  #members(): readonly number[] {
    const root = this.#root;
    if (root === undefined || !hasProc) return [];
    const isLong = performance.now() - this.#startedAt > surelyNoWrapMs;
    return (isLong ? othersThanMe() : candidates(root)).filter((pid) => {
      const info = processInfo(pid);
      if (info === undefined || info.isZombie) return false;
      const isOurs =
        info.session === root ||
        this.#seen.get(pid) === info.startTicks ||
        processEnvironment(pid).includes(this.#marker);
      if (isOurs) this.#seen.set(pid, info.startTicks);
      return isOurs;
    });
  }
}

/** No machine gives out all its pids in less, so until then the order of pids can be relied on. */
const surelyNoWrapMs = 1_000;

/** Pids are given out in order, so a young run's processes lie between its first and the last given out. */
function candidates(root: number): readonly number[] {
  const all = othersThanMe();
  const last = machineProcesses()?.lastPid ?? 0;
  return last >= root ? all.filter((pid) => pid >= root && pid <= last) : all;
}

function othersThanMe(): readonly number[] {
  return allPids().filter((pid) => pid !== process.pid);
}

function descendants(root: number): readonly number[] {
  const found = [root];
  for (const pid of found) found.push(...childrenOf(pid));
  return found;
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It was quicker.
  }
}

/** The living processes that carry the marker of any run of this owner. */
export function processesOf(owner: string): readonly number[] {
  return allPids().filter((pid) => processEnvironment(pid).includes(`${markerVariable}=${owner}:`));
}
