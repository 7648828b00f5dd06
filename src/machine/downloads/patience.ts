export interface Patience {
  readonly attempts: number;
  /** Doubled after each failed attempt. */
  readonly pauseMs: number;
  /** Without a single byte arriving. */
  readonly silenceMs: number;
  readonly totalMs: number;
}
