/** The second, interleaved measurement of both sides of a step. */

import { chance, hidden, levelOf, type Sensitivity } from '../measuring/levels.js';
import type { CaseStep } from '../search/localize.js';
import type { VerifiedEvent } from './bisect-events.js';

export interface Verification {
  /** Medians of the interleaved measurements. */
  readonly beforeLevel: number;
  readonly afterLevel: number;
  /** The solver's effort before and after, if it reports one. */
  readonly beforeEffort?: number | undefined;
  readonly afterEffort?: number | undefined;
  /** The second measurement shows the difference too. */
  readonly isVerified: boolean;
}

/** The number of measurements on each side. Effort is the same every time. */
export function verifyingRounds({ noise }: Sensitivity): number {
  return noise === 0 ? 1 : 5;
}

/** The maximum number of measurements if the result is uncertain: four times the measurements halve the noise. */
const mostRounds = 25;

/** Whether more rounds could not change the result: the difference is certainly there, or certainly not. */
export function isSettled(step: CaseStep, verified: VerifiedEvent, sensitivity: Sensitivity): boolean {
  const rounds = Math.min(verified.beforeSamples.length, verified.afterSamples.length);
  if (sensitivity.noise === 0 || rounds >= mostRounds) return true;
  return isRefuted(verified, sizeOf(step), sensitivity) || judged(step, verified, sensitivity).isVerified;
}

/** The size of a step, rounded as the journal stores it. */
export function sizeOf({ from, to }: Pick<CaseStep, 'from' | 'to'>): number {
  return Number(Math.abs(to - from).toPrecision(6));
}

/** Less than half of a difference of this size is left, or less than the threshold, and noise cannot hide it. */
export function isRefuted(
  { beforeSamples, afterSamples }: VerifiedEvent,
  size: number,
  sensitivity: Sensitivity,
): boolean {
  const { least, noise } = sensitivity;
  const rounds = verifyingRounds(sensitivity);
  if (beforeSamples.length < rounds || afterSamples.length < rounds) return false;
  const difference = Math.abs(levelOf(afterSamples) - levelOf(beforeSamples));
  return difference + hidden(beforeSamples, afterSamples, noise) < Math.max(least, size / 2);
}

export function judged(
  { from, to, direction }: CaseStep,
  { beforeSamples, afterSamples, beforeEffort, afterEffort }: VerifiedEvent,
  { least, noise }: Sensitivity,
): Verification {
  if (beforeSamples.length === 0 || afterSamples.length === 0)
    return { beforeLevel: from, afterLevel: to, isVerified: false };
  const [beforeLevel, afterLevel] = [levelOf(beforeSamples), levelOf(afterSamples)];
  const difference = direction === 'slower' ? afterLevel - beforeLevel : beforeLevel - afterLevel;
  return {
    beforeLevel,
    afterLevel,
    beforeEffort,
    afterEffort,
    isVerified: difference >= least && difference > chance(beforeSamples, afterSamples, noise),
  };
}
