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
