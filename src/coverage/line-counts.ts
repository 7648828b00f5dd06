/** Counts of one run. */
export interface LineCounts {
  /** Line numbers in the table, in order. */
  readonly lines: Uint32Array;
  /** Executions of each of these lines. */
  readonly counts: Float64Array;
  /** Function numbers in the table, in order. */
  readonly functions: Uint32Array;
  /** Calls of each of these functions. */
  readonly calls: Float64Array;
  /** Number of executed blocks; undefined if the table has no blocks. */
  readonly regions: number | undefined;
}
