/** Table 2 of SPRFinder on a terminal. */

import { duration, table } from '../report/index.js';
import type { DetectionRow, Spread } from './detection.js';
import type { DetectionStudy } from './detection-study.js';

export function detectionText({ settings, rows, page }: DetectionStudy): string {
  const { versions, forMs, workers, slowness, causes } = settings;
  const threshold = slowness.thresholdMs === undefined ? 'calibrated' : duration(slowness.thresholdMs);
  return (
    `${versions.join(', ')}; ${duration(forMs)} per campaign, ${workers} workers, ` +
    `threshold ${threshold}, timeout ${duration(slowness.timeoutMs)}; causes are ${causes}\n\n` +
    `${rowsTable(rows)}\n\nCurves: ${page}`
  );
}

function rowsTable(rows: readonly DetectionRow[]): string {
  const titles = ['formulas', '#test min', 'max', 'avg', '#cause min', 'max', 'avg', 'by luck'];
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

function spreadCells({ min, max, average }: Spread): readonly string[] {
  return [String(min), String(max), average.toFixed(1)];
}
