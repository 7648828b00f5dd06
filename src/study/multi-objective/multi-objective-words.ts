/** Cells and sentences shared by text and page. */

import { mean } from 'simple-statistics';
import { counted, duration } from '../../page/index.js';
import {
  type PopulationColumn,
  type PopulationRow,
  populationColumnNames,
  populationColumns,
} from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-data.js';

/** Explains the numbers in brackets; undefined if the rows have none. */
export function significanceNote(rows: readonly PopulationRow[]): string | undefined {
  return rows.some(({ luck }) => luck !== undefined)
    ? 'In brackets: p-value of the difference to mulstringfuzz (rank test).'
    : undefined;
}

/** Progress of the runs with a long time limit. */
export function longRunsText({
  settings: { versions, longMs },
  results,
  longRuns,
}: Pick<MultiObjectiveStudy, 'settings' | 'results' | 'longRuns'>): string {
  if (longMs === undefined) return 'No formula had a long run yet.';
  const texts = new Set(results.flatMap(({ members }) => members.map(({ text }) => text)));
  const done = [...texts].filter((text) => longRuns.has(text)).length;
  const long = `${duration(longMs)} on ${versions.at(-1)}`;
  if (texts.size === 0) return 'There is no population yet.';
  if (done === texts.size) return `Every formula of the final populations then ran for up to ${long}.`;
  return `So far, ${done} of ${counted(texts.size, 'formula')} of the final populations ran for up to ${long}. A campaign has no timeouts until all its formulas did.`;
}

export const publishedBudget =
  'As published (Table I: 24 h for each campaign, timeout 5 s, timeouts at 2,400 s, lines)';

const digits: Readonly<Record<PopulationColumn, number>> = {
  totalLines: 1,
  averageLines: 1,
  averageTimeScore: 2,
  timeouts: 1,
  averageComplexity: 2,
};

export const figureTitles: readonly string[] = [
  'campaigns',
  ...populationColumnNames.map((name) => populationColumns[name]),
];

/** A row of Table I, over its campaigns; a cell without data is empty. */
export function figureCells({ campaigns, figures, luck }: PopulationRow): readonly string[] {
  const cells = populationColumnNames.map((column) => {
    const text = meanText(figures[column], (value) => value.toFixed(digits[column]));
    return text === '' || luck === undefined ? text : `${text} (${luck[column].toFixed(2)})`;
  });
  return [String(campaigns), ...cells];
}

const publishedCampaigns = 50;

export function publishedCells(row: Readonly<Record<PopulationColumn, number>>): readonly string[] {
  return [
    String(publishedCampaigns),
    ...populationColumnNames.map((column) => row[column].toFixed(digits[column])),
  ];
}

export const sizeTitles = ['population', 'campaigns', 'time to converge', 'timeouts'] as const;

export function meanText(values: readonly number[], words: (value: number) => string): string {
  return values.length === 0 ? '' : words(mean([...values]));
}
