/** What the pool and a host say to each other over the channel between their processes. */

/** One formula to evaluate. */
export interface Job {
  readonly text: string;
  /** Solver options, in the solver's own names. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly wallMs: number;
  readonly cpuMs?: number | undefined;
  readonly memoryBytes?: number | undefined;
  readonly outputBytes?: number | undefined;
  readonly model: boolean;
}

export interface Done {
  readonly kind: 'done';
  readonly output: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  readonly effort?: number;
  readonly model?: string;
  /** Which limit the evaluation was interrupted at. */
  readonly limit?: 'wall' | 'cpu' | 'output';
  /** What the solver still holds after the formula is gone. */
  readonly heldBytes: number;
}

export type Report =
  | { readonly kind: 'ready' }
  | Done
  /** The module trapped or aborted and cannot go on. */
  | { readonly kind: 'broken'; readonly message: string };
