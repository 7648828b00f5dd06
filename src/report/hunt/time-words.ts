/** What the two times of a finding are called: of one solver the old and the new one, of several theirs by name. */

import type { HuntSettings } from '../../hunt/index.js';
import { endLabel } from '../../page/index.js';
import { engineOf } from '../../solver/index.js';
import { namedElsewhere } from '../commands/plain-command.js';

export interface TimeWords {
  /** Titles of columns. */
  readonly titles: readonly [reference: string, newest: string];
  /** Such as `16 ms before, 2.00 s now`. */
  readonly sentence: (reference: string, newest: string) => string;
}

export function timeWords({ versions, builds }: Pick<HuntSettings, 'versions' | 'builds'>): TimeWords {
  const engines = versions.map((version, at) => {
    const { family } = namedElsewhere(version, builds[at]);
    return family === undefined ? version : engineOf[family];
  });
  if (new Set(engines).size < 2)
    return {
      titles: ['old', 'new'],
      sentence: (reference, newest) => `${reference} before, ${newest} now`,
    };
  const [newest, ...others] = versions.toReversed();
  const reference = others.length === 1 ? `on ${others[0]}` : 'on the best other';
  const title = others.length === 1 ? `on ${endLabel(others[0] ?? '', mostTitle)}` : reference;
  return {
    titles: [title, `on ${endLabel(newest ?? '', mostTitle)}`],
    sentence: (referenceTime, newestTime) => `${referenceTime} ${reference}, ${newestTime} on ${newest}`,
  };
}

/** Of a version by its path, the end: a column is no wider than what stands in it for long. */
const mostTitle = 20;
