/** Line charts over time or another number. */

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
  /** The end of the campaign; the chart covers all of its time. */
  readonly endMs: number;
  /** `steps`: a value holds until the next one, such as a count. `lines`: values are interpolated. */
  readonly shape?: 'lines' | 'steps';
  readonly isWhole?: boolean;
  readonly size?: 'wide' | 'small';
}

/** The number of colours for series. */
export const mostSeries = 8;

const frames: Readonly<Record<'wide' | 'small', Frame>> = { wide: frame(720, 260), small: frame(340, 170) };

/** A figure with its legend. It draws the first eight series. */
export function lineChart(series: readonly Series[], options: LineChartOptions): Markup {
  const { endMs, size = 'wide' } = options;
  const curves = series.map(({ name, points }) => ({
    name,
    points: points.map(({ atMs, value }) => ({ at: atMs, value })),
  }));
  const end = largestPosition(curves, endMs);
  const across = timeScale(end, frames[size].x);
  return figure(curves, { ...options, box: frames[size], across, x: 'time', words: shortTime });
}

export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

export interface CurvesOptions extends Pick<LineChartOptions, 'title' | 'isWhole'> {
  /** The horizontal unit, such as `generations`. */
  readonly x: string;
  /** Each point has a dot; otherwise only the last. */
  readonly hasDots?: boolean;
}

/** Like `lineChart`, over numbers other than times. */
export function curvesChart(curves: readonly Curve[], options: CurvesOptions): Markup {
  const box = frames.wide;
  const across = linearScale([0, largestPosition(curves, 1)], box.x, { isWhole: true });
  const words = (at: number): string => `${shortNumber(at)} ${options.x}`;
  return figure(curves, { ...options, box, across, words });
}

function largestPosition(curves: readonly Curve[], least: number): number {
  return curves
    .slice(0, mostSeries)
    .flatMap(({ points }) => points)
    .reduce((end, { at }) => Math.max(end, at), least);
}

interface Drawing extends Pick<LineChartOptions, 'title' | 'shape' | 'isWhole'> {
  readonly box: Frame;
  readonly across: Scale;
  readonly x: string;
  /** Text for a horizontal position. */
  readonly words: (at: number) => string;
  readonly hasDots?: boolean;
}

function figure(curves: readonly Curve[], drawing: Drawing): Markup {
  const { title, box, across, x, isWhole = false } = drawing;
  const shown = curves.slice(0, mostSeries);
  const values = shown.flatMap(({ points }) => points.map(({ value }) => value));
  const up = linearScale(values, box.y, { isWhole });
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x })}${shown.map(
    (curve, at) => html`<g class="series-${at}">${drawCurve(curve, up, drawing)}</g>`,
  )}${values.length === 0 ? emptyNote(box) : undefined}</svg>
${shown.length > 1 ? legend(shown) : undefined}</figure>`;
}

function drawCurve(curve: Curve, up: Scale, { across, shape, words, hasDots = false }: Drawing): Markup {
  const places = thinned(
    curve.points.map(({ at, value }) => ({ x: across.place(at), y: up.place(value), at, value })),
  );
  const [first] = places;
  if (first === undefined) return html``;
  const moves = places
    .slice(1)
    .map(({ x, y }) => (shape === 'steps' ? `H${x}V${y}` : `L${x} ${y}`))
    .join('');
  const name = shortLabel(curve.name);
  return html`<path d="M${first.x} ${first.y}${moves}"><title>${name}</title></path>${places
    .slice(hasDots ? 0 : -1)
    .map(
      ({ x, y, at, value }) =>
        html`<circle cx="${x}" cy="${y}" r="3"><title>${name}: ${shortNumber(value)} at ${words(at)}</title></circle>`,
    )}`;
}

interface PlacedPoint {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly value: number;
}

/** Keeps the last of the points that share a pixel column. */
function thinned(places: readonly PlacedPoint[]): readonly PlacedPoint[] {
  return places.filter((place, at) => {
    const next = places[at + 1];
    return next === undefined || Math.round(next.x) !== Math.round(place.x);
  });
}

function legend(series: readonly Curve[]): Markup {
  return html`<ul class="legend">${series.map(({ name, points }, at) => {
    const last = points.at(-1);
    return html`<li class="series-${at}" title="${name}">${shortLabel(name)}${last === undefined ? undefined : html` <b>${shortNumber(last.value)}</b>`}</li>`;
  })}</ul>`;
}
