/** A timeline chart: the level of each version, with its changes. */

import { html, type Markup } from '../markup.js';
import { axes, emptyNote, frame } from './axes.js';
import { endLabel, shortLabel } from './label.js';
import { logScale, type Scale, shortNumber, shortTime } from './scale.js';

export interface TimelinePoint {
  readonly name: string;
  /** Undefined if nothing was measured. */
  readonly level: number | undefined;
  readonly change?: 'slower' | 'quicker' | undefined;
}

const box = frame(720, 260);

/** Most names along the bottom, and letters in each, that do not overlap. */
const mostNames = 6;
const mostLetters = 14;
/** Half the width of a letter, at most, in the chart's units. */
const halfLetter = 3.5;

export function timelineChart(
  title: string,
  points: readonly TimelinePoint[],
  unit: 'ms' | 'effort',
  along: 'version' | 'commit' = 'version',
): Markup {
  const levels = points.flatMap(({ level }) => level ?? []);
  const words = (level: number): string => (unit === 'ms' ? shortTime(level) : shortNumber(level));
  const up = logScale(levels, box.y, unit === 'ms' ? undefined : shortNumber);
  const across = evenScale(points.map(({ name }) => name));
  const shown = points.flatMap((point, at) =>
    point.level === undefined
      ? []
      : [{ ...point, x: across.place(at), y: up.place(point.level), level: point.level }],
  );
  const [first, ...rest] = shown;
  const path =
    first === undefined ? '' : `M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}`;
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${title}">${axes(box, across, up, { x: along })}<g class="series-0"><path d="${path}"/>${shown.map(
    ({ name, x, y, level, change }) =>
      html`<circle cx="${x}" cy="${y}" r="${change === undefined ? 2 : 5}"><title>${shortLabel(name)}: ${words(level)}${change === undefined ? '' : `, ${change}`}</title></circle>`,
  )}</g>${shown.length === 0 ? emptyNote(box) : undefined}</svg></figure>`;
}

/** Evenly spaced places, one a name. */
function evenScale(names: readonly string[]): Scale {
  const [from, to] = box.x;
  const gap = (to - from) / Math.max(1, names.length);
  const place = (at: number): number => Math.round(10 * (from + gap * (at + 0.5))) / 10;
  const every = Math.ceil(names.length / mostNames);
  const ticks = names
    .map((name, at) => ({ at: place(at), label: endLabel(name, mostLetters) }))
    .filter(({ at, label }, number) => number % every === 0 && at + halfLetter * label.length <= box.width);
  return { place, ticks };
}
