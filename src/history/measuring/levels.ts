/** How slow a case is at a commit, and when two such levels differ. */

import { median } from 'simple-statistics';
import type { Fault } from '../../machine/index.js';

/** What is known of one case at one commit. */
export type Observation =
  /** Milliseconds, or units of effort: every measurement of it. */
  | {
      readonly kind: 'measured';
      readonly samples: readonly number[];
      /** The solver's own count of its work, where time is measured and it tells. */
      readonly effort?: number | undefined;
    }
  /** The commit says nothing about the case: it does not build, cannot read the formula, crashes. */
  | {
      readonly kind: 'unmeasured';
      readonly fault: Fault;
      /** A part of the solver that was called and had not been compiled, by its number. */
      readonly missing?: number | undefined;
      /** The solver came to the end of its search: what it lacks would have said so. */
      readonly isSearched?: true | undefined;
    };

export interface Sensitivity {
  /** Differences below this say nothing, however sure they are. */
  readonly least: number;
  /** How much a measurement differs from another of the same, as a share of it; 0 for effort. */
  readonly noise: number;
  /** A step that makes up less than this share of the whole difference does not dominate it. */
  readonly share: number;
  /** One that makes it so many times as slow matters from a smaller share on: 0.4 s that became 4 s before they became 60. */
  readonly multiplying?: { readonly times: number; readonly share: number } | undefined;
}

/** Smaller differences in time are never reported. */
const leastMs = 250;

/** The times of a process differ by this share between builds, even on an idle machine. */
const leastNoise = 0.05;

const dominatingShare = 1 / 5;

const multiplying = { times: 5, share: 1 / 20 };

/**
 * The threshold for a difference: of times by the machine's noise; of effort or printed numbers, any difference
 * counts.
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
 * The standard deviations by which two levels may differ by chance. Four for a normal distribution; half as much
 * again because medians vary more than means, and because every new measurement is another chance of error.
 */
const spread = 6;

/** The share of the chance difference that may hide a real one: two standard deviations of six. */
const hidingShare = 1 / 3;

export function levelOf(samples: readonly number[]): number {
  return samples.length === 0 ? Number.NaN : median([...samples]);
}

/** The difference between two levels that chance can cause. */
export function chance(a: readonly number[], b: readonly number[], noise: number): number {
  const own = (samples: readonly number[]): number =>
    (noise * levelOf(samples)) / Math.sqrt(Math.max(1, samples.length));
  return spread * Math.hypot(own(a), own(b));
}

/** The part of a difference that noise can hide. */
export function hidden(a: readonly number[], b: readonly number[], noise: number): number {
  return hidingShare * chance(a, b, noise);
}
