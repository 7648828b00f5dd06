/** Scatter plot of two numbers. */

import { html, type Markup } from '../markup.js';
import { axes, emptyNote, frame } from './axes.js';
import { linearScale, logScale, shortNumber } from './scale.js';

export interface PointsOptions {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** `orders`: logarithmic, for numbers from 1. */
  readonly scale: 'orders' | 'even';
}

const box = frame(720, 360, { hasTitle: true });

export function pointsChart(
  points: readonly (readonly [x: number, y: number])[],
  { title, x, y, scale }: PointsOptions,
): Markup {
  const [xs, ys] = [points.map(([value]) => value), points.map(([, value]) => value)];
  const scaleOf = (values: readonly number[], range: readonly [number, number]) =>
    scale === 'orders'
      ? logScale(
          values.map((value) => Math.max(1, value)),
          range,
          shortNumber,
        )
      : linearScale(values, range, {});
  const [across, up] = [scaleOf(xs, box.x), scaleOf(ys, box.y)];
  const place = (value: number): number => (scale === 'orders' ? Math.max(1, value) : value);
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x, y })}<g class="slowdowns">${points.map(
    ([a, b]) =>
      html`<circle cx="${across.place(place(a))}" cy="${up.place(place(b))}" r="3"><title>${shortNumber(a)}, ${shortNumber(b)}</title></circle>`,
  )}</g>${points.length === 0 ? emptyNote(box) : undefined}</svg></figure>`;
}
