/** Cumulative distribution: one curve for each set of numbers. */

import { html, type Markup } from '../markup.js';
import { axes, emptyNote, frame } from './axes.js';
import { shortLabel } from './label.js';
import { linearScale, logScale, shortNumber } from './scale.js';

export interface NumberSet {
  readonly name: string;
  readonly values: readonly number[];
  /** Number of further values beyond the largest known one, such as timeouts. */
  readonly beyond?: number;
}

const box = frame(720, 260);

/** The horizontal axis is logarithmic. @param unit its label; values of `time` are milliseconds */
export function distributionChart(title: string, sets: readonly NumberSet[], unit: string): Markup {
  const all = sets.flatMap(({ values }) => values.map((value) => Math.max(1, value)));
  const across = logScale(all, box.x, unit === 'time' ? undefined : shortNumber);
  const up = linearScale([0, 100], box.y, { isWhole: true });
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: unit, y: '% at most' })}${sets.map(
    ({ values, beyond = 0 }, at) => {
      const sorted = values.map((value) => Math.max(1, value)).toSorted((a, b) => a - b);
      const many = sorted.length + beyond;
      const steps = sorted.map((value, i) => `H${across.place(value)}V${up.place((100 * (i + 1)) / many)}`);
      if (beyond > 0) steps.push(`H${box.x[1]}`);
      return html`<g class="series-${at}"><path d="M${box.x[0]} ${up.place(0)}${steps.join('')}"/></g>`;
    },
  )}${all.length === 0 ? emptyNote(box) : undefined}</svg>
<ul class="legend">${sets.map(({ name }, at) => html`<li class="series-${at}">${shortLabel(name)}</li>`)}</ul></figure>`;
}
