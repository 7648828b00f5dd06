import type { Limits } from '../limits.js';
import type { Rlimit } from './starters/starter.js';

export interface Usage {
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  readonly outOfMemory: boolean;
}

/** How its caller must help an enclosure to enforce the limits. */
export interface EnclosureRequirements {
  readonly rlimits: readonly Rlimit[];
  /** How often to poll `usage`, so that limits hold and peaks are seen. */
  readonly pollEveryMs?: number | undefined;
}

/**
 * Encloses one run: a cgroup or, if the machine offers none, the process group and all processes that can be traced
 * back to it.
 */
export interface Enclosure {
  /** Whether its processor time is exact for everything inside, rather than a sum over polls. */
  readonly countsTime: boolean;
  /**
   * Called if there is no cgroup, with the solver's pid, which is also its process group, and the subreaper that
   * adopts its orphans, if any.
   */
  entered(pid: number, reaper?: number): void;
  confine(limits: Limits): EnclosureRequirements;
  usage(): Usage;
  wantsCore(): boolean;
  killAll(): Promise<void>;
  remove(): Promise<void>;
}

export interface Isolation {
  readonly kind: 'cgroup v2' | 'cgroup v1' | 'process tree' | 'process group';
  /** The parent cgroups, each with one group named after each run; the launcher enters it. */
  readonly groupHomes: readonly string[];
  enclose(run: string): Enclosure;
  close(): Promise<void>;
}

/** A cgroup refuses a smaller memory limit, or swaps the same pages for minutes. culprit polls the memory instead. */
export const leastGroupBytes = 4 << 20;

/** Processes and threads of one run: far above any solver, far below a fork bomb. */
export const processLimit = 1024;
