/** What counts as slower, from what was asked for and what is known of the machine. */

import { readCalibration } from './calibration-file.js';
import { paperSlowness, type Slowness } from './slowness.js';

export interface SlownessRequest {
  readonly preset?: 'paper' | undefined;
  readonly thresholdMs?: number | undefined;
  /** Twice the threshold when left out, or what is usual. */
  readonly timeoutMs?: number | undefined;
  /** Two seconds when left out. */
  readonly usualTimeoutMs?: number | undefined;
}

const usualTimeoutMs = 2000;

/** A preset, a threshold of the user's own, or the machine's. */
export async function askedSlowness(request: SlownessRequest): Promise<Slowness> {
  const noise = await readCalibration();
  const preset = request.preset === 'paper' ? paperSlowness : undefined;
  const thresholdMs = request.thresholdMs ?? preset?.thresholdMs;
  const {
    timeoutMs = request.thresholdMs === undefined
      ? (preset?.timeoutMs ?? request.usualTimeoutMs ?? usualTimeoutMs)
      : 2 * request.thresholdMs,
  } = request;
  return thresholdMs === undefined ? { noise, timeoutMs } : { noise, timeoutMs, thresholdMs };
}
