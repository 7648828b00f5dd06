/**
 * Points in three dimensions, each from 0 to 1, in a box that the page's script can turn. Without scripts and on
 * paper, the view is fixed.
 */

import { html, type Markup } from '../markup.js';
import { rounded } from './scale.js';

/** To the right, away, and up. */
export type Place = readonly [x: number, y: number, z: number];

export interface CubePoint {
  readonly at: Place;
  /** Drawn filled, with a line down to the bottom; other points are hollow. */
  readonly isHighlighted: boolean;
  readonly label: string;
}

export interface CubeOptions {
  readonly title: string;
  /** The property that grows along each axis, such as `slower`. */
  readonly axisLabels: readonly [string, string, string];
  /** The number of its colour, from 0 to 7. */
  readonly series: number;
}

/** The first view, in degrees: around the vertical axis, then downwards. `turning` starts with it. */
const view = { turn: 35, tilt: 20 } as const;
const size = { width: 340, height: 320, unit: 158 } as const;

/** Distance of an axis label from the origin. */
const labelDistance = 1.13;

export function cubeChart(points: readonly CubePoint[], { title, axisLabels, series }: CubeOptions): Markup {
  const words: readonly Place[] = [
    [labelDistance, 0, 0],
    [0, labelDistance, 0],
    [0, 0, labelDistance],
  ];
  const farFirst = points.toSorted((a, b) => projected(b.at).depth - projected(a.at).depth);
  return html`<figure><figcaption>${title}</figcaption>
<svg class="cube" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}" data-turn="${view.turn}" data-tilt="${view.tilt}" data-unit="${size.unit}">${edges.map(
    ([from, to]) => line(from, to, isAxis(from) ? 'base' : 'grid'),
  )}${points.filter(({ isHighlighted }) => isHighlighted).map(({ at: [x, y, z] }) => line([x, y, 0], [x, y, z], 'stem'))}<g class="series-${series}">${farFirst.map(dot)}</g>${words.map(
    (at, axis) => {
      const { x, y } = projected(at);
      return html`<text data-at="${at.join(' ')}" x="${x}" y="${y}" text-anchor="middle" dominant-baseline="middle">${axisLabels[axis]}</text>`;
    },
  )}${
    points.length === 0
      ? html`<text x="${size.width / 2}" y="${size.height / 2}" text-anchor="middle">no data yet</text>`
      : undefined
  }</svg></figure>`;
}

function dot({ at, isHighlighted, label }: CubePoint): Markup {
  const { x, y } = projected(at);
  return html`<circle${isHighlighted ? undefined : html` class="behind"`} data-at="${at.map(short).join(' ')}" cx="${x}" cy="${y}" r="3.5"><title>${label}</title></circle>`;
}

function line(from: Place, to: Place, name: string): Markup {
  const [a, b] = [projected(from), projected(to)];
  const ends = [...from, ...to].map(short).join(' ');
  return html`<line class="${name}" data-ends="${ends}" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"/>`;
}

/** Rounded to a thousandth of the box. */
function short(value: number): number {
  return Math.round(1000 * value) / 1000;
}

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

/** Whether the edge starts at the origin. */
function isAxis(from: Place): boolean {
  return from.every((value) => value === 0);
}

/** Projects a place onto the screen. `turning` does the same in the browser. */
function projected(at: Place): { readonly x: number; readonly y: number; readonly depth: number } {
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
