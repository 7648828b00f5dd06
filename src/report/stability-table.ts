import { duration } from './quantities.js';
import { table } from './table.js';

/** How stable one version's times are; SPRFinder's Table 1 has the first four. */
export interface StabilityRow {
  readonly version: string;
  readonly averageMs: number;
  readonly averageDifferenceMs: number;
  readonly maximalDifferenceMs: number;
  readonly steadyEffort?: number | undefined;
}

export function stabilityTable(rows: readonly StabilityRow[]): string {
  const titles = ['avg time', 'avg diff', 'max diff', 'same effort'];
  return table(
    [{ title: 'version' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows.map((row) => [
      row.version,
      duration(row.averageMs),
      duration(row.averageDifferenceMs),
      duration(row.maximalDifferenceMs),
      row.steadyEffort === undefined ? '' : `${Math.round(100 * row.steadyEffort)} %`,
    ]),
  );
}
