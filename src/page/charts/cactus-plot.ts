/** Cactus plot: the times of each series, sorted. */

import { html, type Markup } from '../markup.js';
import { duration } from '../quantities.js';
import { axes, emptyNote, frame } from './axes.js';
import { shortLabel } from './label.js';
import { mostSeries } from './line-chart.js';
import { linearScale, logScale } from './scale.js';

export interface TimeSeries {
  readonly name: string;
  readonly times: readonly number[];
}

const box = frame(720, 360, { hasTitle: true });

/** Draws the first eight series. */
export function cactusPlot(series: readonly TimeSeries[], title: string): Markup {
  const shown = series.slice(0, mostSeries).map(({ name, times }) => ({
    name: shortLabel(name),
    times: times.toSorted((a, b) => a - b),
  }));
  const most = shown.reduce((length, { times }) => Math.max(length, times.length), 0);
  const across = linearScale([0, Math.max(1, most)], box.x, { isWhole: true });
  const up = logScale(
    shown.flatMap(({ times }) => times),
    box.y,
  );
  const line = (times: readonly number[]): string =>
    times.map((ms, at) => `${at === 0 ? 'M' : 'L'}${across.place(at + 1)} ${up.place(ms)}`).join('');
  const dots = (times: readonly number[]): readonly Markup[] =>
    times.length > mostDots
      ? []
      : times.map(
          (ms, at) =>
            html`<circle cx="${across.place(at + 1)}" cy="${up.place(ms)}" r="2.5"><title>${at + 1} within ${duration(ms)}</title></circle>`,
        );
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: 'formulas', y: 'time' })}${shown.map(
    ({ name, times }, at) =>
      html`<g class="series-${at}">${times.length === 0 ? undefined : html`<path d="${line(times)}"><title>${name}</title></path>`}${dots(times)}</g>`,
  )}${most === 0 ? emptyNote(box) : undefined}</svg>
<ul class="legend">${shown.map(({ name, times }, at) => html`<li class="series-${at}">${name} <b>${times.length}</b></li>`)}</ul></figure>`;
}

/** More dots would merge into a thick line and be slow to draw. */
const mostDots = 200;
