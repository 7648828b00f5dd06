/** The cells and the sentences that the terminal and the page have in common. */

import { mean } from 'simple-statistics';
import { type PopulationColumn, type PopulationRow, populationColumnNames } from './multi-objective.js';

export const luckNote =
  'In brackets: how likely a difference to mulstringfuzz as large is by luck (rank test).';
export const publishedBudget =
  'As published (Table I: 24 h, 50 campaigns, timeout 5 s, timeouts at 2,400 s, lines)';

const digits: Readonly<Record<PopulationColumn, number>> = {
  totalLines: 1,
  averageLines: 1,
  averageTimeScore: 2,
  timeouts: 1,
  averageComplexity: 2,
};

/** A row of Table I, over its campaigns; empty where none tells it. */
export function figureCells({ figures, luck }: PopulationRow): readonly string[] {
  return populationColumnNames.map((column) => {
    const text = meanText(figures[column], (value) => value.toFixed(digits[column]));
    return text === '' || luck === undefined ? text : `${text} (${luck[column].toFixed(2)})`;
  });
}

export function publishedCells(row: Readonly<Record<PopulationColumn, number>>): readonly string[] {
  return populationColumnNames.map((column) => row[column].toFixed(digits[column]));
}

/** The columns about sizes of the population. */
export const sizeTitles = ['population', 'campaigns', 'time to converge', 'timeouts'] as const;

export function meanText(values: readonly number[], words: (value: number) => string): string {
  return values.length === 0 ? '' : words(mean([...values]));
}
