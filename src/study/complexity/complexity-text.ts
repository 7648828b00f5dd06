/** Chapter 5.5 of the thesis as text: figures next to the published ones. */

import { median } from 'simple-statistics';
import { Fault, type Ink, noInk } from '../../machine/index.js';
import { table } from '../../page/index.js';
import type { ComplexityData, MeasuredError } from './complexity.js';
import { complexityFigures } from './complexity-figures.js';
import type { SeededError } from './seeded-errors.js';

/** @param screen the maximum line width; unlimited if undefined */
export function complexityStudyText(data: ComplexityData, ink: Ink = noInk, screen?: number): string {
  const figures = table(
    [
      { title: 'figure', wraps: true },
      { title: 'here', align: 'right' },
      { title: 'published', align: 'right' },
    ],
    complexityFigures(data).map(({ says, own, published }) => [says, own, published]),
    ink,
    screen,
  );
  return [
    figures,
    '',
    ...timeLine(data),
    ...data.errors.flatMap(notMeasured),
    ...data.seeded.flatMap(notSeeded),
  ].join('\n');
}

function timeLine({ errors, seeded, recent }: ComplexityData): readonly string[] {
  const commits = [...errors.flatMap(({ introducing, fixing }) => [introducing, fixing]), ...recent];
  const seededFixes = seeded.map(({ fixing }) => fixing);
  const times = [...commits, ...seededFixes].flatMap((commit) =>
    commit instanceof Fault ? [] : [commit.ownMs],
  );
  if (times.length === 0) return [];
  return [`${times.length} changes; median ${Math.round(median(times))} ms each, without the compiler`];
}

function notMeasured({ subject, error, introducing, fixing }: MeasuredError): readonly string[] {
  const why = (role: string, id: string, measured: object): readonly string[] =>
    measured instanceof Fault
      ? [`not measured: ${subject} ${id.slice(0, 10)}, ${role}: ${measured.message}`]
      : [];
  return [...why('introducing', error.introducing, introducing), ...why('fixing', error.fixing, fixing)];
}

function notSeeded({ subject, version, fixing }: SeededError): readonly string[] {
  return fixing instanceof Fault ? [`not measured: ${subject} ${version}: ${fixing.message}`] : [];
}
