import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '../limits.js';
import {
  type Enclosure,
  type EnclosureRequirements,
  type Isolation,
  processLimit,
  type Usage,
} from './enclosure.js';
import { tryKill } from './kill.js';
import {
  allPids,
  childrenOf,
  hasChildLists,
  hasEnded,
  hasProc,
  machineProcesses,
  type ProcessInfo,
  processEnvironment,
  processInfo,
  processMemory,
  wantsCore,
} from './proc-files.js';
import { marker, markerVariable, type Rlimit } from './starters/starter.js';

/** Address space beyond the memory limit, for code, stacks and untouched reservations. */
const addressSlackBytes = 1 << 30;

const pollEveryMs = 20;
const patienceMs = 5_000;
const decisionMs = 50;

/**
 * Isolation without cgroups. Members of a run are all processes below the subreaper. Without a subreaper, they are
 * the process group, its descendants and every process with the run's marker. Without `/proc`, only the process
 * group.
 */
export function processTree(owner: string): Isolation {
  return {
    kind: hasProc ? 'process tree' : 'process group',
    groupHomes: [],
    enclose: (run) => new ProcessTreeEnclosure(marker(owner, run)),
    close: async () => {},
  };
}

/** An enclosure for one command, found by the marker in its environment. */
export function markedTree(mark: string): Enclosure {
  return new ProcessTreeEnclosure(mark);
}

class ProcessTreeEnclosure implements Enclosure {
  readonly countsTime = false;
  readonly #marker: string;
  /** Start time by pid of every process seen so far: it may have cleared its environment since. */
  readonly #seen = new Map<number, number>();
  #memoryBytes = Number.POSITIVE_INFINITY;
  #root: number | undefined;
  /** Adopts processes that have left the tree of their parents. */
  #reaper: number | undefined;
  #enteredAt = 0;
  #enteredTicks = 0;
  /** The last scan met a process during exec, whose environment cannot be read yet. */
  #isUndecided = false;
  #cpuMs = 0;
  #peakBytes = 0;
  #outOfMemory = false;

  constructor(runMarker: string) {
    this.#marker = `${runMarker}\0`;
  }

  entered(pid: number, reaper?: number): void {
    this.#root = pid;
    this.#reaper = reaper;
    this.#enteredAt = performance.now();
    const info = processInfo(pid);
    if (info === undefined) return;
    this.#seen.set(pid, info.startTicks);
    this.#enteredTicks = info.startTicks;
  }

  confine({ memoryBytes }: Limits): EnclosureRequirements {
    this.#memoryBytes = memoryBytes ?? Number.POSITIVE_INFINITY;
    const threads = machineProcesses()?.threads;
    const rlimits: Rlimit[] = [];
    if (memoryBytes !== undefined) rlimits.push(['-v', memoryBytes + addressSlackBytes]);
    // The limit counts all processes of the user, so it must include the existing ones.
    if (threads !== undefined) rlimits.push(['-u', threads + processLimit]);
    return { rlimits, pollEveryMs: hasProc ? pollEveryMs : undefined };
  }

  usage(): Usage {
    this.#look();
    return {
      cpuMs: this.#cpuMs > 0 ? this.#cpuMs : undefined,
      peakMemoryBytes: this.#peakBytes > 0 ? this.#peakBytes : undefined,
      outOfMemory: this.#outOfMemory,
    };
  }

  wantsCore(): boolean {
    return hasProc && this.#members().some(({ pid }) => wantsCore(pid));
  }

  async killAll(): Promise<void> {
    const root = this.#root;
    if (root === undefined) return;
    if (!hasProc) return tryKill(-root);
    const began = performance.now();
    while (performance.now() - began < patienceMs) {
      const members = this.#members();
      if (members.length === 0) {
        const mayWait = this.#isUndecided && performance.now() - began < decisionMs;
        if (!mayWait) return;
      }
      // One signal to the whole group is atomic: no process in it can fork past it.
      if (members.some(({ group }) => group === root)) tryKill(-root);
      this.#killFrozen(members);
      await pause(1);
    }
  }

  async remove(): Promise<void> {}

  #look(): void {
    if (this.#root === undefined || !hasProc) return;
    let cpuMs = 0;
    let nowBytes = 0;
    for (const pid of this.#adopted() ?? descendants(this.#root)) {
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

  /**
   * Stopped processes cannot fork. So it stops all, repeats until no new process is found, and only then kills them.
   * It does not wait in between and examines only new processes, or a fork bomb would win.
   */
  #killFrozen(members: readonly ProcessInfo[]): void {
    const frozen = new Set<number>();
    urgently(() => {
      for (let found = members; found.length > 0; found = this.#members(frozen)) {
        for (const { pid } of found) {
          tryKill(pid, 'SIGSTOP');
          frozen.add(pid);
        }
      }
      for (const pid of frozen) tryKill(pid);
    });
  }

  #members(known: ReadonlySet<number> = new Set()): readonly ProcessInfo[] {
    const root = this.#root;
    if (root === undefined) return [];
    const adopted = this.#adopted();
    if (adopted !== undefined)
      return adopted
        .filter((pid) => !known.has(pid))
        .flatMap((pid) => processInfo(pid) ?? [])
        .filter(({ isZombie }) => !isZombie);
    const isLong = performance.now() - this.#enteredAt > surelyNoWrapMs;
    const found: ProcessInfo[] = [];
    this.#isUndecided = false;
    for (const pid of isLong ? othersThanMe() : candidates(root)) {
      if (known.has(pid)) continue;
      const info = processInfo(pid);
      if (info === undefined || info.isZombie || !this.#isMember(info, root)) continue;
      this.#seen.set(pid, info.startTicks);
      found.push(info);
    }
    return found;
  }

  /** All processes of the run, if there is a subreaper; else undefined. */
  #adopted(): readonly number[] | undefined {
    const reaper = this.#reaper;
    if (reaper === undefined || !hasChildLists || hasEnded(reaper)) return undefined;
    return descendants(reaper).slice(1);
  }

  #isMember({ pid, group, startTicks, isKernelThread }: ProcessInfo, root: number): boolean {
    if (group === root || this.#seen.get(pid) === startTicks) return true;
    const environment = processEnvironment(pid);
    if (environment === '' && !isKernelThread && startTicks >= this.#enteredTicks) this.#isUndecided = true;
    return environment?.includes(this.#marker) ?? false;
  }
}

/**
 * Raises the priority, because this process would hardly run among hundreds of busy ones. Only root may do that, and
 * only root needs it: for other users the limit on processes holds.
 */
function urgently(act: () => void): void {
  const usual = tryPriority(constants.priority.PRIORITY_HIGHEST);
  act();
  if (usual !== undefined) tryPriority(usual);
}

/** The previous priority; `undefined` if it could not be changed. Even root may lack the right in a container. */
function tryPriority(priority: number): number | undefined {
  try {
    const before = getPriority();
    setPriority(priority);
    return before;
  } catch {
    return undefined;
  }
}

/** No machine assigns all its pids within this time, so until then pids are in order. */
const surelyNoWrapMs = 1_000;

/** Pids are assigned in order, so the pids of a young run lie between its first and the last assigned one. */
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

/** Kills all processes with a marker, in any group and session. */
export function killMarked(mark: string): void {
  const isMarked = (pid: number): boolean => processEnvironment(pid)?.includes(`${mark}\0`) ?? false;
  for (const pid of othersThanMe().filter(isMarked)) tryKill(pid);
}

export function processesOf(owner: string): readonly number[] {
  return allPids().filter((pid) => processEnvironment(pid)?.includes(`${markerVariable}=${owner}:`));
}
