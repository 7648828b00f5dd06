import type { LimitName, Limits } from '../../machine/index.js';
import type { CallCounts } from '../run/run.js';

export interface HostProgram {
  /** The folder of an unpacked `z3-solver` package. */
  readonly packageDir: string;
  readonly isCounting: boolean;
  /** Times are not needed. The host is ready in a fifth of the time. */
  readonly isUntimed: boolean;
}

export const countCallsFlag = '--count-calls';
export const untimedFlag = '--untimed';

export interface HostJob {
  /** SMT-LIB commands, see `opening.ts`. */
  readonly text: string;
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
export interface PartialMeasurements {
  readonly limit?: LimitName | undefined;
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  readonly called?: CallCounts | undefined;
}

export type HostOrder =
  | { readonly kind: 'evaluate'; readonly job: HostJob }
  | { readonly kind: 'interrupt' }
  /** Reload Z3. The host answers with `ready`. */
  | { readonly kind: 'renew' };

export type HostReport =
  | { readonly kind: 'ready'; readonly residentBytes: number }
  /** The measured part of the evaluation starts. */
  | { readonly kind: 'started' }
  | { readonly kind: 'done'; readonly evaluation: Evaluation; readonly residentBytes: number }
  /** Z3 ignored an interrupt. The host terminates its threads, reloads it, and sends `ready`. */
  | { readonly kind: 'unresponsive'; readonly used: PartialMeasurements }
  /** Z3 aborted, and the host exits. `called` has the calls until then, if they are counted. */
  | { readonly kind: 'broken'; readonly message: string; readonly called?: CallCounts | undefined };
