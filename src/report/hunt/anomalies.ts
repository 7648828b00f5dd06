/** Anomalies on the page of a campaign: wrong answers at the top, the others at the bottom. */

import { join } from 'node:path';
import {
  type AnomalyLocation,
  type AnomalyRecord,
  anomalyFile,
  type HuntData,
  type LocatedFiles,
} from '../../hunt/index.js';
import { commandBlock, counted, duration, html, type Markup } from '../../page/index.js';
import { formulaBlock } from '../formulas/formula-block.js';
import {
  assumptionText,
  fileRows,
  fileTitle,
  locateStep,
  locationTitle,
  witnessText,
} from './anomaly-location.js';
import { anomalyWord } from './anomaly-word.js';
import { answerText } from './answer-text.js';
import { claimText, isWrongAnswer } from './hunt-summary.js';
import { commandOn } from './reproduce.js';

/** Maximum number of listed anomalies; a broken version may crash on every formula. */
const mostShown = 200;

/** Sections on disagreements and wrong models. */
export function disagreementSection(data: HuntData, folder: string): Markup {
  return html`${wrongSection(data, folder, {
    kind: 'disagreement',
    id: 'disagreements',
    word: 'disagreement',
    description: 'One version says sat and another unsat: one of them is wrong.',
  })}${wrongSection(data, folder, {
    kind: 'wrong-model',
    id: 'wrong-models',
    word: 'wrong model',
    description: 'A version says sat and claims a model; under its values the formula is false.',
  })}`;
}

interface WrongAnswers {
  readonly kind: AnomalyRecord['kind'];
  readonly id: string;
  readonly word: string;
  readonly description: string;
}

function wrongSection(
  { anomalies, settings }: HuntData,
  folder: string,
  { kind, id: anchor, word, description }: WrongAnswers,
): Markup | undefined {
  const all = anomalies.filter((anomaly) => anomaly.kind === kind);
  if (all.length === 0) return undefined;
  return html`<section id="${anchor}" class="wrong"><h2>${counted(all.length, word)}</h2>
<p>${description}</p>
${all.slice(0, mostShown).map(
  ({ id, text, atMs, runs, claim }) => html`<article>${formulaBlock(text)}
${answerTable(runs, settings.versions)}
${claim === undefined ? undefined : html`<p>${claimText(claim, settings.versions)}</p>${formulaBlock(claim.model)}`}
<p class="quiet">Seen ${duration(atMs)} into the hunt.</p>
${commandBlock(commandOn('run', join(folder, anomalyFile(id)), settings))}</article>`,
)}${more(all.length)}</section>`;
}

export function anomalySection({ anomalies, settings }: HuntData): Markup | undefined {
  const all = anomalies.filter((anomaly) => !isWrongAnswer(anomaly));
  if (all.length === 0) return undefined;
  return html`<section id="anomalies"><h2>Other anomalies</h2>
<div class="wide"><table><thead><tr><th>anomaly</th><th class="number">seen at</th>${settings.versions.map((name) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${all.slice(0, mostShown).map(
    ({ kind, atMs, runs, text }) =>
      html`<tr><td>${anomalyWord(kind)}</td><td class="number">${duration(atMs)}</td>${settings.versions.map((_, at) => html`<td>${answerText(runs[at])}</td>`)}</tr>
<tr><td class="below" colspan="${2 + settings.versions.length}"><details><summary>formula</summary>${formulaBlock(text)}</details></td></tr>
`,
  )}</tbody></table></div>${more(all.length)}</section>`;
}

/** Files to look at, for the worst anomalies. */
export function locationSection({ locations, settings }: HuntData, folder: string): Markup | undefined {
  if (locations.length === 0) return undefined;
  const part = (location: AnomalyLocation): Markup => {
    const { anomaly, result } = location;
    const left = locateStep(location, settings, folder);
    return html`<article><h3>${locationTitle(location, settings)}</h3>
${formulaBlock(anomaly.text)}
${left === undefined ? undefined : html`<p>Not ranked yet. To rank them:</p>${commandBlock(left)}`}
${result?.kind === 'fault' ? html`<p>They could not be ranked: ${result.message}.</p>` : undefined}
${result?.kind === 'ranked' ? rankedPart(location, result, settings) : undefined}</article>`;
  };
  return html`<section id="locations"><h2>Files to look at</h2>
${locations.map(part)}</section>`;
}

function rankedPart(location: AnomalyLocation, result: LocatedFiles, settings: HuntData['settings']): Markup {
  return html`<p>It ${result.says}; ${witnessText(result)}. ${assumptionText(location, settings)}</p>
<div class="wide"><table><thead><tr><th class="number">rank</th><th>${fileTitle(result)}</th><th>why</th></tr></thead>
<tbody>${fileRows(result, result.files.length).map(
    ([rank, name, why]) => html`<tr><td class="number">${rank}</td><td>${name}</td><td>${why}</td></tr>
`,
  )}</tbody></table></div>
<details><summary>functions</summary><div class="wide"><table><thead><tr><th class="number">rank</th><th>function</th></tr></thead>
<tbody>${result.functions.map(
    ({ rank, name }) =>
      html`<tr><td class="number">${rank}</td><td><code>${name}</code></td></tr>
`,
  )}</tbody></table></div></details>`;
}

function more(many: number): Markup | undefined {
  return many <= mostShown
    ? undefined
    : html`<p class="quiet">And ${many - mostShown} more, in journal.ndjson.</p>`;
}

function answerTable(runs: AnomalyRecord['runs'], versions: readonly string[]): Markup {
  return html`<div class="wide"><table><thead><tr><th>version</th><th>answer</th><th class="number">time</th></tr></thead>
<tbody>${versions.map((name, at) => {
    const run = runs[at];
    return html`<tr><td>${name}</td><td><b>${answerText(run)}</b></td><td class="number">${run === undefined ? '' : duration(run.wallMs)}</td></tr>
`;
  })}</tbody></table></div>`;
}
