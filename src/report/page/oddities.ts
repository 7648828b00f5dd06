/** What was seen besides slowness: contradictions, which lead the page, and the rest, which closes it. */

import { join } from 'node:path';
import { type HuntData, type OddityRecord, oddityName } from '../../hunt/index.js';
import { counted, oddityWord } from '../hunt-summary.js';
import { html, type Markup } from '../markup.js';
import { duration } from '../quantities.js';
import { commandOn } from '../reproduce.js';
import { said } from '../said.js';

/** A broken version may crash on every formula; nobody reads the thousandth. */
const mostShown = 200;

export function disagreementSection({ oddities, settings }: HuntData, folder: string): Markup | undefined {
  const all = oddities.filter((one) => one.kind === 'disagreement');
  if (all.length === 0) return undefined;
  return html`<section id="disagreements" class="wrong"><h2>${counted(all.length, 'disagreement')}</h2>
<p>One version says sat and another unsat: one of them is wrong.</p>
${all.slice(0, mostShown).map(
  (one) => html`<article><pre>${one.text}</pre>
${saidTable(one, settings.versions)}
<p class="quiet">Seen ${duration(one.atMs)} into the hunt.</p>
<pre class="command">${commandOn('run', join(folder, oddityName(one.id)), settings)}</pre></article>`,
)}${more(all.length)}</section>`;
}

export function odditySection({ oddities, settings }: HuntData): Markup | undefined {
  const all = oddities.filter((one) => one.kind !== 'disagreement');
  if (all.length === 0) return undefined;
  return html`<section id="oddities"><h2>Besides</h2>
<div class="wide"><table><thead><tr><th>what</th><th class="number">seen at</th>${settings.versions.map((name) => html`<th>${name}</th>`)}<th>formula</th></tr></thead>
<tbody>${all.slice(0, mostShown).map(
    (one) =>
      html`<tr><td>${oddityWord(one.kind)}</td><td class="number">${duration(one.atMs)}</td>${settings.versions.map((_, at) => html`<td>${said(one.runs[at])}</td>`)}<td><details><summary>show</summary><pre>${one.text}</pre></details></td></tr>
`,
  )}</tbody></table></div>${more(all.length)}</section>`;
}

function more(many: number): Markup | undefined {
  return many <= mostShown
    ? undefined
    : html`<p class="quiet">And ${many - mostShown} more, in journal.ndjson.</p>`;
}

function saidTable({ runs }: OddityRecord, versions: readonly string[]): Markup {
  return html`<table><thead><tr><th>version</th><th>said</th><th class="number">time</th></tr></thead>
<tbody>${versions.map((name, at) => {
    const run = runs[at];
    return html`<tr><td>${name}</td><td><b>${said(run)}</b></td><td class="number">${run === undefined ? '' : duration(run.wallMs)}</td></tr>
`;
  })}</tbody></table>`;
}
