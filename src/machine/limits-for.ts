import type { Limits } from './limits.js';

/**
 * How many times its processor time a run may take on the clock: on a machine where ten others want each core it still
 * gets all of it.
 */
const clockFactor = 10;

/**
 * The limits of a run that may take so long. That is processor time, as far as the machine can tell it: a busy machine
 * makes a run take longer on the clock, and nothing else. What sleeps is ended after the same time on the clock.
 */
export function limitsFor(timeoutMs: number, memoryBytes?: number): Limits {
  const time = { cpuMs: timeoutMs, idleMs: timeoutMs, wallMs: clockFactor * timeoutMs };
  return memoryBytes === undefined ? time : { ...time, memoryBytes };
}

/** How long a run may take, whichever way that is counted. */
export function timeoutOf({ cpuMs, wallMs }: Limits): number {
  return cpuMs ?? wallMs;
}
