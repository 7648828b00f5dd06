import type { ChangedFile } from './change.js';
import { linesOf } from './text-lines.js';

/** A file of the new version with some of its changes taken back; undefined where it is then not there. */
export function withReverted(
  { versions, changes }: ChangedFile,
  isReverted: (id: number) => boolean,
): string | undefined {
  const { oldText, newText } = versions;
  // It came, or went, as one change.
  if (oldText === undefined || newText === undefined)
    return changes.every(({ id }) => isReverted(id)) ? oldText : newText;
  const lines = linesOf(newText);
  const written: string[] = [];
  let at = 0;
  for (const { id, new: next, oldLines, newLines } of changes) {
    written.push(
      ...lines.slice(at, next.from - 1),
      ...whole(isReverted(id) ? oldLines : newLines, next.to < lines.length),
    );
    at = next.to;
  }
  written.push(...lines.slice(at));
  return written.join('');
}

/** The last line of a file may lack its end, which it needs where it is not the last any more. */
export function whole(lines: readonly string[], isFollowed: boolean): readonly string[] {
  const last = lines.at(-1);
  return last === undefined || !isFollowed || last.endsWith('\n')
    ? lines
    : [...lines.slice(0, -1), `${last}\n`];
}
