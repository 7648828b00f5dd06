/** Chart size and axes. */

import { html, type Markup } from '../markup.js';
import { shortLabel } from './label.js';
import type { Range, Scale } from './scale.js';

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The plot area, from left to right and from bottom to top. */
  readonly x: Range;
  readonly y: Range;
}

const margin = { left: 56, right: 24, top: 10, bottom: 36 } as const;
/** Extra left margin for a vertical axis title. */
const titleWidth = 20;

export function frame(width: number, height: number, { hasTitle = false } = {}): Frame {
  return {
    width,
    height,
    x: [margin.left + (hasTitle ? titleWidth : 0), width - margin.right],
    y: [height - margin.bottom, margin.top],
  };
}

export interface AxisTitles {
  readonly x: string;
  readonly y?: string;
}

export function axes({ height, x, y }: Frame, across: Scale, up: Scale, titles: AxisTitles): Markup {
  const [left, right] = x;
  const [bottom, top] = y;
  const middle = (top + bottom) / 2;
  return html`<g class="axes">${up.ticks.map(
    ({ at, label }) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${label}</text>`,
  )}${across.ticks.map(
    ({ at, label }) =>
      html`<line class="tick" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}"/><text x="${at}" y="${bottom + 16}" text-anchor="middle">${label}</text>`,
  )}<line class="base" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/><text x="${right}" y="${height - 3}" text-anchor="end">${shortLabel(titles.x)}</text>${
    titles.y === undefined
      ? undefined
      : html`<text x="${12}" y="${middle}" text-anchor="middle" transform="rotate(-90 12 ${middle})">${shortLabel(titles.y)}</text>`
  }</g>`;
}

/** Drawn on a chart without points. */
export function emptyNote({ x, y }: Frame): Markup {
  return html`<text x="${(x[0] + x[1]) / 2}" y="${(y[0] + y[1]) / 2}" text-anchor="middle">no data yet</text>`;
}
