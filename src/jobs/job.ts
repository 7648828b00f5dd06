import type { OnStep } from '../machine/index.js';

/** The listeners of a job. A job never prints; it reports through these functions and its return value. */
export interface JobWatch {
  /** Ends the job early. Everything measured until then stays on disk. */
  readonly signal: AbortSignal;
  /** Progress of the current step. */
  readonly onStep?: OnStep | undefined;
  /** Preparations such as downloads and builds, one line each. */
  readonly onNote?: ((line: string) => void) | undefined;
  /** Problems that do not stop the job, one line each. */
  readonly onWarning?: ((line: string) => void) | undefined;
}
