/** The settings of a campaign as a table. */

import type { HuntData } from '../../hunt/index.js';
import { duration, megabytes } from '../../page/index.js';
import { thresholdText } from '../threshold-text.js';

export function settingRows({
  settings,
  elapsedMs,
  solvingMs,
  tried,
  ...data
}: HuntData): [string, string][] {
  const { slowness } = settings;
  const constants = Object.entries(settings.options).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  const rows: [string, string][] = [
    ...settings.versions.map((name, at): [string, string] => {
      const build = settings.builds[at];
      return [
        at === settings.versions.length - 1 ? 'new version' : 'old version',
        build === undefined ? name : `${name} (${build})`,
      ];
    }),
    ['strategy', settings.strategy],
    ['strategy constants', constants.join(', ')],
    ['seed', String(settings.seed)],
    ['logic', settings.logic],
    ['threshold', thresholdText(slowness)],
    ['timeout', duration(slowness.timeoutMs)],
    ['memory', megabytes(settings.memoryBytes)],
    ['workers', String(settings.workers)],
    ['time', `${duration(elapsedMs)} of ${duration(settings.forMs)} requested`],
    ['formulas tried', tried.toLocaleString('en')],
    ['rate', `${formulasPerSecond(settings.forMs, elapsedMs, tried)} formulas per second`],
    ['slowdowns', `${data.slowdowns}: ${data.refuted} refuted, ${data.unconfirmed} not measured again`],
    ['created by', `culprit ${settings.culprit}`],
  ];
  if (settings.corpus.length > 0) rows.push(['formulas in the corpus', String(settings.corpus.length)]);
  if (solvingMs > 0) rows.push(['solver time', duration(solvingMs)]);
  return rows;
}

/** The time after the hunt, when findings are reduced, does not count. */
function formulasPerSecond(forMs: number, elapsedMs: number, tried: number): string {
  const huntedMs = Math.min(forMs, elapsedMs);
  return huntedMs <= 0 ? '0' : ((1000 * tried) / huntedMs).toFixed(1);
}
