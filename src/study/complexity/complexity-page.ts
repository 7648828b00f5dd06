/** The complexity study as an HTML page: figures next to the published ones, and Fig. 5.7 to 5.11. */

import { Fault } from '../../machine/index.js';
import { distributionChart, html, page, pointsChart } from '../../page/index.js';
import { type ComplexityData, measuredPairs, rankPairs } from './complexity.js';
import { complexityFigures } from './complexity-figures.js';

export function complexityPage(data: ComplexityData, generator: string): string {
  const { errors, seeded, recent } = data;
  const subjects = [...new Set(errors.map(({ subject }) => subject))];
  const fixes = (some: typeof errors): readonly number[] =>
    some.flatMap(({ fixing }) => (fixing instanceof Fault ? [] : [fixing.complexity]));
  const pairs = measuredPairs(errors);
  const lived = errors.flatMap(({ days, fixing }) =>
    days === undefined || fixing instanceof Fault ? [] : [[days, fixing.complexity] as const],
  );
  const seededFixes = seeded.flatMap(({ fixing }) => (fixing instanceof Fault ? [] : [fixing.complexity]));
  const body = html`<p>${errors.length} regression errors of ${subjects.join(', ')}, and the ${recent.length} most recent commits that
change code.</p>
<div class="wide"><table><thead><tr><th>figure</th><th>here</th><th>published</th></tr></thead><tbody>${complexityFigures(
    data,
  ).map(
    ({ says, own, published }) => html`<tr><td>${says}</td><td>${own}</td><td>${published}</td></tr>
`,
  )}</tbody></table></div>
${distributionChart(
  'Complexity of the errors, by project (Fig. 5.7)',
  subjects.map((name) => ({ name, values: fixes(errors.filter(({ subject }) => subject === name)) })),
  'CyCC',
)}
${distributionChart(
  seeded.length === 0
    ? 'Complexity of all errors (Fig. 5.8, real errors)'
    : 'Complexity of all errors (Fig. 5.8)',
  [
    { name: 'real errors', values: fixes(errors) },
    ...(seeded.length === 0 ? [] : [{ name: 'seeded errors', values: seededFixes }]),
  ],
  'CyCC',
)}
${pointsChart(lived, {
  title: 'Life span and complexity (Fig. 5.9, left)',
  x: 'days',
  y: 'CyCC',
  scale: 'orders',
})}
${distributionChart('Life span (Fig. 5.9, right)', [{ name: 'errors', values: lived.map(([days]) => days) }], 'days')}
${pointsChart(
  pairs.map(({ introducing, fixing }) => [introducing, fixing] as const),
  {
    title: 'Introducing and fixing commits (Fig. 5.10, left)',
    x: 'CyCC of the introducing commit',
    y: 'CyCC of the fixing commit',
    scale: 'orders',
  },
)}
${distributionChart(
  'Introducing and fixing commits (Fig. 5.10, right)',
  [
    { name: 'introducing', values: pairs.map(({ introducing }) => introducing) },
    { name: 'fixing', values: pairs.map(({ fixing }) => fixing) },
  ],
  'CyCC',
)}
${pointsChart(
  rankPairs(recent).map(
    ({ byComplexity, byLines }) => [(byComplexity + byLines) / 2, byComplexity - byLines] as const,
  ),
  {
    title: 'Ranks by CyCC and by CLoC (Fig. 5.11, left)',
    x: 'mean of both ranks',
    y: 'difference',
    scale: 'even',
  },
)}
${pointsChart(
  recent.map(({ lines, complexity }) => [lines, complexity] as const),
  { title: 'CLoC and CyCC (Fig. 5.11, right)', x: 'CLoC', y: 'CyCC', scale: 'orders' },
)}`;
  return page('How complex are regression errors?', generator, body);
}
