/** The detection study as an HTML page: Table 2 and the curves of Fig. 2 and Fig. 3. */

import type { HuntSettings } from '../../hunt/index.js';
import { duration, html, lineChart, type Markup, page, timelineChart } from '../../page/index.js';
import { thresholdText } from '../../report/index.js';
import { numbersTable } from '../numbers-table.js';
import { averageCurve, type CampaignCount, type CampaignResult, type DetectionRow } from './detection.js';
import { type CauseMeasure, causeWords, publishedTitles, rowTitles, spreadCells } from './detection-words.js';
import { publishedDetection } from './published-detection.js';
import { type ReleaseFindings, releaseRows } from './releases-text.js';

export interface DetectionSettings
  extends Pick<HuntSettings, 'culprit' | 'versions' | 'forMs' | 'workers' | 'slowness'> {
  readonly repeats: number;
  readonly causes: CauseMeasure;
}

const causeSentences: Readonly<Record<CauseMeasure, string>> = {
  kinds: 'Kinds approximate causes.',
  commits: 'Causes are the commits that made them slower.',
  releases: 'Causes are the releases that made them slower.',
};

export interface DetectionReport {
  readonly counts: readonly CampaignCount[];
  readonly campaigns: readonly CampaignResult[];
  readonly rows: readonly DetectionRow[];
  readonly releases: ReleaseFindings | undefined;
}

export function detectionPage(
  { counts, campaigns, rows, releases }: DetectionReport,
  settings: DetectionSettings,
): string {
  const { culprit, versions, forMs, workers, repeats, slowness, causes } = settings;
  const title = `Which strategy finds more between ${versions.join(', ')}?`;
  const body = html`<p>${repeats} campaigns of ${duration(forMs)} for each strategy, ${workers} workers; slower means by more than a threshold
${thresholdText(slowness)}, of at most ${duration(slowness.timeoutMs)}. Slowdowns were reduced and confirmed after the budget, by the same rule for all.
${causeSentences[causes]}</p>
${rowsTable(rows, causes)}
${chart('Slowdowns found (Fig. 2)', ({ testTimes }) => testTimes)}
${chart(`${causeWords[causes].slice(1)}s found (Fig. 3)`, ({ causeTimes }) => causeTimes)}
${releases === undefined ? undefined : releaseSection(releases, campaigns, rows)}
<h2>As published</h2><p>Table 2 of the paper: 12 hours, five campaigns, slower by 10 s of 20 s.</p>
${publishedTable()}`;
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

function rowsTable(rows: readonly DetectionRow[], measure: CauseMeasure): Markup {
  return numbersTable(
    ['strategy'],
    rowTitles(measure),
    rows.map(({ strategy, formulas, tests, causes, luck }) => ({
      heads: [strategy],
      cells: [
        formulas.toFixed(0),
        ...spreadCells(tests),
        ...spreadCells(causes),
        luck === undefined ? '' : luck.toFixed(3),
      ],
    })),
  );
}

function publishedTable(): Markup {
  return numbersTable(
    ['strategy', 'solver'],
    publishedTitles,
    publishedDetection.map(({ strategy, solver, tests, commits }) => ({
      heads: [strategy, solver],
      cells: [...spreadCells(tests), ...spreadCells(commits)],
    })),
  );
}

/** The page draws at most this many timelines. */
const mostTimelines = 40;

function releaseSection(
  found: ReleaseFindings,
  campaigns: readonly CampaignResult[],
  rows: readonly DetectionRow[],
): Markup {
  const strategies = rows.map(({ strategy }) => strategy);
  const courses = [...found.courses.values()].slice(0, mostTimelines);
  return html`<h2>Slower since which release?</h2>
${numbersTable(
  ['release'],
  ['formulas', ...strategies],
  releaseRows(found, campaigns).map(({ release, findings, by }) => ({
    heads: [release],
    cells: [String(findings), ...strategies.map((strategy) => String(by.get(strategy) ?? 0))],
  })),
)}
${courses.map((course, at) => {
  const steps = found.steps.get(course.text) ?? [];
  const points = course.points.map(({ release, level }) => ({
    name: release,
    level: level ?? undefined,
    change: steps.find((step) => step.release === release)?.direction,
  }));
  return html`${timelineChart(`Finding ${at + 1} of ${found.courses.size}`, points, course.by === 'effort' ? 'effort' : 'ms')}
<details><summary>formula</summary><pre>${course.text}</pre></details>`;
})}`;
}
