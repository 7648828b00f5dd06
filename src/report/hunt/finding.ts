/** A group of findings on a page: the smallest formula in full, the others folded. */

import type { Finding, FindingGroup, HuntSettings, VersionTime } from '../../hunt/index.js';
import { commandBlock, count, counted, duration, html, type Markup } from '../../page/index.js';
import { formulaBlock } from '../formulas/formula-block.js';
import { newestTime, ratioText, workText } from './hunt-summary.js';
import { findingCommands } from './reproduce.js';
import { timeLabels } from './time-labels.js';

export interface CampaignContext {
  readonly settings: HuntSettings;
  /** Path of the campaign. */
  readonly folder: string;
}

export function groupSection(group: FindingGroup, number: number, campaign: CampaignContext): Markup {
  const [first, ...others] = group.findings;
  return html`<section id="kind-${number}"><h2>${group.name}${group.isKnown ? html` <small>known from an earlier hunt</small>` : undefined}</h2>
<p>${counted(group.findings.length, 'finding')}; ${counted(group.slowdowns, 'slowdown')} of this kind. ${smallestLine(first)}</p>
${findingPart(first, campaign)}
${others.length === 0 ? undefined : html`<details><summary>${counted(others.length, 'further finding')}</summary>${others.map((finding) => html`<article>${findingPart(finding, campaign)}</article>`)}</details>`}
</section>`;
}

function smallestLine({ isMinimal }: Finding): string {
  return isMinimal ? 'The smallest formula; no single step makes it smaller:' : 'The smallest formula:';
}

function findingPart(finding: Finding, { settings, folder }: CampaignContext): Markup {
  const since = settings.versions[finding.kind.since];
  return html`${formulaBlock(finding.text)}
<p class="ratio"><b>${ratioText(finding)} slower</b>: ${timeLabels(settings).sentence(duration(finding.referenceMs), newestTime(finding))}${
    since === undefined || settings.versions.length === 2 ? undefined : html`, since ${since}`
  }.${seedsNote(finding)}</p>
${versionTable(finding.versions)}
${finding.work === undefined ? undefined : html`<p>Work of the newest version: ${workText(finding.work)}.</p>`}
${finding.grown === undefined || finding.grown.length === 0 ? undefined : grownPart(finding.grown)}
<p class="quiet">Slowdown ${finding.id}, found ${duration(finding.foundAtMs)} into the hunt by ${finding.by}, confirmed at ${duration(finding.atMs)}.</p>
<p>To reproduce it:</p>
${commandBlock(...findingCommands(settings, folder, finding.id))}
${finding.original === undefined ? undefined : html`<details><summary>the formula it was shrunk from</summary>${formulaBlock(finding.original)}</details>`}`;
}

function grownPart(grown: NonNullable<Finding['grown']>): Markup {
  return html`<details open><summary>functions called more often</summary><div class="wide"><table><thead><tr><th class="number">calls before</th><th class="number">calls now</th><th>function</th></tr></thead>
<tbody>${grown.map(
    ({ name, before, after }) =>
      html`<tr><td class="number">${count(before)}</td><td class="number">${count(after)}</td><td><code>${name}</code></td></tr>
`,
  )}</tbody></table></div></details>`;
}

function seedsNote({ seeds }: Finding): Markup | undefined {
  return (
    seeds &&
    html` <span class="badge ${badgeWeight(seeds)}">Slower on ${seeds.slower} of ${counted(seeds.tried, 'random seed')}</span>: it shows on ${seeds.robustness}.`
  );
}

/** The weight of the badge: a slowdown on one seed may be luck. */
function badgeWeight({ slower, tried }: NonNullable<Finding['seeds']>): 'strong' | 'weak' | 'none' {
  if (slower === 0) return 'none';
  return slower >= strongShare * tried ? 'strong' : 'weak';
}

const strongShare = 0.8;

function versionTable(versions: readonly VersionTime[]): Markup {
  return html`<div class="wide"><table><thead><tr><th>version</th><th>outcome</th><th class="number">median time</th><th class="number">effort</th><th class="number">runs</th></tr></thead>
<tbody>${versions.map(
    ({ version, outcome, medianMs, effort, runs }) =>
      html`<tr><td>${version}</td><td>${outcome}</td><td class="number">${outcome === 'timeout' ? '>' : ''}${duration(medianMs)}</td><td class="number">${effort === undefined ? '' : count(effort)}</td><td class="number">${runs}</td></tr>
`,
  )}</tbody></table></div>`;
}
