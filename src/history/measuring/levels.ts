/** The level of a case at a commit (time or effort), and when two levels differ. */

import { median } from 'simple-statistics';
import type { Fault } from '../../machine/index.js';

export type Observation =
  /** All measurements, in milliseconds or units of effort. */
  | {
      readonly kind: 'measured';
      readonly samples: readonly number[];
      /** The solver's effort counter, if times are measured and it has one. */
      readonly effort?: number | undefined;
    }
  /** The commit cannot be measured: it does not build, cannot read the formula or crashes. */
  | {
      readonly kind: 'unmeasured';
      readonly fault: Fault;
      /** The number of an uncompiled part of the solver that was called. */
      readonly missing?: number | undefined;
      /** The solver finished its search, so a missing part would have been reported. */
      readonly isSearched?: true | undefined;
    };

export interface Sensitivity {
  /** Smaller differences are ignored, however certain. */
  readonly least: number;
  /** The relative difference between measurements of the same build; 0 for effort. */
  readonly noise: number;
  /** A step with a smaller share of the whole difference does not dominate. */
  readonly share: number;
  /** A step that multiplies the level this often counts from a smaller share on, such as 0.4 s to 4 s before 60 s. */
  readonly multiplying?: { readonly times: number; readonly share: number } | undefined;
}

const leastMs = 250;

/** Times differ this much between builds, even on an idle machine. */
const leastNoise = 0.05;

const dominatingShare = 1 / 5;

const multiplying = { times: 5, share: 1 / 20 };

/**
 * The threshold for a difference: for times it depends on the machine's noise; for effort and printed numbers, every
 * difference counts.
 */
export function sensitivityFor(
  unit: 'time' | 'effort' | 'printed',
  { threshold, relativeNoise }: { threshold: number | undefined; relativeNoise: number },
): Sensitivity {
  return {
    least: threshold ?? (unit === 'time' ? leastMs : 1),
    noise: unit === 'effort' ? 0 : Math.max(leastNoise, relativeNoise),
    share: dominatingShare,
    multiplying,
  };
}

/**
 * The number of standard deviations that chance may cause. Four for a normal distribution; 50 % more because medians
 * vary more than means and every measurement is another chance of error.
 */
const spread = 6;

/** Two standard deviations of six: the share of a chance difference that may hide a real one. */
const hidingShare = 1 / 3;

export function levelOf(samples: readonly number[]): number {
  return samples.length === 0 ? Number.NaN : median([...samples]);
}

/** The largest difference between two levels that chance explains. */
export function chance(a: readonly number[], b: readonly number[], noise: number): number {
  const own = (samples: readonly number[]): number =>
    (noise * levelOf(samples)) / Math.sqrt(Math.max(1, samples.length));
  return spread * Math.hypot(own(a), own(b));
}

/** The part of a difference that noise may hide. */
export function hidden(a: readonly number[], b: readonly number[], noise: number): number {
  return hidingShare * chance(a, b, noise);
}
