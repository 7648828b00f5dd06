/** Chapter 5.5 of the thesis on a terminal: its figures beside the published ones. */

import { median } from 'simple-statistics';
import { table } from '../report/index.js';
import { type ComplexityData, complexityFindings, type Measured, type MeasuredError } from './complexity.js';

export function complexityStudyText(data: ComplexityData): string {
  const figures = table(
    [{ title: 'what' }, { title: 'here', align: 'right' }, { title: 'published', align: 'right' }],
    complexityFindings(data).map(({ says, own, published }) => [says, own, published]),
  );
  return [figures, '', ...timeLine(data), ...data.errors.flatMap(notMeasured)].join('\n');
}

function timeLine({ errors, recent }: ComplexityData): readonly string[] {
  const commits = [...errors.flatMap(({ introducing, fixing }) => [introducing, fixing]), ...recent];
  const times = commits.flatMap((commit) => (typeof commit === 'string' ? [] : [commit.ownMs]));
  if (times.length === 0) return [];
  return [`${times.length} commits, ${Math.round(median(times))} ms each in the median besides the compiler`];
}

function notMeasured({ subject, error, introducing, fixing }: MeasuredError): readonly string[] {
  const why = (role: string, id: string, measured: Measured | string): readonly string[] =>
    typeof measured === 'string' ? [`not measured: ${subject} ${id.slice(0, 10)}, ${role}: ${measured}`] : [];
  return [...why('introducing', error.introducing, introducing), ...why('fixing', error.fixing, fixing)];
}
