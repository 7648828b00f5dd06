/** Table 2 of SPRFinder on a terminal, with the published one below. */

import { duration, table, thresholdText } from '../report/index.js';
import type { DetectionRow } from './detection.js';
import type { DetectionStudy } from './detection-study.js';
import { type CauseMeasure, publishedTitles, rowTitles, spreadCells } from './detection-words.js';
import { publishedDetection } from './published-detection.js';
import { releasesText } from './releases-text.js';

export function detectionText({ settings, rows, page, releases, campaigns }: DetectionStudy): string {
  const { versions, forMs, workers, slowness, causes } = settings;
  const strategies = rows.map(({ strategy }) => strategy);
  return [
    `${versions.join(', ')}; ${duration(forMs)} per campaign, ${workers} workers, ` +
      `threshold ${thresholdText(slowness)}, timeout ${duration(slowness.timeoutMs)}; causes are ${causes}`,
    rowsTable(rows, causes),
    ...(releases === undefined ? [] : [releasesText(releases, campaigns, strategies)]),
    `As published (Table 2: 12 h, five campaigns, slower by 10 s of 20 s):`,
    publishedTable(),
    `Curves: ${page}`,
  ].join('\n\n');
}

function rowsTable(rows: readonly DetectionRow[], measure: CauseMeasure): string {
  const titles = rowTitles(measure);
  return table(
    [{ title: 'strategy' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows.map(({ strategy, formulas, tests, causes, luck }) => [
      strategy,
      formulas.toFixed(0),
      ...spreadCells(tests),
      ...spreadCells(causes),
      luck === undefined ? '' : luck.toFixed(3),
    ]),
  );
}

function publishedTable(): string {
  return table(
    [
      { title: 'strategy' },
      { title: 'solver' },
      ...publishedTitles.map((title) => ({ title, align: 'right' as const })),
    ],
    publishedDetection.map(({ strategy, solver, tests, commits }) => [
      strategy,
      solver,
      ...spreadCells(tests),
      ...spreadCells(commits),
    ]),
  );
}
