import { readCalibration } from './calibration-file.js';
import { paperSlowness, type Slowness } from './slowness.js';

export interface SlownessRequest {
  readonly preset?: 'paper' | undefined;
  readonly thresholdMs?: number | undefined;
  /** Default: twice `thresholdMs`, or `usualTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Default: two seconds. */
  readonly usualTimeoutMs?: number | undefined;
}

const usualTimeoutMs = 2000;

/** The rule for slower versions: from a preset, from the user's threshold, or from the machine's noise. */
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
