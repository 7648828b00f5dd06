/** Grouped bar chart of shares. */

import { html, type Markup } from '../markup.js';
import { axes, frame } from './axes.js';
import { shortLabel } from './label.js';
import { linearScale, rounded, type Scale } from './scale.js';

export interface BarSet {
  readonly name: string;
  /** A share from 0 to 1 for each class, undefined if unknown. */
  readonly shares: readonly (number | undefined)[];
}

const box = frame(720, 260, { hasTitle: true });

/** The share of a class's width that its bars fill. */
const filled = 0.8;

export function sharesChart(title: string, classes: readonly string[], sets: readonly BarSet[]): Markup {
  const [from, to] = box.x;
  const room = (to - from) / Math.max(1, classes.length);
  const width = (filled * room) / Math.max(1, sets.length);
  const middle = (at: number): number => rounded(from + room * (at + 0.5));
  const across: Scale = {
    place: middle,
    ticks: classes.map((label, at) => ({ at: middle(at), label: shortLabel(label) })),
  };
  const up = linearScale([0, 100], box.y, { isWhole: true });
  const bars = sets.map(
    ({ name, shares }, set) =>
      html`<g class="series-${set}">${shares.map((share, at) => {
        if (share === undefined) return undefined;
        const x = rounded(from + room * (at + (1 - filled) / 2) + set * width);
        const y = up.place(100 * share);
        const words = `${shortLabel(name)}, ${classes[at] ?? ''}: ${(100 * share).toFixed(1)} %`;
        return html`<rect x="${x}" y="${y}" width="${rounded(width)}" height="${rounded(up.place(0) - y)}"><title>${words}</title></rect>`;
      })}</g>`,
  );
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: '', y: '% of the cases' })}${bars}</svg>
<ul class="legend">${sets.map(({ name }, at) => html`<li class="series-${at}">${shortLabel(name)}</li>`)}</ul></figure>`;
}
