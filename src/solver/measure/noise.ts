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

/** So many times what is assumed, which is much already, times differ only where something else keeps the machine busy. */
const busyFactor = 3;

/** Was this measured on a machine that was busy with something else? What follows from it is far too wide then. */
export function isBusyNoise({ floorMs, relative }: Noise): boolean {
  return floorMs > busyFactor * assumedNoise.floorMs || relative > busyFactor * assumedNoise.relative;
}

/** SPRFinder's ratio of threshold to largest spread: 10 s against 2.02 s (section 5.2). */
export const safetyFactor = 5;

/** How many milliseconds slower than `referenceMs` is slower for sure on a machine with this noise. */
export function thresholdMs(noise: Noise, referenceMs: number, safety: number = safetyFactor): number {
  return safety * Math.max(noise.floorMs, noise.relative * referenceMs);
}
