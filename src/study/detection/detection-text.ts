/** Table 2 of SPRFinder as text, followed by the published table. */

import { type Ink, noInk } from '../../machine/index.js';
import { duration, shellWord, table } from '../../page/index.js';
import { thresholdText } from '../../report/index.js';
import type { DetectionRow } from './detection.js';
import type { DetectionStudy } from './detection-study.js';
import { type CauseMeasure, publishedTitles, rowTitles, spreadCells } from './detection-words.js';
import { publishedDetection } from './published-detection.js';
import { releasesText } from './releases-text.js';

/** @param screen the maximum line width; unlimited if undefined */
export function detectionText(
  { settings, rows, out, page, releases, campaigns }: DetectionStudy,
  ink: Ink = noInk,
  screen?: number,
): string {
  const { versions, forMs, workers, slowness, causes } = settings;
  const strategies = rows.map(({ strategy }) => strategy);
  return [
    `${versions.join(', ')}; ${duration(forMs)} per campaign, ${workers} workers, ` +
      `threshold ${thresholdText(slowness)}, timeout ${duration(slowness.timeoutMs)}; causes are ${causes}`,
    rowsTable(rows, causes, ink, screen),
    ...(releases === undefined ? [] : [releasesText(releases, campaigns, strategies, ink, screen)]),
    `As published (Table 2: 12 h, five campaigns, slower by 10 s of 20 s):`,
    publishedTable(ink, screen),
    `Curves: ${page ?? `culprit report ${shellWord(out)} --html curves.html`}`,
  ].join('\n\n');
}

function rowsTable(
  rows: readonly DetectionRow[],
  measure: CauseMeasure,
  ink: Ink,
  screen: number | undefined,
): string {
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
    ink,
    screen,
  );
}

function publishedTable(ink: Ink, screen: number | undefined): string {
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
    ink,
    screen,
  );
}
