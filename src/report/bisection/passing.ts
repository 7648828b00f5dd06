/** Changes that were undone at once. */

import type { Culprit } from '../../history/index.js';

/** What a culprit is to its case beyond being a step. */
export type Passing =
  /** It made a difference at this one commit only. */
  | 'at this commit only'
  /** It took back what the commit before it had changed. */
  | 'as before that';

/** Levels this close are the same again. */
const sameWithin = 2;

/**
 * A case may be quick, or slow, at a single commit by luck, or by an error that the next one mends. Both of its steps are
 * real and neither is why the case is slow today.
 */
export function passingCulprits(culprits: readonly Culprit[]): ReadonlyMap<Culprit, Passing> {
  const passing = new Map<Culprit, Passing>();
  for (const first of culprits)
    for (const second of culprits)
      if (second.case === first.case && second.before === first.commit && isUndone(first, second)) {
        if (!passing.has(first)) passing.set(first, 'at this commit only');
        passing.set(second, 'as before that');
      }
  return passing;
}

function isUndone(first: Culprit, second: Culprit): boolean {
  if (first.direction === second.direction) return false;
  const [before, after] = [Math.max(1, first.beforeLevel), Math.max(1, second.afterLevel)];
  return Math.max(before, after) <= sameWithin * Math.min(before, after);
}
