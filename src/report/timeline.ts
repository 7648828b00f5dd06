/** A case over versions on a terminal and as JSON. */

import { levelOf } from '../history/levels.js';
import type { Timeline } from '../history/timeline.js';
import { count, duration } from './quantities.js';
import { type Column, table } from './table.js';
import { visible } from './visible.js';

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
    { title: by, align: 'right' },
    { title: '' },
    { title: '' },
  ];
  const rows = points.map(({ name: version, observation }, i) => {
    if (observation.kind === 'silent') return [version, '', '', observation.why];
    const level = levelOf(observation.samples);
    const change = at.get(i);
    return [
      version,
      by === 'time' ? duration(level) : count(level),
      bar(level, least, most),
      change === undefined ? '' : `${change.direction} (${sure(change.confidence)})`,
    ];
  });
  const times =
    slowdowns === 0
      ? 'never became slow'
      : slowdowns === 1
        ? 'became slow once'
        : `became slow ${slowdowns} times`;
  return visible(`${name} ${times}.\n\n${table(columns, rows)}`);
}

/** By its logarithm: what matters are factors. */
function bar(level: number, least: number, most: number): string {
  const share = most === least ? 0 : Math.log(Math.max(level, least) / least) / Math.log(most / least);
  return '█'.repeat(1 + Math.round((barWidth - 1) * share));
}

function sure(confidence: number): string {
  return `${(100 * Math.min(confidence, 0.999)).toFixed(1)} % sure`;
}

export function timelineJson(name: string, { points, changes, slowdowns }: Timeline): unknown {
  return {
    case: name,
    slowdowns,
    points: points.map(({ name: version, observation }) => ({ version, ...observation })),
    changes: changes.map((one) => ({
      ...one,
      before: points[one.before]?.name,
      at: points[one.at]?.name,
    })),
  };
}
