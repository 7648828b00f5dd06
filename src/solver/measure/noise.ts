/** How much a machine's measurements differ by themselves, and what that makes a difference worth calling one. */

export interface Noise {
  /** The spread of short runs, in milliseconds. */
  readonly floorMs: number;
  /** The spread of longer runs, as a share of their time. */
  readonly relative: number;
  /** Nobody has measured this machine. */
  readonly isAssumed?: boolean | undefined;
}

/** Used until `culprit calibrate` has measured the machine: wide enough for a busy laptop. */
export const assumedNoise: Noise = { floorMs: 20, relative: 0.1, isAssumed: true };

/** SPRFinder's ratio of threshold to largest spread: 10 s against 2.02 s (section 5.2). */
export const safetyFactor = 5;

/** How many milliseconds slower than `referenceMs` is slower for sure on a machine with this noise. */
export function thresholdMs(noise: Noise, referenceMs: number, safety: number = safetyFactor): number {
  return safety * Math.max(noise.floorMs, noise.relative * referenceMs);
}
