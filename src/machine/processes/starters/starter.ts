/** What all runs of one launcher have in common. */
export interface LauncherSetting {
  readonly owner: string;
  /** Holds, for each run, its directory `RUN` and the files `RUN.smt2`, `RUN.out` and `RUN.err`. */
  readonly root: string;
  /** Each holds, for each run, its cgroup `RUN`. */
  readonly groupHomes: readonly string[];
  /** Words in front of the launcher's own command, which all its runs inherit: `taskset -c 1`. */
  readonly prefix?: readonly string[];
  /** Folders besides a run's own that it may write to, where it is kept from writing at all. */
  readonly writable?: readonly string[];
}

/** Processor time in seconds, memory and file sizes in bytes. */
export type Rlimit = readonly [flag: '-c' | '-f' | '-t' | '-u' | '-v', value: number];

/**
 * The small program that stays for many runs and starts them, one at a time. A run comes in two steps. Given its name,
 * the starter forks and the child enters the run's cgroups, which may take milliseconds that must not count as the
 * solver's. Then the child waits for its words, one a line after its name and their number (words meant for a child
 * that was ended before it read them are nobody else's):
 *
 *     FLAG VALUE … -- COMMAND ARGUMENT…
 *
 * It sets these limits and becomes the command. Every word reaches it as data and is never read as a program's text. On
 * the way the two say `pid N`, `ready`, `go`, `times`' line for all children so far where no cgroup counts time, and
 * last `status N`.
 */
export interface Starter {
  /** The program and its arguments, but for a launcher's prefix. */
  words(setting: LauncherSetting): readonly string[];
  /** A limit in the unit the starter takes it in. */
  inUnits(limit: Rlimit): number;
  /** What a run leaves in other sessions, under other parents, becomes the starter's own child. */
  readonly isReaper: boolean;
}

/** Part of every process's environment, whoever its parent is by now: `CULPRIT_RUN=<owner>:<run>;`. */
export const markerVariable = 'CULPRIT_RUN';

export function marker(owner: string, run: string): string {
  return `${markerVariable}=${owner}:${run};`;
}
