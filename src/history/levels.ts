/** How slow a case is at a commit, and when two such levels differ. */

import { median } from 'simple-statistics';

/** What is known of one case at one commit. */
export type Observation =
  /** Milliseconds, or units of effort: every measurement of it. */
  | { readonly kind: 'measured'; readonly samples: readonly number[] }
  /** The commit says nothing about the case: it does not build, cannot read the formula, crashes. */
  | { readonly kind: 'silent'; readonly why: string };

export interface Sensitivity {
  /** Differences below this say nothing, however sure they are. */
  readonly least: number;
  /** How much a measurement differs from another of the same, as a share of it; 0 for effort. */
  readonly noise: number;
  /** A step that makes up less than this share of the whole difference does not dominate it. */
  readonly share: number;
}

/**
 * As many standard deviations as two levels may lie apart by chance. Four for a bell curve; half as much again because
 * medians vary more than means, and because every new measurement is another chance to be wrong.
 */
const spread = 6;

export function levelOf(samples: readonly number[]): number {
  return samples.length === 0 ? Number.NaN : median([...samples]);
}

/** By how much two levels may differ by chance. */
export function chance(a: readonly number[], b: readonly number[], noise: number): number {
  const own = (samples: readonly number[]): number =>
    (noise * levelOf(samples)) / Math.sqrt(Math.max(1, samples.length));
  return spread * Math.hypot(own(a), own(b));
}
