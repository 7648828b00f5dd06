/** Contrast of text against its background (WCAG 2.2, 1.4.3). */

import type { Written } from './look-into.js';

/** Red, green, blue and opacity, from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, opacity: number];

/** From 1 (equal) to 21 (black on white). */
export function contrast({ colour, behind }: Pick<Written, 'colour' | 'behind'>): number {
  const white: Colour = [1, 1, 1, 1];
  const paper = behind.map(readColour).reduceRight(over, white);
  const [one, other] = [luminance(over(paper, readColour(colour))), luminance(paper)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Parses a computed colour: `rgb(0, 0, 0)`, `rgba(0, 0, 0, 0)`. */
function readColour(text: string): Colour {
  const parts = /^rgba?\(([^)]*)\)$/.exec(text)?.[1]?.split(',').map(Number);
  const [red, green, blue, opacity = 1] = parts ?? [];
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error(`"${text}" is no colour that this test can read`);
  return [red / 255, green / 255, blue / 255, opacity];
}

function over(below: Colour, above: Colour): Colour {
  const mixed = (at: 0 | 1 | 2): number => above[3] * above[at] + (1 - above[3]) * below[at];
  return [mixed(0), mixed(1), mixed(2), 1];
}

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
