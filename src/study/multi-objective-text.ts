/** Table I of MulStringFuzz on a terminal and as JSON, with the published one beside it. */

import { mean } from 'simple-statistics';
import { type Ink, noInk } from '../machine/index.js';
import { duration, table } from '../report/index.js';
import {
  type PopulationColumn,
  type PopulationRow,
  populationColumnNames,
  populationColumns,
} from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-study.js';
import { publishedPopulations } from './published-multi-objective.js';

/** @param screen what a line may have; as much as it takes when left out */
export function multiObjectiveText(
  { settings, rows, counts }: MultiObjectiveStudy,
  ink: Ink = noInk,
  screen?: number,
): string {
  const { versions, forMs, workers, timeoutMs, longMs } = settings;
  return [
    `${versions.join(', ')}; ${duration(forMs)} per campaign, ${workers} workers, timeout ${duration(timeoutMs)}; ` +
      `timeouts are those at ${duration(longMs)} on ${versions.at(-1)}; ${counts} are counted`,
    rowsTable(rows, ink, screen),
    'As published (Table I: 24 h, 50 campaigns, timeout 5 s, timeouts at 2,400 s, lines):',
    publishedTable(ink, screen),
  ].join('\n\n');
}

const columns = [
  { title: 'variant' },
  ...populationColumnNames.map((name) => ({
    title: populationColumns[name],
    align: 'right' as const,
  })),
];

function rowsTable(rows: readonly PopulationRow[], ink: Ink, screen: number | undefined): string {
  const cell = ({ figures, luck }: PopulationRow, column: PopulationColumn): string => {
    const of = figures[column];
    if (of.length === 0) return '';
    const by = luck === undefined ? '' : ` (${luck[column].toFixed(2)})`;
    return `${figureText(column, mean([...of]))}${by}`;
  };
  const text = table(
    columns,
    rows.map((row) => [row.variant, ...populationColumnNames.map((column) => cell(row, column))]),
    ink,
    screen,
  );
  return rows.some(({ luck }) => luck !== undefined)
    ? `${text}\n\nIn brackets: how likely a difference to mulstringfuzz as large is by luck (rank test).`
    : text;
}

function publishedTable(ink: Ink, screen: number | undefined): string {
  return table(
    columns,
    publishedPopulations.map((row) => [
      row.variant,
      ...populationColumnNames.map((column) => figureText(column, row[column])),
    ]),
    ink,
    screen,
  );
}

const digits: Readonly<Record<PopulationColumn, number>> = {
  totalLines: 1,
  averageLines: 1,
  averageTimeScore: 2,
  timeouts: 1,
  averageComplexity: 2,
};

function figureText(column: PopulationColumn, value: number): string {
  return value.toFixed(digits[column]);
}

export function multiObjectiveJson({ settings, rows, counts, results, longRuns }: MultiObjectiveStudy) {
  return {
    settings,
    counts,
    rows: rows.map(({ variant, campaigns, figures, luck }) => ({ variant, campaigns, figures, luck })),
    campaigns: results.map(({ members, ...result }) => ({
      ...result,
      members: members.map((member) => {
        const long = longRuns.get(member.text);
        return { ...member, longOutcome: long?.outcome, longMs: long?.spentMs };
      }),
    })),
    published: publishedPopulations,
  };
}
