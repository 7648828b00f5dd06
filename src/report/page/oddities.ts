/** What was seen besides slowness: contradictions, which lead the page, and the rest, which closes it. */

import { join } from 'node:path';
import { type HuntData, type OddityRecord, oddityName } from '../../hunt/index.js';
import { answerText } from '../answer-text.js';
import { oddityWord } from '../hunt-summary.js';
import { html, type Markup } from '../markup.js';
import { counted, duration } from '../quantities.js';
import { commandOn } from '../reproduce.js';

/** A broken version may crash on every formula; nobody reads the thousandth. */
const mostShown = 200;

export function disagreementSection({ oddities, settings }: HuntData, folder: string): Markup | undefined {
  const all = oddities.filter(({ kind }) => kind === 'disagreement');
  if (all.length === 0) return undefined;
  return html`<section id="disagreements" class="wrong"><h2>${counted(all.length, 'disagreement')}</h2>
<p>One version says sat and another unsat: one of them is wrong.</p>
${all.slice(0, mostShown).map(
  ({ id, text, atMs, runs }) => html`<article><pre>${text}</pre>
${answerTable(runs, settings.versions)}
<p class="quiet">Seen ${duration(atMs)} into the hunt.</p>
<pre class="command">${commandOn('run', join(folder, oddityName(id)), settings)}</pre></article>`,
)}${more(all.length)}</section>`;
}

export function odditySection({ oddities, settings }: HuntData): Markup | undefined {
  const all = oddities.filter(({ kind }) => kind !== 'disagreement');
  if (all.length === 0) return undefined;
  return html`<section id="oddities"><h2>Besides</h2>
<div class="wide"><table><thead><tr><th>what</th><th class="number">seen at</th>${settings.versions.map((name) => html`<th>${name}</th>`)}<th>formula</th></tr></thead>
<tbody>${all.slice(0, mostShown).map(
    ({ kind, atMs, runs, text }) =>
      html`<tr><td>${oddityWord(kind)}</td><td class="number">${duration(atMs)}</td>${settings.versions.map((_, at) => html`<td>${answerText(runs[at])}</td>`)}<td><details><summary>show</summary><pre>${text}</pre></details></td></tr>
`,
  )}</tbody></table></div>${more(all.length)}</section>`;
}

function more(many: number): Markup | undefined {
  return many <= mostShown
    ? undefined
    : html`<p class="quiet">And ${many - mostShown} more, in journal.ndjson.</p>`;
}

function answerTable(runs: OddityRecord['runs'], versions: readonly string[]): Markup {
  return html`<table><thead><tr><th>version</th><th>answer</th><th class="number">time</th></tr></thead>
<tbody>${versions.map((name, at) => {
    const run = runs[at];
    return html`<tr><td>${name}</td><td><b>${answerText(run)}</b></td><td class="number">${run === undefined ? '' : duration(run.wallMs)}</td></tr>
`;
  })}</tbody></table>`;
}
