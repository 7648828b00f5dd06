export interface Limits {
  readonly wallMs: number;
  readonly cpuMs?: number;
  /** Ends a run that has hardly worked for this long on the clock, or whose work cannot be measured. */
  readonly idleMs?: number;
  readonly memoryBytes?: number;
  readonly outputBytes?: number;
  /** Limit on any other file, if larger than the output limit. */
  readonly fileBytes?: number;
}

export type LimitName = 'wall' | 'idle' | 'cpu' | 'memory' | 'output';

/**
 * Wall time allowed per processor time: with ten competitors for each core, a run still gets all of its processor
 * time.
 */
const clockFactor = 10;

/**
 * The limits of a run with this timeout. The timeout counts processor time if the machine can measure it, so that a
 * busy machine changes only the wall time. A sleeping process is ended after the same wall time.
 */
export function limitsFor(timeoutMs: number, memoryBytes?: number): Limits {
  const time = { cpuMs: timeoutMs, idleMs: timeoutMs, wallMs: clockFactor * timeoutMs };
  return memoryBytes === undefined ? time : { ...time, memoryBytes };
}

/** The timeout in processor time, else in wall time. */
export function timeoutOf({ cpuMs, wallMs }: Limits): number {
  return cpuMs ?? wallMs;
}
