/** A comparison as one self-contained page: a sortable, searchable table and charts of the times. */

import { cactusPlot, commonFolder, html, type Markup, page, scatter } from '../../page/index.js';
import { type Field, fieldText, markText, ratioText, slowdownRatio } from './cells.js';
import { runNotes, runTotals } from './notes.js';
import type { RunResult, VersionResult } from './run-result.js';

export function runsHtml(results: readonly RunResult[], generator: string): string {
  const versions = results[0]?.versions.map(({ version }) => version) ?? [];
  const newest = versions.at(-1) ?? '';
  const title = versions.length < 2 ? newest : `${newest} against ${versions.slice(0, -1).join(', ')}`;
  const inOrder = results.map((result, at) => ({ result, at })).toSorted(byWeight);
  const notes = runNotes(results);
  const folder = results.length < 2 ? undefined : commonFolder(results.map(({ formula }) => formula));
  const body = html`${runTotals(results).map((line) => html`<p>${line}</p>`)}
${notes.length === 0 ? undefined : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
<section id="formulas"><h2>Formulas</h2>
${folder === undefined ? undefined : html`<p class="quiet">in ${folder}</p>`}
<div class="wide"><table class="sortable filterable">${head(versions)}
<tbody>${inOrder.map(({ result, at }) => row(result, at, { folder, isCompared: versions.length > 1 }))}</tbody></table></div></section>
<section id="charts"><h2>Times</h2>
${versions.length < 2 ? undefined : timeAgainstTime(results, versions)}
${timesInOrder(results, versions)}</section>`;
  return page(title, generator, body);
}

const fields: readonly Field[] = ['outcome', 'time', 'effort', 'memory'];

/** The sort key of a column. */
const fieldValue: Readonly<Record<Field, (result: VersionResult) => string | number | undefined>> = {
  outcome: ({ outcome }) => outcome,
  time: ({ ms }) => ms,
  effort: ({ effort }) => effort,
  memory: ({ peakMemoryBytes }) => peakMemoryBytes,
};

function head(versions: readonly string[]): Markup {
  const isCompared = versions.length > 1;
  const above = html`<tr><td colspan="${isCompared ? 3 : 1}"></td>${versions.map((version) => html`<th colspan="${fields.length}" scope="colgroup">${version}</th>`)}</tr>`;
  const each = versions.flatMap(() =>
    fields.map(
      (field) =>
        html`<th${field === 'outcome' ? undefined : html` class="number"`} scope="col">${field}</th>`,
    ),
  );
  return html`<thead>${above}<tr><th scope="col">formula</th>${isCompared ? html`<th scope="col">verdict</th><th class="number" scope="col">ratio</th>` : undefined}${each}</tr></thead>`;
}

function row(
  result: RunResult,
  at: number,
  { folder = '', isCompared }: { readonly folder: string | undefined; readonly isCompared: boolean },
): Markup {
  const { formula, versions, verdict } = result;
  const cells = versions.flatMap((version) =>
    fields.map((field) => {
      const value = fieldValue[field](version);
      const kind = field === 'outcome' ? html`` : html` class="number"`;
      return html`<td${kind} data-value="${value ?? ''}">${fieldText[field](version)}</td>`;
    }),
  );
  const times = verdict.kind === 'incomparable' ? '' : slowdownRatio(verdict);
  const compared = html`<td class="${markClass(result)}">${markText(result)}</td><td class="number" data-value="${times}">${ratioText(result)}</td>`;
  return html`<tr id="formula-${at + 1}"><td title="${formula}">${formula.slice(folder.length)}</td>${isCompared ? compared : undefined}${cells}</tr>
`;
}

function markClass({ verdict, disagreement }: RunResult): string {
  if (disagreement !== undefined) return 'alarm';
  if (verdict.kind === 'slower') return 'bad';
  return verdict.kind === 'faster' ? 'good' : 'quiet';
}

/** Disagreements first, then slowdowns, the largest first. */
function byWeight(a: { readonly result: RunResult }, b: { readonly result: RunResult }): number {
  return weight(b.result) - weight(a.result);
}

function weight({ verdict, disagreement }: RunResult): number {
  if (disagreement !== undefined) return Number.MAX_VALUE;
  return verdict.kind === 'slower' ? slowdownRatio(verdict) : 0;
}

function timeAgainstTime(results: readonly RunResult[], versions: readonly string[]): Markup {
  const dots = results.flatMap(({ formula, verdict }, at) =>
    verdict.kind === 'incomparable'
      ? []
      : [{ ...verdict, isSlowdown: verdict.kind === 'slower', name: formula, href: `#formula-${at + 1}` }],
  );
  return scatter(dots, {
    title: 'Old against new time of each formula',
    reference: versions.length === 2 ? `time on ${versions[0]}` : 'best time of the older versions',
    newest: `time on ${versions.at(-1)}`,
  });
}

/** Only sat and unsat answers: how many formulas each version solves in a given time. */
function timesInOrder(results: readonly RunResult[], versions: readonly string[]): Markup {
  const series = versions.map((name, at) => ({
    name,
    times: results.flatMap(({ versions: all }) => {
      const { outcome, ms } = all[at] ?? {};
      return (outcome === 'sat' || outcome === 'unsat') && ms !== undefined ? [ms] : [];
    }),
  }));
  return cactusPlot(series, 'Formulas answered within a time');
}
