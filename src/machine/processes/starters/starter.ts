export interface LauncherSetting {
  readonly owner: string;
  /** Holds, for each run, its directory `RUN` and the files `RUN.smt2`, `RUN.out` and `RUN.err`. */
  readonly root: string;
  /** Each holds one cgroup `RUN` for each run. */
  readonly groupHomes: readonly string[];
  /** Command prefix inherited by all runs, such as `taskset -c 1`. */
  readonly prefix?: readonly string[];
  readonly writable?: readonly string[];
}

/** Processor time in seconds, memory and file sizes in bytes. */
export type Rlimit = readonly [flag: '-c' | '-f' | '-t' | '-u' | '-v', value: number];

/**
 * The small program that starts many runs, one at a time. A run takes two steps. Given its name, the starter forks
 * and the child enters the run's cgroups. That may take milliseconds, which must not count as the solver's. Then the
 * child waits for its words, one per line, after its name and their number. The name protects against words for a
 * child that was killed before it read them:
 *
 *     FLAG VALUE … -- COMMAND ARGUMENT…
 *
 * It sets these limits and becomes the command. Every word reaches it as data and is never parsed as program text.
 * The two print `pid N`, `ready`, `go`, the line of `times` for all children so far if no cgroup counts time, and
 * last `status N`.
 */
export interface Starter {
  words(setting: LauncherSetting): readonly string[];
  inUnits(limit: Rlimit): number;
  /** Orphans of a run, also in other sessions, become the starter's children. */
  readonly isReaper: boolean;
}

/** Inherited by every process of a run: `CULPRIT_RUN=<owner>:<run>;`. */
export const markerVariable = 'CULPRIT_RUN';

export function marker(owner: string, run: string): string {
  return `${markerVariable}=${owner}:${run};`;
}
