import { diffSequences } from './diff-sequences.js';
import type { Hunk } from './hunks.js';

/** The hunks that `diff` finds: lines that differ in any character. */
export function lineHunks({
  oldText,
  newText,
}: {
  readonly oldText: string;
  readonly newText: string;
}): readonly Hunk[] {
  return diffSequences(oldText.split('\n'), newText.split('\n')).map(({ aFrom, aTo, bFrom, bTo }) => ({
    old: { from: aFrom + 1, to: aTo },
    new: { from: bFrom + 1, to: bTo },
    isMoved: false,
    words: [],
  }));
}
