import type { LocalProgress } from '../history/index.js';
import { duration } from '../report/index.js';

/** How far a bisection is, such as `3 looked at, 5 to go, about 12 m 0 s`. */
export function bisectProgressText({ looked, remaining, leftMs }: LocalProgress): string {
  const left = leftMs === undefined ? '' : `, about ${duration(leftMs)}`;
  return `${looked} looked at, ${remaining} to go${left}`;
}
