import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';

/** What a solver answers to one `check-sat`. */
export type Answer = 'sat' | 'unsat' | 'unknown';

export type Outcome = Answer | 'timeout' | 'memout' | 'crash' | 'error' | 'unsupported';

/**
 * "Run this formula on this version under these limits." Plain data: what ends a run early is not in it, and a version
 * has its spec, so that a request can be carried out on another machine.
 */
export interface RunRequest {
  readonly formula: Script;
  readonly version: Version;
  readonly limits: Limits;
  /**
   * How much work a solver may do by its own count before it gives up, which then counts as a timeout: the same on every
   * machine, however busy, and for every way of building. Left alone by families without such a limit.
   */
  readonly mostEffort?: number | undefined;
  /** The solver's random seed; its default when left out. */
  readonly seed?: number | undefined;
  /** Ask for a model after a `sat` answer. */
  readonly model?: boolean | undefined;
  /** Tell what the formula's own `get-unsat-core` was answered with. */
  readonly core?: boolean | undefined;
  /**
   * Where nothing is left of other formulas. A native solver is a new process each time anyway; an embedded one is
   * loaded anew: new memory, new threads.
   */
  readonly fresh?: boolean | undefined;
  /**
   * A look at whether the formula is quick, no measurement: a native solver may have run other formulas before, and
   * its start does not count. Where it ends in something other than an answer or the time limit, a new one decides.
   */
  readonly glance?: boolean | undefined;
  /** Tell what the solver was busy with, also where its time runs out; costs it a timer of its own. */
  readonly work?: boolean | undefined;
  /** Tell how often each of the solver's functions was called: embedded solvers can, and take a little longer for it. */
  readonly calls?: boolean | undefined;
  /** Tell of a check of the solver's own that failed. */
  readonly checks?: boolean | undefined;
}

/** What a solver says of a check of its own that failed. */
export interface FailedCheck {
  /** Such as `Failed to verify: is_seq(e)`. */
  readonly says: string;
  /** Where the check stands, as the solver names it. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Numbers of functions that were called, in order, and how often each of them was. */
export interface CallCounts {
  readonly functions: readonly number[];
  readonly calls: readonly number[];
}

/** Counts of a solver's own steps, such as `seq-branch`. */
export type WorkCounts = Readonly<Record<string, number>>;

interface Measured {
  readonly wallMs: number;
  /**
   * User and system time of the whole process tree; absent where the machine cannot tell, and of a solver that was ended
   * because it slept: how long it takes does not depend on that.
   */
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  /** The solver's own deterministic work counter. */
  readonly effort?: number | undefined;
  /** What the solver was busy with, when asked for: its own counters, first the one that says most. */
  readonly work?: WorkCounts | undefined;
  /** Where they were asked for and are counted; also of a run that was cut short. */
  readonly called?: CallCounts | undefined;
  /** Where it was asked for. It may have answered all the same. */
  readonly failedCheck?: FailedCheck | undefined;
  readonly seed?: number | undefined;
  /** The answer to every `check-sat` that was answered, in order. */
  readonly answers: readonly Answer[];
  /** The model text of the last `sat`, when asked for. */
  readonly model?: string | undefined;
  /** The names of the assertions that the last `unsat` rests on, when asked for. */
  readonly core?: readonly string[] | undefined;
}

/** What came of a run. */
export type Conclusion =
  | { readonly outcome: Answer | 'timeout' | 'memout' }
  /** Ended by a signal, or with an exit code that stands for one. */
  | { readonly outcome: 'crash'; readonly signal: string }
  /** `message` is the solver's own first complaint, or what culprit saw go wrong. */
  | { readonly outcome: 'error' | 'unsupported'; readonly message: string };

/** One formula on one version, measured. */
export type Run = Measured & Conclusion;

/**
 * How long a run took: its processor time, where that is told and less than the time on the clock. A solver that waits for
 * the machine does not work: what others do on it meanwhile says nothing about the solver.
 */
export function spentMs({ wallMs, cpuMs = wallMs }: Run): number {
  return Math.min(wallMs, cpuMs);
}

/** The one interface for running formulas; `openRunner` puts one together. */
export interface Runner {
  /** @param signal ends the run early; it then rejects with the signal's reason */
  run(request: RunRequest, signal?: AbortSignal): Promise<Run>;
  /** Ends every child, removes every temporary file. Safe to call twice. */
  close(): Promise<void>;
}

/** A runner that can be warmed up, so that the first run does not wait. */
export interface WarmableRunner extends Runner {
  /** Starts what runs on these versions need. */
  prepare(versions: readonly Version[], signal?: AbortSignal): Promise<void>;
}
