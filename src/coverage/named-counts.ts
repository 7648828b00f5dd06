/** Translates numbers of a table into names. */

import type { Executable, Executed } from './executed.js';
import type { LineCounts } from './line-counts.js';
import type { CoverageTable } from './table.js';

export function executedIn(
  { lines, counts, functions, calls, regions }: LineCounts,
  { parts }: CoverageTable,
): Executed {
  const byName = new Map<string, number>();
  functions.forEach((index, at) => {
    const name = parts.functions[index]?.name ?? '';
    byName.set(name, (byName.get(name) ?? 0) + (calls[at] ?? 0));
  });
  const files = new Map<string, Map<number, number>>();
  lines.forEach((line, at) => {
    const file = parts.files[parts.lineFiles[line] ?? -1] ?? '';
    const own = files.get(file) ?? new Map<number, number>();
    files.set(file, own.set(parts.lineNumbers[line] ?? 0, counts[at] ?? 0));
  });
  return { functions: byName, files, regions };
}

export function executableIn({ parts }: CoverageTable): Executable {
  const files = new Map<string, number[]>(parts.files.map((file) => [file, []]));
  parts.lineNumbers.forEach((line, at) => {
    files.get(parts.files[parts.lineFiles[at] ?? -1] ?? '')?.push(line);
  });
  return { functions: new Set(parts.functions.map(({ name }) => name)), files, regions: parts.regions };
}
