/** A comparison as CSV: a row for each formula and version. */

import { visibleLine } from '../../machine/index.js';
import { slowdownRatio } from './cells.js';
import type { RunResult, VersionResult } from './run-result.js';

const titles = [
  ...['formula', 'version', 'outcome', 'ms', 'wall_ms', 'effort', 'memory_bytes', 'runs'],
  ...['verdict', 'reference', 'ratio'],
] as const;

/** CSV as in RFC 4180. The verdict is in the row of the newest version. */
export function runsCsv(results: readonly RunResult[]): string {
  const rows = results.flatMap((result) =>
    result.versions.map((version, at) => rowOf(result, version, at === result.versions.length - 1)),
  );
  return [titles, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function rowOf(
  { formula, verdict, reference }: RunResult,
  { version, outcome, ms, wallMs, effort, peakMemoryBytes, runs }: VersionResult,
  isNewest: boolean,
): readonly (string | number | undefined)[] {
  const ratio = verdict.kind === 'incomparable' ? undefined : slowdownRatio(verdict);
  return [
    ...[formula, version, outcome, ms, wallMs, effort, peakMemoryBytes, runs.length],
    ...(isNewest && reference !== undefined
      ? [verdict.kind, reference, ratio]
      : [undefined, undefined, undefined]),
  ];
}

function cellText(cell: string | number | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(Math.round(1000 * cell) / 1000);
  const text = visibleLine(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
