/** Scatter plot of old against new time, one dot a formula. */

import { html, type Markup } from '../markup.js';
import { duration } from '../quantities.js';
import { axes, emptyNote, frame } from './axes.js';
import { logScale } from './scale.js';

export interface Dot {
  readonly referenceMs: number;
  readonly newestMs: number;
  readonly isSlowdown: boolean;
  /** The slowdown's name and the link to its section. */
  readonly name?: string | undefined;
  readonly href?: string | undefined;
}

export interface ScatterTitles {
  readonly title: string;
  /** Label of the horizontal axis. */
  readonly reference: string;
  /** Label of the vertical axis. */
  readonly newest: string;
}

const box = frame(720, 480, { hasTitle: true });

/** Dots above the diagonal got slower. */
export function scatter(dots: readonly Dot[], { title, reference, newest }: ScatterTitles): Markup {
  const times = dots.flatMap((dot) => [dot.referenceMs, dot.newestMs]);
  const across = logScale(times, box.x);
  const up = logScale(times, box.y);
  const placed = withoutOverlaps(
    dots.map((dot) => ({ dot, x: across.place(dot.referenceMs), y: up.place(dot.newestMs) })),
  );
  const ordinary = placed.filter(({ dot }) => !dot.isSlowdown);
  const slow = placed.filter(({ dot }) => dot.isSlowdown);
  // Thousands of ordinary dots are drawn as one path: a fifth of the size, and fast to draw.
  const path = ordinary.map(({ x, y }) => `M${x} ${y}h0`).join('');
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: reference, y: newest })}<line class="diagonal" x1="${box.x[0]}" y1="${box.y[0]}" x2="${box.x[1]}" y2="${box.y[1]}"><title>equally fast</title></line>${path === '' ? undefined : html`<path class="dots" d="${path}"/>`}<g class="slowdowns">${slow.map(slowDot)}</g>${dots.length === 0 ? emptyNote(box) : undefined}</svg>
<ul class="legend"><li class="slow">slowdowns</li><li class="other">other formulas</li></ul></figure>`;
}

function slowDot({ dot: { referenceMs, newestMs, name, href }, x, y }: PlacedDot): Markup {
  const times = `${duration(referenceMs)} → ${duration(newestMs)}`;
  const circle = html`<circle cx="${x}" cy="${y}" r="3.5"><title>${name === undefined ? times : `${name}: ${times}`}</title></circle>`;
  return href === undefined ? circle : html`<a href="${href}">${circle}</a>`;
}

interface PlacedDot {
  readonly dot: Dot;
  readonly x: number;
  readonly y: number;
}

/** Removes dots of one kind that fall on the same pixel. */
function withoutOverlaps(dots: readonly PlacedDot[]): readonly PlacedDot[] {
  const taken = new Set<string>();
  return dots.filter(({ dot, x, y }) => {
    const key = `${dot.isSlowdown} ${Math.round(x)} ${Math.round(y)}`;
    return taken.has(key) ? false : taken.add(key);
  });
}
