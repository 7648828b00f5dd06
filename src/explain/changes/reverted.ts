import type { ChangedFile } from './change.js';
import { linesWithEnds } from './text-lines.js';

/** The text of a file of the new version with some changes reverted; undefined if the file then does not exist. */
export function withReverted(
  { versions, changes }: ChangedFile,
  isReverted: (id: number) => boolean,
): string | undefined {
  const { oldText, newText } = versions;
  // An added or removed file is one change.
  if (oldText === undefined || newText === undefined)
    return changes.every(({ id }) => isReverted(id)) ? oldText : newText;
  const lines = linesWithEnds(newText);
  const written: string[] = [];
  let at = 0;
  for (const { id, new: next, oldLines, newLines } of changes) {
    written.push(
      ...lines.slice(at, next.from - 1),
      ...withLineEnd(isReverted(id) ? oldLines : newLines, next.to < lines.length),
    );
    at = next.to;
  }
  written.push(...lines.slice(at));
  return written.join('');
}

/** Adds the missing line end of a last line if another line follows. */
export function withLineEnd(lines: readonly string[], isFollowed: boolean): readonly string[] {
  const last = lines.at(-1);
  return last === undefined || !isFollowed || last.endsWith('\n')
    ? lines
    : [...lines.slice(0, -1), `${last}\n`];
}
