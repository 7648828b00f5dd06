/** Table I of MulStringFuzz as text and JSON, next to the published table. */

import { type Ink, noInk } from '../../machine/index.js';
import { counted, duration, shellWord, table } from '../../page/index.js';
import type { PopulationRow } from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-data.js';
import type { SizeRow } from './multi-objective-figures.js';
import {
  figureCells,
  figureTitles,
  longRunsText,
  meanText,
  publishedBudget,
  publishedCells,
  significanceNote,
  sizeTitles,
} from './multi-objective-words.js';
import { publishedPopulations } from './published-multi-objective.js';

/** @param screen the maximum line width; unlimited if undefined */
export function multiObjectiveText(study: MultiObjectiveStudy, ink: Ink = noInk, screen?: number): string {
  const { settings, rows, counts, sizes, out, page } = study;
  const { versions, forMs, workers, timeoutMs } = settings;
  return [
    `${versions.join(', ')}; ${duration(forMs)} per campaign, ${counted(workers, 'worker')}, timeout ${duration(timeoutMs)}; ` +
      `${counts} are counted. ${longRunsText(study)}`,
    rowsTable(rows, ink, screen),
    ...(sizes.length === 0 ? [] : [sizesTable(sizes, ink, screen)]),
    `${publishedBudget}:`,
    publishedTable(ink, screen),
    `Figures: ${page ?? `culprit report ${shellWord(out)} --html figures.html`}`,
  ].join('\n\n');
}

const columns = [{ title: 'variant' }, ...figureTitles.map((title) => ({ title, align: 'right' as const }))];

function rowsTable(rows: readonly PopulationRow[], ink: Ink, screen: number | undefined): string {
  const text = table(
    columns,
    rows.map((row) => [row.variant, ...figureCells(row)]),
    ink,
    screen,
  );
  const note = significanceNote(rows);
  return note === undefined ? text : `${text}\n\n${note}`;
}

function sizesTable(sizes: readonly SizeRow[], ink: Ink, screen: number | undefined): string {
  return table(
    sizeTitles.map((title) => ({ title, align: 'right' as const })),
    sizes.map(({ population, campaigns, convergedMs, timeouts }) => [
      String(population),
      String(campaigns),
      meanText(convergedMs, duration),
      meanText(timeouts, (value) => value.toFixed(1)),
    ]),
    ink,
    screen,
  );
}

function publishedTable(ink: Ink, screen: number | undefined): string {
  return table(
    columns,
    publishedPopulations.map((row) => [row.variant, ...publishedCells(row)]),
    ink,
    screen,
  );
}

export function multiObjectiveJson({
  settings,
  rows,
  counts,
  results,
  sizes,
  longRuns,
}: MultiObjectiveStudy) {
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
    sizes,
    published: publishedPopulations,
  };
}
