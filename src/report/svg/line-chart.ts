/** Several things over the time of a campaign. */

import { html, type Markup } from '../markup.js';
import { axes, emptyNote, type Frame, frame } from './axes.js';
import { shortLabel } from './label.js';
import { linearScale, type Scale, shortNumber, shortTime, timeScale } from './scale.js';

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
}

export interface LineChartOptions {
  readonly title: string;
  /** When the campaign ended: a chart shows all of its time. */
  readonly endMs: number;
  /** `steps`: a value holds until the next one, such as a count. `lines`: it is on its way there. */
  readonly shape?: 'lines' | 'steps';
  /** The values are counts. */
  readonly isWhole?: boolean;
  readonly size?: 'wide' | 'small';
}

/** How many series have a colour of their own. */
export const mostSeries = 8;

const frames: Readonly<Record<'wide' | 'small', Frame>> = { wide: frame(720, 260), small: frame(340, 170) };

/** A figure with its legend; it draws the first eight series. */
export function lineChart(series: readonly Series[], options: LineChartOptions): Markup {
  const { title, shape = 'lines', isWhole = false, size = 'wide' } = options;
  const shown = series.slice(0, mostSeries);
  const points = shown.flatMap((series) => series.points);
  const endMs = points.reduce((end, { atMs }) => Math.max(end, atMs), options.endMs);
  const box = frames[size];
  const across = timeScale(endMs, box.x);
  const up = linearScale(
    points.map((point) => point.value),
    box.y,
    { isWhole },
  );
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: 'time' })}${shown.map(
    (line, at) => html`<g class="series-${at}">${drawn(line, across, up, shape)}</g>`,
  )}${points.length === 0 ? emptyNote(box) : undefined}</svg>
${shown.length > 1 ? legend(shown) : undefined}</figure>`;
}

function drawn(series: Series, across: Scale, up: Scale, shape: 'lines' | 'steps'): Markup {
  const places = thinned(
    series.points.map(({ atMs, value }) => ({ x: across.place(atMs), y: up.place(value), atMs, value })),
  );
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return html``;
  const moves = places
    .slice(1)
    .map(({ x, y }) => (shape === 'steps' ? `H${x}V${y}` : `L${x} ${y}`))
    .join('');
  const name = shortLabel(series.name);
  return html`<path d="M${first.x} ${first.y}${moves}"><title>${name}</title></path><circle cx="${last.x}" cy="${last.y}" r="3"><title>${name}: ${shortNumber(last.value)} at ${shortTime(last.atMs)}</title></circle>`;
}

interface PlacedPoint {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  readonly value: number;
}

/** Of the points that fall on one spot of the screen, the last. */
function thinned(places: readonly PlacedPoint[]): readonly PlacedPoint[] {
  return places.filter((place, at) => {
    const next = places[at + 1];
    return next === undefined || Math.round(next.x) !== Math.round(place.x);
  });
}

function legend(series: readonly Series[]): Markup {
  return html`<ul class="legend">${series.map(({ name, points }, at) => {
    const last = points.at(-1);
    return html`<li class="series-${at}" title="${name}">${shortLabel(name)}${last === undefined ? undefined : html` <b>${shortNumber(last.value)}</b>`}</li>`;
  })}</ul>`;
}
