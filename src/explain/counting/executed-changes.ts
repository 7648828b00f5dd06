import type { Change } from '../changes/change.js';
import type { ExecutedLines } from './executed-lines.js';

/** The changes of which the test executes a line; for removed lines, a line next to them. */
export function executedChanges(changes: readonly Change[], executed: ExecutedLines): readonly Change[] {
  return changes.filter(({ file, new: { from, to } }) => {
    const lines = executed.get(file);
    if (lines === undefined) return false;
    const [first, last] = to < from ? [to, from] : [from, to];
    for (let line = first; line <= last; line++) if (lines.has(line)) return true;
    return false;
  });
}
