import type { LimitName, Limits } from '../../machine/index.js';
import type { CallCounts } from '../run/run.js';

/** The program that a host runs. */
export interface HostProgram {
  /** The folder of an unpacked `z3-solver` package. */
  readonly packageDir: string;
  /** Count function calls. */
  readonly isCounting: boolean;
  /** Times are not needed. The host is ready in a fifth of the time. */
  readonly isUntimed: boolean;
}

/** Arguments of a host. */
export const countingWord = '--count-calls';
export const untimedWord = '--untimed';

/** One formula to evaluate. */
export interface HostJob {
  /** SMT-LIB commands, see `opening.ts`. */
  readonly text: string;
  /** Z3's global parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Also report statistics, even if the evaluation was cut short. */
  readonly work: boolean;
}

/** The result of a job that Z3 finished or gave up when interrupted. */
export interface Evaluation {
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** Undefined if the evaluation was cut short. */
  readonly effort?: number | undefined;
  readonly statistics?: string | undefined;
  readonly called?: CallCounts | undefined;
  readonly limit?: LimitName | undefined;
}

/** Measurements of an evaluation whose Z3 was killed. */
export interface Used {
  readonly limit?: LimitName | undefined;
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  readonly called?: CallCounts | undefined;
}

/** Messages to a host. */
export type Order =
  | { readonly kind: 'evaluate'; readonly job: HostJob }
  /** Give up the current evaluation. */
  | { readonly kind: 'interrupt' }
  /** Reload Z3. The host answers with `ready`. */
  | { readonly kind: 'renew' };

/** Messages from a host. */
export type Report =
  /** Z3 is loaded and warm. */
  | { readonly kind: 'ready'; readonly residentBytes: number }
  /** The measured part of the evaluation starts. */
  | { readonly kind: 'started' }
  | { readonly kind: 'done'; readonly evaluation: Evaluation; readonly residentBytes: number }
  /** Z3 ignored an interrupt. The host terminates its threads, reloads it, and sends `ready`. */
  | { readonly kind: 'deaf'; readonly used: Used }
  /** Z3 aborted, and the host exits. `called` has the calls until then, if they are counted. */
  | { readonly kind: 'broken'; readonly message: string; readonly called?: CallCounts | undefined };
