/** What a run may use before it is ended. */
export interface Limits {
  readonly wallMs: number;
  readonly cpuMs?: number;
  /** Ended after this long on the clock if it has hardly worked by then, or nobody can tell. */
  readonly idleMs?: number;
  readonly memoryBytes?: number;
  /** Of standard output and standard error together. */
  readonly outputBytes?: number;
}

/** Which limit a run was ended at. */
export type LimitName = 'wall' | 'cpu' | 'memory' | 'output';
