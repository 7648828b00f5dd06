/** What a run may use before it is ended. */
export interface Limits {
  readonly wallMs: number;
  readonly cpuMs?: number;
  /** Ended when it has hardly worked for this long on the clock, or nobody can tell whether it has. */
  readonly idleMs?: number;
  readonly memoryBytes?: number;
  /** Of standard output and standard error together. */
  readonly outputBytes?: number;
  /** Of any other file it writes, where that may be longer than its output. */
  readonly fileBytes?: number;
}

/** Which limit a run was ended at. */
export type LimitName = 'wall' | 'idle' | 'cpu' | 'memory' | 'output';
