/** Changes that the next tested commit reverted. */

import type { Culprit } from '../../history/index.js';

/** The part of a culprit in a temporary change. */
export type TemporaryChange =
  /** Its difference lasted for one commit. */
  | 'at this commit only'
  /** It restored the level from before the previous commit. */
  | 'back to the level before it';

/** Levels within this factor count as equal. */
const sameWithin = 2;

/**
 * A case may be fast or slow at a single commit by luck, or by a bug that the next commit fixes. Both steps are real,
 * but neither explains today's slowness.
 */
export function temporaryChanges(culprits: readonly Culprit[]): ReadonlyMap<Culprit, TemporaryChange> {
  const passing = new Map<Culprit, TemporaryChange>();
  for (const first of culprits)
    for (const second of culprits)
      if (second.case === first.case && second.before === first.commit && isReverted(first, second)) {
        if (!passing.has(first)) passing.set(first, 'at this commit only');
        passing.set(second, 'back to the level before it');
      }
  return passing;
}

function isReverted(first: Culprit, second: Culprit): boolean {
  if (first.direction === second.direction) return false;
  const [before, after] = [Math.max(1, first.beforeLevel), Math.max(1, second.afterLevel)];
  return Math.max(before, after) <= sameWithin * Math.min(before, after);
}
