/** Bar chart of counts. */

import { html, type Markup } from '../markup.js';
import { axes, emptyNote, frame } from './axes.js';
import { linearScale, rounded } from './scale.js';

const box = frame(720, 220);

/** @param counts how often each number occurs */
export function barsChart(
  title: string,
  counts: ReadonlyMap<number, number>,
  titles: { readonly x: string; readonly y: string },
): Markup {
  const numbers = [...counts.keys()];
  const last = Math.max(1, ...numbers);
  const [left, right] = box.x;
  const width = (right - left) / last;
  const middle = (number: number): number => left + (number - 0.5) * width;
  const up = linearScale([0, ...counts.values()], box.y, { isWhole: true });
  const step = Math.ceil(last / 20);
  const across = {
    place: middle,
    ticks: Array.from({ length: last }, (_, at) => at + 1)
      .filter((number) => (number - 1) % step === 0)
      .map((number) => ({ at: middle(number), label: String(number) })),
  };
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, titles)}<g class="series-0">${[
    ...counts,
  ].map(([number, many]) => {
    const [x, y] = [rounded(middle(number) - width / 3), up.place(many)];
    return html`<rect x="${x}" y="${y}" width="${rounded((2 / 3) * width)}" height="${rounded(up.place(0) - y)}"><title>${many} of ${number}</title></rect>`;
  })}</g>${numbers.length === 0 ? emptyNote(box) : undefined}</svg></figure>`;
}
