import type { Limits } from '../run.js';

/** What a run has used so far. */
export interface Usage {
  /** User and system time of everything inside. */
  readonly cpuMs?: number;
  readonly peakMemoryBytes?: number;
  /** The memory limit was reached. */
  readonly outOfMemory: boolean;
}

/**
 * What one run is shut into: a cgroup of its own or, where the machine has none to give, the process group and
 * whatever else can be traced back to it.
 */
export interface Enclosure {
  /** Files the launcher writes its pid to before it becomes the solver, so nothing ever runs outside. */
  readonly gates: readonly string[];
  /** Arguments of `ulimit`, one pair a limit, for what the enclosure cannot hold by itself. */
  readonly rlimits: readonly (readonly [flag: string, value: number])[];
  /** The enclosure cannot count processor time, so the launcher stays and reports it. */
  readonly launcherReportsTimes: boolean;
  /** How often `usage` has to be asked for limits to hold and peaks to be seen; `undefined` when never. */
  readonly lookEveryMs: number | undefined;
  /** Told once, with the launcher's pid, which is also its process group and session. */
  started(pid: number): void;
  usage(): Usage;
  /** Ends everything inside and returns when it is gone; nothing happens when nothing is there. */
  killAll(): Promise<void>;
  /** Called last, once. */
  remove(): Promise<void>;
}

/** Makes enclosures; one for each runner. */
export interface Isolation {
  readonly kind: 'cgroup v2' | 'cgroup v1' | 'process tree' | 'process group';
  /** Directories the watchdog has to empty and remove should culprit die. */
  readonly directories: readonly string[];
  enclose(name: string, limits: Limits): Enclosure;
  close(): Promise<void>;
}

/** How many processes and threads one run may hold at a time: far above any solver, far below a fork bomb. */
export const processLimit = 1024;
