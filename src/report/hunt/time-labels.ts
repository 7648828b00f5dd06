/** Labels of a finding's two times: old and new for one solver, names of versions for several. */

import type { HuntSettings } from '../../hunt/index.js';
import { endLabel } from '../../page/index.js';
import { engineOf } from '../../solver/index.js';
import { portableVersion } from '../commands/plain-command.js';

export interface TimeLabels {
  /** Column titles. */
  readonly titles: readonly [reference: string, newest: string];
  /** Such as `16 ms before, 2.00 s now`. */
  readonly sentence: (reference: string, newest: string) => string;
}

export function timeLabels({ versions, builds }: Pick<HuntSettings, 'versions' | 'builds'>): TimeLabels {
  const engines = versions.map((version, at) => {
    const { family } = portableVersion(version, builds[at]);
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

/** Keeps the column about as wide as its cells. */
const mostTitle = 20;
