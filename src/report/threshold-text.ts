/** The slowdown threshold and its source, in words. */

import { duration, percent } from '../page/index.js';
import { isBusyNoise, type Noise, type Slowness } from '../solver/index.js';

export function thresholdText({ thresholdMs, noise }: Slowness): string {
  if (thresholdMs !== undefined) return duration(thresholdMs);
  const spread = noiseText(noise);
  if (noise.isAssumed) return `assumed (${spread}; culprit calibrate measures this machine)`;
  return isBusyNoise(noise)
    ? `calibrated while the machine was busy (${spread}; culprit calibrate when it is idle)`
    : `calibrated to the machine (${spread})`;
}

/** Such as `20 ms and 10 % of noise`. */
export function noiseText({ floorMs, relative }: Noise): string {
  return `${duration(floorMs)} and ${percent(relative)} of noise`;
}
