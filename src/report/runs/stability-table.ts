import { type Ink, noInk } from '../../machine/index.js';
import { counted, duration, percent, table } from '../../page/index.js';

/** The stability of one version's times; SPRFinder's Table 1 has only the three times. */
export interface StabilityRow {
  readonly version: string;
  readonly averageMs: number;
  readonly averageDifferenceMs: number;
  readonly maximalDifferenceMs: number;
  /** The number of formulas, and of those with a run that timed out. */
  readonly formulas?: number | undefined;
  readonly unfinished?: number | undefined;
  readonly neverFinished?: number | undefined;
  /** culprit's own measure: a bound for all but the least stable formulas. */
  readonly noise?: { readonly floorMs: number; readonly relative: number } | undefined;
  readonly steadyEffort?: number | undefined;
}

const titles = ['formulas', 'avg time', 'avg diff', 'max diff', 'timed out', 'usual diff', 'same effort'];

export function stabilityTable(rows: readonly StabilityRow[], ink: Ink = noInk, screen?: number): string {
  return table(
    [{ title: 'version', wraps: true }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows.map((row) => [
      row.version,
      row.formulas === undefined ? '' : String(row.formulas),
      duration(row.averageMs),
      duration(row.averageDifferenceMs),
      duration(row.maximalDifferenceMs),
      row.unfinished === undefined ? '' : String(row.unfinished),
      row.noise === undefined ? '' : `${duration(row.noise.floorMs)}, ${percent(row.noise.relative)}`,
      row.steadyEffort === undefined ? '' : percent(row.steadyEffort),
    ]),
    ink,
    screen,
  );
}

/** A sentence for each version with formulas that never finished. */
export function unfinishedNotes(rows: readonly StabilityRow[]): readonly string[] {
  return rows.flatMap(({ version, formulas = 0, neverFinished = 0 }) =>
    neverFinished === 0
      ? []
      : [
          `${version}: ${neverFinished} of ${counted(formulas, 'formula')} timed out in every run; the averages count them ` +
            'with the limit as their time, the usual difference leaves them out',
        ],
  );
}
