/** A campaign as one self-contained page. */

import type { HuntData } from '../../hunt/index.js';
import { counted, duration, html, type Markup, page, settingsTable } from '../../page/index.js';
import { anomalySection, disagreementSection, locationSection } from './anomalies.js';
import { chartsSection } from './charts.js';
import { groupSection } from './finding.js';
import { busyText, newestTime, ratioText } from './hunt-summary.js';
import { settingRows } from './settings.js';
import { timeLabels } from './time-labels.js';

/** @param folder of the campaign, for the commands */
export function huntHtml(data: HuntData, folder: string): string {
  const { settings, groups } = data;
  const newest = settings.versions.at(-1) ?? '';
  const title = `${newest} against ${settings.versions.slice(0, -1).join(', ')}`;
  const body = html`<p>${countsLine(data)}</p>
${disagreementSection(data, folder)}
${locationSection(data, folder)}
${groups.length > 1 ? overview(data) : undefined}
${groups.map((group, at) => groupSection(group, at + 1, { settings, folder }))}
${chartsSection(data)}
${anomalySection(data)}
<section id="settings"><details><summary><h2>How it was found</h2></summary>
${settingsTable(settingRows(data))}</details></section>`;
  return page(title, settings.culprit, body);
}

function countsLine({ groups, slowdowns, tried }: HuntData): string {
  const findings = groups.reduce((sum, group) => sum + group.findings.length, 0);
  return (
    `${counted(findings, 'finding')} of ${counted(groups.length, 'kind')}, ` +
    `from ${counted(slowdowns, 'slowdown')} among ${counted(tried, 'formula')}.`
  );
}

function overview({ groups, settings }: HuntData): Markup {
  const [reference, newest] = timeLabels(settings).titles;
  return html`<section id="kinds"><h2>Kinds of slowdowns</h2>
<div class="wide"><table><thead><tr><th>kind</th><th class="number">findings</th><th class="number">${reference}</th><th class="number">${newest}</th><th class="number">ratio</th><th>busy with</th></tr></thead>
<tbody>${groups.map(
    ({ name, busy, findings, findings: [first] }, at) =>
      html`<tr><td><a href="#kind-${at + 1}">${name}</a></td><td class="number">${findings.length}</td><td class="number">${duration(first.referenceMs)}</td><td class="number">${newestTime(first)}</td><td class="number">${ratioText(first)}</td><td>${busyText(busy)}</td></tr>
`,
  )}</tbody></table></div></section>`;
}
