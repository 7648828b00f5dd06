/** Repeats SPRFinder's RQ2: Fig. 4, how many slowdowns hold under how many seeds. */

import { type Robustness, robustnesses } from '../../solver/index.js';

/** The paper's five classes by n, the number of seeds out of 30 that show a case; in the order of `robustnesses`. */
export const seedClasses = ['n = 0', '0 < n < 10', '10 ≤ n < 20', '20 ≤ n < 30', 'n = 30'] as const;

/**
 * The paper's shares (section 5.3) of cases that no seed, some seeds and all 30 seeds show. It gives `none` for the
 * solvers and `every` for all cases; the other shares are their complements.
 */
export const publishedShares: readonly {
  readonly solver: string;
  readonly none: number;
  readonly some: number;
  readonly every: number;
}[] = [
  { solver: 'Z3Seq', none: 0.028, some: 0.972, every: 0.05 },
  { solver: 'Z3Str3', none: 0.004, some: 0.996, every: 0.5 },
  { solver: 'CVC4', none: 0.169, some: 0.831, every: 0.678 },
  { solver: 'all', none: 0.032, some: 0.968, every: 0.278 },
];

/** The share of cases in each of the five classes; a case may be in no class. */
export function robustnessShares(all: readonly string[]): ReadonlyMap<Robustness, number> {
  return new Map(
    robustnesses.map((robustness) => [
      robustness,
      all.length === 0 ? 0 : all.filter((shown) => shown === robustness).length / all.length,
    ]),
  );
}
