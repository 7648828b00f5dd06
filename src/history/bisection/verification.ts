/** What measuring both sides of a step in turns says about it. */

import { chance, hidden, levelOf, type Sensitivity } from '../measuring/levels.js';
import type { CaseStep } from '../search/localize.js';
import type { VerifiedEvent } from './bisect-events.js';

export interface Verification {
  /** Medians before and after, measured in turns. */
  readonly beforeLevel: number;
  readonly afterLevel: number;
  /** The solver's own count of its work before and after, where it tells. */
  readonly beforeEffort?: number | undefined;
  readonly afterEffort?: number | undefined;
  /** The difference is there when both are measured again. */
  readonly isVerified: boolean;
}

/** Measurements on either side; what is counted is the same every time. */
export function verifyingRounds({ noise }: Sensitivity): number {
  return noise === 0 ? 1 : 5;
}

/** As many where a difference is neither sure nor gone: noise hides half as much under four times the measurements. */
const mostRounds = 25;

/** What is to be known of a step: measured in turns, it is there, or it is not. More rounds would change nothing. */
export function isSettled(step: CaseStep, verified: VerifiedEvent, sensitivity: Sensitivity): boolean {
  const rounds = Math.min(verified.beforeSamples.length, verified.afterSamples.length);
  if (sensitivity.noise === 0 || rounds >= mostRounds) return true;
  return isRefuted(verified, sizeOf(step), sensitivity) || judged(step, verified, sensitivity).isVerified;
}

/** How much slower or quicker a step makes a case, as it is written down. */
export function sizeOf({ from, to }: Pick<CaseStep, 'from' | 'to'>): number {
  return Number(Math.abs(to - from).toPrecision(6));
}

/** Of a difference of this size not half is left, or nothing that counts, and noise does not hide it. */
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
