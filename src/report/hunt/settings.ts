/** What a campaign was asked to do, in words. */

import type { HuntData } from '../../hunt/index.js';
import { duration, html, type Markup, megabytes } from '../../page/index.js';
import { thresholdText } from '../threshold-text.js';

export function settingsTable(data: HuntData): Markup {
  return html`<table class="settings"><tbody>${settingRows(data).map(
    ([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>
`,
  )}</tbody></table>`;
}

/** Each by its name. */
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
    ['its constants', constants.join(', ')],
    ['seed', String(settings.seed)],
    ['logic', settings.logic],
    ['threshold', thresholdText(slowness)],
    ['timeout', duration(slowness.timeoutMs)],
    ['memory', megabytes(settings.memoryBytes)],
    ['workers', String(settings.workers)],
    ['time', `${duration(elapsedMs)} of ${duration(settings.forMs)} asked for`],
    ['formulas tried', tried.toLocaleString('en')],
    ['rate', `${formulasPerSecond(settings.forMs, elapsedMs, tried)} formulas per second`],
    ['slowdowns', `${data.slowdowns}: ${data.refuted} did not hold, ${data.unconfirmed} not looked at again`],
    ['made by', `culprit ${settings.culprit}`],
  ];
  if (settings.corpus.length > 0) rows.push(['formulas given', String(settings.corpus.length)]);
  if (solvingMs > 0) rows.push(['solvers at work', duration(solvingMs)]);
  return rows;
}

/** While it hunted: what was found is made smaller afterwards. */
function formulasPerSecond(forMs: number, elapsedMs: number, tried: number): string {
  const huntedMs = Math.min(forMs, elapsedMs);
  return huntedMs <= 0 ? '0' : ((1000 * tried) / huntedMs).toFixed(1);
}
