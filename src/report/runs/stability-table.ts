import { type Ink, noInk } from '../../machine/index.js';
import { counted, duration, percent, table } from '../../page/index.js';

/** How stable one version's times are; SPRFinder's Table 1 has the three times and no more. */
export interface StabilityRow {
  readonly version: string;
  readonly averageMs: number;
  readonly averageDifferenceMs: number;
  readonly maximalDifferenceMs: number;
  /** How many formulas there were, and how many of them had a run that did not end. */
  readonly formulas?: number | undefined;
  readonly unfinished?: number | undefined;
  readonly neverFinished?: number | undefined;
  /** culprit's own measure: what all but the wildest formulas stay under. */
  readonly noise?: { readonly floorMs: number; readonly relative: number } | undefined;
  readonly steadyEffort?: number | undefined;
}

const titles = ['formulas', 'avg time', 'avg diff', 'max diff', 'timed out', 'usual diff', 'same effort'];

export function stabilityTable(rows: readonly StabilityRow[], ink: Ink = noInk, screen?: number): string {
  return table(
    [{ title: 'version', folds: true }, ...titles.map((title) => ({ title, align: 'right' as const }))],
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

/** A line for each version that some formulas never ended on. */
export function unfinishedNotes(rows: readonly StabilityRow[]): readonly string[] {
  return rows.flatMap(({ version, formulas = 0, neverFinished = 0 }) =>
    neverFinished === 0
      ? []
      : [
          `${version}: ${neverFinished} of ${counted(formulas, 'formula')} never ended in time; they are in the averages ` +
            'with the limit as their time, and say nothing about the usual difference',
        ],
  );
}
