import type { Limits } from '../limits.js';
import type { Rlimit } from './starters/starter.js';

/** What a run has used so far. */
export interface Usage {
  /** User and system time of everything inside. */
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  /** The memory limit was reached. */
  readonly outOfMemory: boolean;
}

/** What an enclosure needs from others to hold the limits it was given. */
export interface Demands {
  /** Limits each process has to keep by itself. */
  readonly rlimits: readonly Rlimit[];
  /** How often `usage` has to be asked, for limits to hold and peaks to be seen. */
  readonly lookEveryMs?: number | undefined;
}

/**
 * What one run is shut into: a cgroup of its own or, where the machine has none to give, the process group and
 * whatever else can be traced back to it.
 */
export interface Enclosure {
  /** Its processor time is that of everything inside, to the microsecond, not the sum of what was seen. */
  readonly countsTime: boolean;
  /**
   * Told where there is no cgroup: the pid the solver will have, which is its process group too, and the process that
   * its orphans fall to, where there is one.
   */
  entered(pid: number, reaper?: number): void;
  /** Called once, before the solver starts. */
  confine(limits: Limits): Demands;
  usage(): Usage;
  /** Something inside is at work at this moment, or would be if a core were free. */
  wantsCore(): boolean;
  /** Ends everything inside and returns when it is gone; nothing happens when nothing is there. */
  killAll(): Promise<void>;
  /** Called last, once. */
  remove(): Promise<void>;
}

/** Makes enclosures; one for each runner. */
export interface Isolation {
  readonly kind: 'cgroup v2' | 'cgroup v1' | 'process tree' | 'process group';
  /** The cgroups that hold one group for each run, called as the run; the launcher enters it. */
  readonly groupHomes: readonly string[];
  enclose(run: string): Enclosure;
  close(): Promise<void>;
}

/** Less than this a cgroup refuses, or makes of it minutes of reading the same pages anew: it is looked at instead. */
export const leastGroupBytes = 4 << 20;

/** How many processes and threads one run may hold at a time: far above any solver, far below a fork bomb. */
export const processLimit = 1024;
