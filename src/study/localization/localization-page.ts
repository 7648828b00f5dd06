/** The localization study as an HTML page: Fig. 6 and Fig. 7 as charts, everything else as text. */

import { barsChart, html, lineChart, page } from '../../page/index.js';
import type { LocalizationData } from './localization.js';
import { localizationText } from './localization-text.js';

export function localizationPage(all: readonly LocalizationData[], culprit: string): string {
  const parts = all.map(({ name, replays, exposed }) => {
    const endMs = Math.max(1, ...replays.map((replay) => replay.endMs));
    const series = replays.map(({ strategy, locatedMs }) => ({
      name: strategy,
      points: [
        { atMs: 0, value: 0 },
        ...locatedMs.map((atMs, at) => ({ atMs, value: at + 1 })),
        { atMs: endMs, value: locatedMs.length },
      ],
    }));
    const title = 'Cases localized over time (Fig. 6)';
    const titles = { x: 'commits that made a case slow', y: 'cases' };
    return html`<h2>${name}</h2>
${lineChart(series, { title, endMs, shape: 'steps', isWhole: true })}
${barsChart('Commits a case exposes (Fig. 7)', exposed, titles)}`;
  });
  const body = html`${parts}
<h2>Figures</h2><pre class="figures">${localizationText(all)}</pre>`;
  return page('How fast commits to blame are found', culprit, body);
}
