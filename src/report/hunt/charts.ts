/** The timeline of a campaign as charts. */

import type { HuntData } from '../../hunt/index.js';
import { lookUp } from '../../machine/index.js';
import { html, lineChart, type Markup, mostSeries, type Series, scatter } from '../../page/index.js';

export function chartsSection(data: HuntData): Markup {
  return html`<section id="course"><h2>How the hunt went</h2>
${foundOverTime(data)}
${timeAgainstTime(data)}
${beliefsOverTime(data)}
${parametersOverTime(data)}
</section>`;
}

function foundOverTime({ curve, elapsedMs }: HuntData): Markup {
  const counted = (name: string, value: (point: HuntData['curve'][number]) => number): Series => {
    const points = curve.map((point) => ({ atMs: point.atMs, value: value(point) }));
    const end = { atMs: elapsedMs, value: points.at(-1)?.value ?? 0 };
    return { name, points: [{ atMs: 0, value: 0 }, ...points, end] };
  };
  return lineChart(
    [
      counted('slowdowns', (point) => point.slowdowns),
      counted('findings', (point) => point.findings),
      counted('kinds', (point) => point.groups),
    ],
    { title: 'Found over time', endMs: elapsedMs, shape: 'steps', isWhole: true },
  );
}

function timeAgainstTime({ scatter: dots, settings }: HuntData): Markup {
  const others = settings.versions.slice(0, -1);
  return scatter(dots, {
    title: 'Old against new time of each formula',
    reference: others.length === 1 ? `time on ${others[0]}` : 'best time of the older versions',
    newest: `time on ${settings.versions.at(-1)}`,
  });
}

function beliefsOverTime({ views, elapsedMs, settings }: HuntData): Markup {
  const atTheEnd = (views.at(-1)?.beliefs ?? []).toSorted((a, b) => b.mean - a.mean);
  const actions = [...new Set(atTheEnd.map((belief) => belief.action))].slice(0, mostSeries);
  if (actions.length === 0)
    return html`<p class="quiet">${settings.strategy} has no preference among actions.</p>`;
  const series = actions.map(
    (action): Series => ({
      name: action,
      points: views.flatMap(({ at, beliefs }) =>
        beliefs
          .filter((belief) => belief.action === action)
          .map((belief) => ({ atMs: at, value: belief.mean })),
      ),
    }),
  );
  return lineChart(series, { title: "The strategy's estimates over time", endMs: elapsedMs });
}

/** One chart each: a depth of 3 and a length of 1,000 cannot share an axis. */
function parametersOverTime({ views, elapsedMs }: HuntData): Markup {
  const names = [...new Set(views.flatMap((view) => Object.keys(view.parameters)))].slice(0, mostParameters);
  if (names.length === 0) return html`<p class="quiet">The generator's parameters did not change.</p>`;
  const charts = names.map((name) =>
    lineChart(
      [
        {
          name,
          points: views.flatMap(({ at, parameters }) => {
            const value = lookUp(parameters, name);
            return value === undefined ? [] : [{ atMs: at, value }];
          }),
        },
      ],
      { title: name, endMs: elapsedMs, size: 'small' },
    ),
  );
  return html`<h3>The generator's parameters over time</h3><div class="small-charts">${charts}</div>`;
}

/** No strategy has more. */
const mostParameters = 24;
