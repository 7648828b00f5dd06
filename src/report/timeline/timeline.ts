/** A timeline for the terminal and as a page. */

import { type ChangePoint, levelOf, type Point } from '../../history/index.js';
import { type Ink, noInk, type Style, visible } from '../../machine/index.js';
import {
  type Column,
  count,
  duration,
  hangingIndent,
  html,
  type Markup,
  naturalWidth,
  page,
  table,
  timelineChart,
} from '../../page/index.js';
import type { NamedTimeline } from './timeline-json.js';

export type TimelineMeasure = 'time' | 'effort';

/** Bar widths; the first that fits is used. */
const barWidths = [40, 30, 20, 12] as const;
const leastBar = 8;

export function timelineText(
  { name, line: { points, changes, slowdowns } }: NamedTimeline,
  by: TimelineMeasure,
  ink: Ink = noInk,
  screen?: number,
): string {
  const most = Math.max(1, ...points.map((point) => levelAt(point) ?? 0));
  const at = new Map(changes.map((change) => [change.at, change]));
  const columns: Column[] = [
    { title: 'version', wraps: true },
    { title: 'outcome' },
    ...titles[by].map((title) => ({ title, align: 'right' as const })),
    { title: '' },
    { title: '', style: changeStyle, wraps: true },
  ];
  const rowsWith = (longest: number): readonly (readonly string[])[] =>
    points.map((point, number) => [
      point.name,
      point.outcome ?? '',
      ...measures(point, by),
      bar(levelAt(point), most, longest),
      noteOn(point, at.get(number)),
    ]);
  // Bars shrink before text wraps.
  const isFitting = (longest: number): boolean =>
    screen === undefined || naturalWidth(columns, rowsWith(longest)) <= screen;
  const longest = barWidths.find(isFitting) ?? leastBar;
  const shown = table(columns, rowsWith(longest), ink, screen);
  return visible(`${hangingIndent('', `${name} ${timesText(slowdowns)}.`, screen)}\n\n${shown}`);
}

function changeStyle(note: string): Style | undefined {
  if (note.startsWith('slower')) return 'bad';
  return note.startsWith('quicker') ? 'good' : undefined;
}

const titles: Readonly<Record<TimelineMeasure, readonly string[]>> = {
  time: ['processor time', 'effort'],
  effort: ['effort'],
};

function levelAt({ observation }: Point): number | undefined {
  return observation.kind === 'measured' ? levelOf(observation.samples) : undefined;
}

/** The compared measure, and the effort next to a time. */
function measures(point: Point, by: TimelineMeasure): readonly string[] {
  const level = levelAt(point);
  // A run that timed out would have taken longer.
  const than = point.outcome === 'timeout' || point.outcome === 'memout' ? '>' : '';
  const words = by === 'time' ? duration : count;
  const compared = level === undefined ? '' : `${than}${words(level)}`;
  if (by === 'effort') return [compared];
  return [compared, point.effort === undefined ? '' : count(point.effort)];
}

function noteOn({ observation }: Point, change: ChangePoint | undefined): string {
  if (observation.kind === 'unmeasured') return observation.fault.message;
  return change === undefined ? '' : changeText(change);
}

function timesText(slowdowns: number | undefined): string {
  if (slowdowns === undefined) return 'was measured on fewer than two versions';
  if (slowdowns === 0) return 'never became slow';
  return slowdowns === 1 ? 'became slow once' : `became slow ${slowdowns} times`;
}

/** Starts at zero, so that lengths are proportional. */
function bar(level: number | undefined, most: number, longest: number): string {
  return level === undefined ? '' : '█'.repeat(Math.max(1, Math.round((longest * level) / most)));
}

/** Timelines of several cases as one self-contained page. */
export function timelineHtml(
  cases: readonly NamedTimeline[],
  by: TimelineMeasure,
  generator: string,
): string {
  const charts = cases.map(({ name, line: { points, changes, slowdowns } }) => {
    const at = new Map(changes.map((change) => [change.at, change.direction]));
    const course = points.map((point, number) => ({
      name: point.name,
      level: levelAt(point),
      change: at.get(number),
    }));
    const [measure = ''] = titles[by];
    const title = `${name} ${timesText(slowdowns)}: ${measure}`;
    return html`${timelineChart(title, course, by === 'time' ? 'ms' : 'effort')}
${pointTable(points, new Map(changes.map((change) => [change.at, change])), by)}`;
  });
  return page('Timelines', generator, html`${charts}`);
}

function pointTable(
  points: readonly Point[],
  changes: ReadonlyMap<number, ChangePoint>,
  by: TimelineMeasure,
): Markup {
  const rows = points.map((point, at) => {
    // On a phone, a cell after empty ones would be out of view.
    if (point.outcome === undefined && point.observation.kind === 'unmeasured')
      return html`<tr><td>${point.name}</td><td class="quiet" colspan="${titles[by].length + 2}">${noteOn(point, undefined)}</td></tr>
`;
    const note = noteOn(point, changes.get(at));
    const cells = measures(point, by).map((text) => html`<td class="number">${text}</td>`);
    return html`<tr><td>${point.name}</td><td>${point.outcome ?? ''}</td>${cells}<td class="note ${changeStyle(note) ?? ''}">${note}</td></tr>
`;
  });
  const heads = titles[by].map((title) => html`<th class="number">${title}</th>`);
  return html`<div class="wide"><table><thead><tr><th>version</th><th>outcome</th>${heads}<th></th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function changeText({ direction, confidence, samples: [before, after] }: ChangePoint): string {
  if (before === 1 && after === 1) return `${direction} (seen once)`;
  return `${direction} (${(100 * Math.min(confidence, 0.999)).toFixed(1)} % sure)`;
}
