import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';

export type Answer = 'sat' | 'unsat' | 'unknown';

export type Outcome = Answer | 'timeout' | 'memout' | 'crash' | 'error' | 'unsupported';

/**
 * A formula, a version and limits. A request is plain data, so it can be carried out on another machine; an abort
 * signal is therefore not part of it.
 */
export interface RunRequest {
  readonly formula: Script;
  readonly version: Version;
  readonly limits: Limits;
  /**
   * The most work a solver may do by its own count; a run that gives up there counts as a timeout. The limit is the
   * same on every machine, however busy, and for every build variant. Families without such a limit ignore it.
   */
  readonly mostEffort?: number | undefined;
  readonly seed?: number | undefined;
  readonly model?: boolean | undefined;
  /** Report the answer to the formula's own `get-unsat-core`. */
  readonly core?: boolean | undefined;
  /**
   * Run without any state of earlier formulas. Native solvers always start a new process; an embedded one is loaded
   * again, with new memory and new threads.
   */
  readonly fresh?: boolean | undefined;
  /**
   * Check only whether the formula is quick; the run is no measurement. A native solver may be reused, and its start
   * does not count. If it ends with neither an answer nor the time limit, a new process decides.
   */
  readonly glance?: boolean | undefined;
  /** Report the solver's work counters, also of a run that times out. The solver then needs a timer of its own. */
  readonly work?: boolean | undefined;
  /** Count the calls of each solver function. Only embedded solvers can, and they take a little longer. */
  readonly calls?: boolean | undefined;
  readonly checks?: boolean | undefined;
}

export interface FailedCheck {
  /** For example `Failed to verify: is_seq(e)`. */
  readonly message: string;
  /** The source file of the check, as the solver prints it. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Indices of called functions, ascending, and the number of calls of each. */
export interface CallCounts {
  readonly functions: readonly number[];
  readonly calls: readonly number[];
}

/** Counts of a solver's own steps, such as `seq-branch`. */
export type WorkCounts = Readonly<Record<string, number>>;

interface Measurements {
  readonly wallMs: number;
  /**
   * User and system time of the whole process tree. Undefined if the machine cannot measure it, or if the solver was
   * ended because it slept.
   */
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  readonly effort?: number | undefined;
  /** The solver's work counters if requested, the most telling one first. */
  readonly work?: WorkCounts | undefined;
  /** Present if requested and counted, also for a run that was cut short. */
  readonly called?: CallCounts | undefined;
  /** Present if requested. The solver may still have answered. */
  readonly failedCheck?: FailedCheck | undefined;
  readonly seed?: number | undefined;
  readonly answers: readonly Answer[];
  readonly model?: string | undefined;
  readonly core?: readonly string[] | undefined;
}

export type Conclusion =
  | { readonly outcome: Answer | 'timeout' | 'memout' }
  /** Ended by a signal, or with an exit code that stands for one. */
  | { readonly outcome: 'crash'; readonly signal: string }
  /** `message` is the solver's first complaint, or culprit's own description of the failure. */
  | { readonly outcome: 'error' | 'unsupported'; readonly message: string };

export type Run = Measurements & Conclusion;

/**
 * The duration of a run: its processor time if known and less than the wall time. Time that a solver waits for a busy
 * machine says nothing about the solver.
 */
export function spentMs({ wallMs, cpuMs = wallMs }: Run): number {
  return Math.min(wallMs, cpuMs);
}

/** The one interface for running formulas. `openRunner` makes one. */
export interface Runner {
  /** @param signal ends the run early; the call then rejects with the signal's reason */
  run(request: RunRequest, signal?: AbortSignal): Promise<Run>;
  /** Ends every child and removes every temporary file. May be called twice. */
  close(): Promise<void>;
}

/** A runner that can be warmed up before the first run. */
export interface WarmableRunner extends Runner {
  prepare(versions: readonly Version[], signal?: AbortSignal): Promise<void>;
}
