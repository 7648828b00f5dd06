/** The study of strategies as one page: Table 2 and the curves of Fig. 2 and Fig. 3. */

import type { HuntSettings } from '../hunt/index.js';
import { duration, html, lineChart, type Markup, page } from '../report/index.js';
import { averageCurve, type CampaignCount, type DetectionRow } from './detection.js';

export interface DetectionSettings
  extends Pick<HuntSettings, 'culprit' | 'versions' | 'forMs' | 'workers' | 'slowness'> {
  readonly repeats: number;
  /** What is counted as a cause. */
  readonly causes: 'kinds' | 'commits';
}

export function detectionPage(
  counts: readonly CampaignCount[],
  rows: readonly DetectionRow[],
  settings: DetectionSettings,
): string {
  const { culprit, versions, forMs, workers, repeats, slowness, causes } = settings;
  const threshold =
    slowness.thresholdMs === undefined ? 'calibrated to the machine' : duration(slowness.thresholdMs);
  const title = `Which strategy finds more between ${versions.join(', ')}?`;
  const body = html`<p>${repeats} campaigns of ${duration(forMs)} for each strategy, ${workers} workers; slower means by more than a threshold
${threshold}, of at most ${duration(slowness.timeoutMs)}. Slowdowns were shrunk and confirmed after the budget, by the same rule for all.
${causes === 'kinds' ? 'Kinds stand for causes.' : 'Causes are the commits that made them slower.'}</p>
${rowsTable(rows)}
${chart('Slowdowns found (Fig. 2)', ({ testTimes }) => testTimes)}
${chart(`${causes === 'kinds' ? 'Kinds' : 'Commits'} found (Fig. 3)`, ({ causeTimes }) => causeTimes)}`;
  return page(title, culprit, body);

  function chart(name: string, timesOf: (count: CampaignCount) => readonly number[]): Markup {
    const series = rows.map(({ strategy }) => {
      const times = counts.filter((count) => count.strategy === strategy).map(timesOf);
      const points = averageCurve(times, forMs).map(({ atMs, average }) => ({ atMs, value: average }));
      return { name: strategy, points };
    });
    return lineChart(series, { title: name, endMs: forMs, shape: 'steps' });
  }
}

function rowsTable(rows: readonly DetectionRow[]): Markup {
  const titles = ['formulas', '#test min', 'max', 'avg', '#cause min', 'max', 'avg', 'by luck'];
  const cells = ({ formulas, tests, causes, luck }: DetectionRow): readonly string[] => [
    formulas.toFixed(0),
    String(tests.min),
    String(tests.max),
    tests.average.toFixed(1),
    String(causes.min),
    String(causes.max),
    causes.average.toFixed(1),
    luck === undefined ? '' : luck.toFixed(3),
  ];
  return html`<table><thead><tr><th>strategy</th>${titles.map((title) => html`<th class="number">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr><td>${row.strategy}</td>${cells(row).map((cell) => html`<td class="number">${cell}</td>`)}</tr>
`,
  )}</tbody></table>`;
}
