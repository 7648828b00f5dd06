/** The patch that reverts changes in the new version, for `git apply` and `patch -p1`; bytes, as sources are. */

import type { ChangedFile } from './change.js';
import { withLineEnd } from './reverted.js';
import { linesWithEnds } from './text-lines.js';

const contextLines = 3;

/** Lines `[from, to)` of the new version, and their replacement. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: readonly string[];
}

export function revertingPatch(files: readonly ChangedFile[], isReverted: (id: number) => boolean): Buffer {
  return Buffer.from(files.map((file) => filePatch(file, isReverted)).join(''), 'latin1');
}

function filePatch({ versions, changes }: ChangedFile, isReverted: (id: number) => boolean): string {
  const { path, oldText, newText, oldMode = 0o644 } = versions;
  const reverted = changes.filter(({ id }) => isReverted(id));
  if (reverted.length === 0) return '';
  const name = latin1Name(path);
  const head = `diff --git a/${name} b/${name}\n`;
  const lines = linesWithEnds(newText ?? '');
  const replacements = reverted
    .map(({ new: next, oldLines }) => ({
      from: next.from - 1,
      to: next.to,
      by: withLineEnd(oldLines, next.to < lines.length),
    }))
    .filter(({ from, to, by }) => to > from || by.length > 0);
  // The tab ends a file name that has spaces in it.
  const end = name.includes(' ') ? '\t' : '';
  const [oldName, newName] = [`a/${name}${end}`, `b/${name}${end}`];
  const mode = (oldMode & 0o100) === 0 ? '100644' : '100755';
  const hunks = hunksText(lines, replacements);
  // The patch of an empty file has no hunks, only the name.
  const named = (from: string, to: string): string =>
    hunks === '' ? '' : `--- ${from}\n+++ ${to}\n${hunks}`;
  if (newText === undefined) return `${head}new file mode ${mode}\n${named('/dev/null', newName)}`;
  if (oldText === undefined) return `${head}deleted file mode 100644\n${named(oldName, '/dev/null')}`;
  return `${head}${named(oldName, newName)}`;
}

function hunksText(lines: readonly string[], replacements: readonly Replacement[]): string {
  const hunks: Replacement[][] = [];
  for (const replacement of replacements) {
    const last = hunks.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && replacement.from - before.to <= 2 * contextLines)
      last.push(replacement);
    else hunks.push([replacement]);
  }
  let shift = 0;
  return hunks
    .map((hunk) => {
      const { text, growth } = hunkText(lines, hunk, shift);
      shift += growth;
      return text;
    })
    .join('');
}

function hunkText(
  lines: readonly string[],
  hunk: readonly Replacement[],
  shift: number,
): { readonly text: string; readonly growth: number } {
  const from = Math.max(0, (hunk[0]?.from ?? 0) - contextLines);
  const to = Math.min(lines.length, (hunk.at(-1)?.to ?? 0) + contextLines);
  const written: string[] = [];
  let at = from;
  let growth = 0;
  for (const { from: start, to: end, by } of hunk) {
    for (; at < start; at++) written.push(marked(' ', lines[at]));
    for (; at < end; at++) written.push(marked('-', lines[at]));
    for (const line of by) written.push(marked('+', line));
    growth += by.length - (end - start);
  }
  for (; at < to; at++) written.push(marked(' ', lines[at]));
  const [oldCount, newCount] = [to - from, to - from + growth];
  const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
  const head = `@@ -${range(from, oldCount)} +${range(from + shift, newCount)} @@\n`;
  return { text: head + written.join(''), growth };
}

function marked(mark: string, line = ''): string {
  return line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
}

function latin1Name(path: string): string {
  return Buffer.from(path).toString('latin1');
}
