/** What one run executed. */
export interface LineCounts {
  /** Numbers of lines in the table, in order. */
  readonly lines: Uint32Array;
  /** How often each of them was executed. */
  readonly counts: Float64Array;
  /** Numbers of functions in the table, in order. */
  readonly functions: Uint32Array;
  /** How often each of them was called. */
  readonly calls: Float64Array;
  /** How many blocks of all functions were executed; undefined where the table cannot tell. */
  readonly regions: number | undefined;
}
