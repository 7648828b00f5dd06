/**
 * Points in three dimensions, each from 0 to 1, in a box that can be turned where scripts run. Without them, and on
 * paper, it is seen from where most of it shows.
 */

import { html, type Markup } from '../markup.js';
import { rounded } from './scale.js';

/** To the right, away, and up. */
export type Place = readonly [x: number, y: number, z: number];

export interface CubePoint {
  readonly at: Place;
  /** One that stands out; the others are drawn hollow, and have no line down to the ground. */
  readonly isFirst: boolean;
  readonly says: string;
}

export interface CubeOptions {
  readonly title: string;
  /** What there is more of along each of the three, such as `slower`. */
  readonly towards: readonly [string, string, string];
  /** Which of the eight colours. */
  readonly series: number;
}

/** In degrees: around the upright, and how far down one looks. What turns it begins here. */
const view = { turn: 35, tilt: 20 } as const;
const size = { width: 340, height: 320, unit: 158 } as const;

/** So far out stands what an axis means. */
const wordsAt = 1.13;

export function cubeChart(points: readonly CubePoint[], { title, towards, series }: CubeOptions): Markup {
  const words: readonly Place[] = [
    [wordsAt, 0, 0],
    [0, wordsAt, 0],
    [0, 0, wordsAt],
  ];
  const farFirst = points.toSorted((a, b) => seen(b.at).depth - seen(a.at).depth);
  return html`<figure><figcaption>${title}</figcaption>
<svg class="cube" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}" data-turn="${view.turn}" data-tilt="${view.tilt}" data-unit="${size.unit}">${edges.map(
    ([from, to]) => line(from, to, isAxis(from) ? 'base' : 'grid'),
  )}${points.filter(({ isFirst }) => isFirst).map(({ at: [x, y, z] }) => line([x, y, 0], [x, y, z], 'stem'))}<g class="series-${series}">${farFirst.map(dot)}</g>${words.map(
    (at, axis) => {
      const { x, y } = seen(at);
      return html`<text data-at="${at.join(' ')}" x="${x}" y="${y}" text-anchor="middle" dominant-baseline="middle">${towards[axis]}</text>`;
    },
  )}${
    points.length === 0
      ? html`<text x="${size.width / 2}" y="${size.height / 2}" text-anchor="middle">nothing yet</text>`
      : undefined
  }</svg></figure>`;
}

function dot({ at, isFirst, says }: CubePoint): Markup {
  const { x, y } = seen(at);
  return html`<circle${isFirst ? undefined : html` class="behind"`} data-at="${at.map(short).join(' ')}" cx="${x}" cy="${y}" r="3.5"><title>${says}</title></circle>`;
}

function line(from: Place, to: Place, name: string): Markup {
  const [a, b] = [seen(from), seen(to)];
  const ends = [...from, ...to].map(short).join(' ');
  return html`<line class="${name}" data-ends="${ends}" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"/>`;
}

/** A thousandth of the box is finer than a screen. */
function short(value: number): number {
  return Math.round(1000 * value) / 1000;
}

/** The twelve edges of the box. */
const edges: readonly (readonly [Place, Place])[] = [0, 1].flatMap((a) =>
  [0, 1].flatMap((b): (readonly [Place, Place])[] => [
    [
      [0, a, b],
      [1, a, b],
    ],
    [
      [a, 0, b],
      [a, 1, b],
    ],
    [
      [a, b, 0],
      [a, b, 1],
    ],
  ]),
);

/** Those from the corner in which everything is least. */
function isAxis(from: Place): boolean {
  return from.every((value) => value === 0);
}

/** Where a place is seen, and how far away it is. `turning` says the same to a browser. */
function seen(at: Place): { readonly x: number; readonly y: number; readonly depth: number } {
  const [x, y, z] = at.map((value) => short(value) - 0.5) as [number, number, number];
  const [turn, tilt] = [(view.turn * Math.PI) / 180, (view.tilt * Math.PI) / 180];
  const across = x * Math.cos(turn) - y * Math.sin(turn);
  const away = x * Math.sin(turn) + y * Math.cos(turn);
  return {
    x: rounded(size.width / 2 + size.unit * across),
    y: rounded(size.height / 2 - size.unit * (z * Math.cos(tilt) + away * Math.sin(tilt))),
    depth: away * Math.cos(tilt) - z * Math.sin(tilt),
  };
}
