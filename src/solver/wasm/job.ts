import type { LimitName, Limits } from '../../machine/index.js';
import type { CallCounts } from '../run/run.js';

/** What a host holds. */
export interface HostProgram {
  /** The folder of an unpacked `z3-solver` package. */
  readonly packageDir: string;
  /** Its functions count their calls. */
  readonly isCounting: boolean;
  /** Its answers are asked for, and not how long they take: it is ready in a fifth of the time. */
  readonly isUntimed: boolean;
}

/** How a host is told that. */
export const countingWord = '--count-calls';
export const untimedWord = '--untimed';

/** One formula for a host to evaluate. */
export interface HostJob {
  /** SMT-LIB commands, see `opening.ts`. */
  readonly text: string;
  /** Z3's global parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Print the statistics, too, even of an evaluation that was cut short. */
  readonly work: boolean;
}

/** What came of a job that Z3 came to the end of, by itself or because it was interrupted. */
export interface Evaluation {
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** Absent when the evaluation was cut short, because it then says nothing. */
  readonly effort?: number | undefined;
  readonly statistics?: string | undefined;
  /** Of a host that counts. */
  readonly called?: CallCounts | undefined;
  readonly limit?: LimitName | undefined;
}

/** What is known of an evaluation that had to be ended together with its Z3. */
export interface Used {
  readonly limit?: LimitName | undefined;
  readonly cpuMs?: number | undefined;
  readonly peakMemoryBytes?: number | undefined;
  readonly called?: CallCounts | undefined;
}

/** From culprit to a host. */
export type Order =
  | { readonly kind: 'evaluate'; readonly job: HostJob }
  /** Give up the evaluation under way. */
  | { readonly kind: 'interrupt' }
  /** Load Z3 anew, so that nothing is left of any formula; answered with `ready`. */
  | { readonly kind: 'renew' };

/** From a host to culprit. */
export type Report =
  /** Z3 is loaded and warm. */
  | { readonly kind: 'ready'; readonly residentBytes: number }
  /** The evaluation starts now: what is measured and limited begins. */
  | { readonly kind: 'started' }
  | { readonly kind: 'done'; readonly evaluation: Evaluation; readonly residentBytes: number }
  /** Z3 does not heed an interrupt; the host ends its threads and loads it anew. `ready` follows. */
  | { readonly kind: 'deaf'; readonly used: Used }
  /** Z3 broke down, and the host with it; what it had called until then, of a host that counts. */
  | { readonly kind: 'broken'; readonly message: string; readonly called?: CallCounts | undefined };
