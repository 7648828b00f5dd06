export interface RetryPolicy {
  readonly attempts: number;
  /** Doubled after each failed attempt. */
  readonly pauseMs: number;
  /** Maximum time without a received byte. */
  readonly silenceMs: number;
  readonly totalMs: number;
}
