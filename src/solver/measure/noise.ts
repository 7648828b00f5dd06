/** The variation of times on a machine, and the threshold that follows from it. */

export interface Noise {
  readonly floorMs: number;
  /** Spread of longer runs, as a share of their time. */
  readonly relative: number;
  readonly isAssumed?: boolean | undefined;
}

/** Used before `culprit calibrate`: wide enough for a busy laptop. */
export const assumedNoise: Noise = { floorMs: 20, relative: 0.1, isAssumed: true };

/** Noise above this multiple of the generous assumption occurs only on a busy machine. */
const busyFactor = 3;

/** True if the machine was busy during the measurement. Thresholds from it would be far too wide. */
export function isBusyNoise({ floorMs, relative }: Noise): boolean {
  return floorMs > busyFactor * assumedNoise.floorMs || relative > busyFactor * assumedNoise.relative;
}

/** SPRFinder's ratio of threshold to largest spread: 10 s to 2.02 s (section 5.2). */
export const safetyFactor = 5;

/** The difference to `referenceMs` that is certainly not noise, in milliseconds. */
export function thresholdMs(noise: Noise, referenceMs: number, safety: number = safetyFactor): number {
  return safety * Math.max(noise.floorMs, noise.relative * referenceMs);
}
