/** A case over versions on a terminal and as JSON. */

import { type ChangePoint, levelOf, type Point, type Timeline } from '../history/index.js';
import { visible } from '../machine/index.js';
import { html, type Markup } from './markup.js';
import { page } from './page/shell.js';
import { count, duration } from './quantities.js';
import { courseChart } from './svg/course.js';
import { type Column, table } from './table.js';

export type TimelineMeasure = 'time' | 'effort';

/** Longest bar of the chart. */
const barWidth = 40;

export function timelineText(
  name: string,
  { points, changes, slowdowns }: Timeline,
  by: TimelineMeasure,
): string {
  const levels = points.flatMap(({ observation }) =>
    observation.kind === 'measured' ? [levelOf(observation.samples)] : [],
  );
  const [least, most] = [Math.max(1, Math.min(...levels)), Math.max(1, ...levels)];
  const at = new Map(changes.map((change) => [change.at, change]));
  const columns: Column[] = [
    { title: 'version' },
    { title: 'outcome' },
    { title: by, align: 'right' },
    ...(by === 'time' ? [{ title: 'effort', align: 'right' as const }] : []),
    { title: '' },
    { title: '' },
  ];
  const rows = points.map(({ name: version, outcome = '', effort, observation }, i) => {
    const told = by === 'time' ? [effort === undefined ? '' : count(effort)] : [];
    if (observation.kind === 'unmeasured')
      return [version, outcome, '', ...told, '', observation.fault.message];
    const level = levelOf(observation.samples);
    const change = at.get(i);
    return [
      version,
      outcome,
      by === 'time' ? duration(level) : count(level),
      ...told,
      bar(level, least, most),
      change === undefined ? '' : changeText(change),
    ];
  });
  return visible(`${name} ${timesText(slowdowns)}.\n\n${table(columns, rows)}`);
}

function timesText(slowdowns: number | undefined): string {
  if (slowdowns === undefined) return 'could not be measured on two versions';
  if (slowdowns === 0) return 'never became slow';
  return slowdowns === 1 ? 'became slow once' : `became slow ${slowdowns} times`;
}

/** By its logarithm: what matters are factors. */
function bar(level: number, least: number, most: number): string {
  const share = most === least ? 0 : Math.log(Math.max(level, least) / least) / Math.log(most / least);
  return '█'.repeat(1 + Math.round((barWidth - 1) * share));
}

function sure(confidence: number): string {
  return `${(100 * Math.min(confidence, 0.999)).toFixed(1)} % sure`;
}

/** Timelines of several cases as one page that needs nothing but itself. */
export function timelineHtml(
  cases: readonly { readonly name: string; readonly line: Timeline }[],
  by: TimelineMeasure,
  generator: string,
): string {
  const charts = cases.map(({ name, line: { points, changes, slowdowns } }) => {
    const at = new Map(changes.map((change) => [change.at, change.direction]));
    const course = points.map(({ name: version, observation }, i) => ({
      name: version,
      level: observation.kind === 'measured' ? levelOf(observation.samples) : undefined,
      change: at.get(i),
    }));
    return html`${courseChart(`${name} ${timesText(slowdowns)}`, course, by === 'time' ? 'ms' : 'effort')}
${pointTable(points, new Map(changes.map((change) => [change.at, change])))}`;
  });
  return page('From version to version', generator, html`${charts}`);
}

function pointTable(points: readonly Point[], changes: ReadonlyMap<number, ChangePoint>): Markup {
  const rows = points.map(({ name, outcome = '', ms, effort, observation }, at) => {
    const change = changes.get(at);
    const note =
      observation.kind === 'unmeasured'
        ? observation.fault.message
        : change === undefined
          ? ''
          : changeText(change);
    return html`<tr><td>${name}</td><td>${outcome}</td><td class="number">${ms === undefined ? '' : duration(ms)}</td><td class="number">${effort === undefined ? '' : count(effort)}</td><td>${note}</td></tr>
`;
  });
  return html`<table><thead><tr><th>version</th><th>outcome</th><th class="number">time</th><th class="number">effort</th><th></th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function changeText({ direction, confidence }: ChangePoint): string {
  return `${direction} (${sure(confidence)})`;
}

export function timelineJson(name: string, { points, changes, slowdowns }: Timeline): unknown {
  return {
    case: name,
    slowdowns,
    points: points.map(({ name: version, observation, ...rest }) => ({
      version,
      ...rest,
      ...(observation.kind === 'unmeasured'
        ? { kind: 'silent', why: observation.fault.message }
        : observation),
    })),
    changes: changes.map((change) => ({
      ...change,
      before: points[change.before]?.name,
      at: points[change.at]?.name,
    })),
  };
}
