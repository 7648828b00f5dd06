/** Suspicious files, functions, lines and witnesses as one self-contained page. */

import type { RankedFile, Witness } from '../../locate/index.js';
import { visible } from '../../machine/index.js';
import { counted, html, type Markup, page } from '../../page/index.js';
import type { HeatFile, HeatRow } from '../coverage/heat-map.js';
import { addressOf } from '../coverage/heat-page.js';
import { packedFiles } from '../coverage/packed-files.js';
import { heatScript } from '../coverage/script.js';
import { heatStyle } from '../coverage/style.js';
import { evidenceText, type LocationView, stackPosition } from './location.js';

/** Maximum number of listed functions. */
const mostFunctions = 50;
const mostWitnesses = 200;

/** The count of the most suspicious line; others are relative to it. */
const thousandths = 1000;

const locationStyle = html`${heatStyle}<style>
td.change { min-width: 20rem; } td.change pre { white-space: pre-wrap; }
</style>`;

/** @param texts source files, as far as available */
export function locationHtml(
  view: LocationView,
  texts: ReadonlyMap<string, string>,
  generator: string,
): string {
  const { version, formula, evidence } = view;
  const isLines = evidence.names.counts === 'lines';
  const shown = shownFiles(view, texts);
  const packed = packedFiles({ files: shown, isCompared: false, unit: isLines ? 'lines' : 'functions' });
  const opened = new Set(packed.flatMap(({ name, data }) => (data === undefined ? [] : [name])));
  const body = html`<p><b>${version}</b> ${evidence.failure.message}.</p>
<p>${evidence.witnesses.length} ${evidence.witnesses.length === 1 ? 'witness' : 'witnesses'} among ${counted(evidence.tried, 'similar formula')}; ${evidence.failing} of them also fail. Compared with ${counted(evidence.ordinary, 'ordinary formula')}.</p>
<ul class="legend heat-legend"><li>executed by all</li>${[1, 3, 5, 7, 9].map((step) => html`<li class="h${step}">${Math.max(1, Math.round((thousandths + 1) ** (step / 9) - 1))}</li>`)}<li>thousandths of the highest score</li></ul>
${fileSection(view, opened)}
${isLines ? folderSection(view) : undefined}
<section id="lines" data-runs="1" data-most="${thousandths}" data-step="most suspicious line"><noscript><p class="quiet">Enable scripts to see lines.</p></noscript></section>
${functionSection(view)}
${stackSection(view)}
${witnessSection(view)}
${packed.map(({ name, data }) =>
  data === undefined
    ? undefined
    : html`<script type="text/plain" class="packed" data-name="${name}">${data}</script>
`,
)}`;
  return page(`Suspicious code for ${formula}`, generator, body, {
    style: locationStyle,
    script: heatScript,
  });
}

/** Files by rank, each with its lines in context, or a class with its functions. */
function shownFiles(
  { files, lines, evidence: { names } }: LocationView,
  texts: ReadonlyMap<string, string>,
): readonly HeatFile[] {
  const most = lines.reduce((high, { score }) => Math.max(high, score), 0);
  const byFile = new Map<string, Map<number, number>>();
  for (const { file, line, score } of lines) {
    const own = byFile.get(file) ?? new Map<number, number>();
    byFile.set(file, own);
    own.set(line, most <= 0 ? 0 : Math.round((Math.max(0, score) / most) * thousandths));
  }
  const numberOf = new Map(names.files.map((name, at) => [name, at]));
  return files.map(({ name }) => {
    const scores = byFile.get(name) ?? new Map<number, number>();
    const text = names.counts === 'lines' ? texts.get(name)?.split('\n') : undefined;
    const row = (number: number, shown: string): HeatRow => {
      const score = scores.get(number);
      return { first: number, second: number, text: shown, before: score, after: undefined };
    };
    const rows =
      text === undefined
        ? [...scores.keys()]
            .toSorted((a, b) => a - b)
            .map((line) =>
              row(
                line,
                names.counts === 'lines' ? '' : (names.functionAt(numberOf.get(name) ?? 0, line) ?? ''),
              ),
            )
        : text.map((line, at) => row(at + 1, line));
    return { name, rows, hasText: text !== undefined || names.counts === 'calls', totals: noTotals };
  });
}

/** This page has no totals of executions. */
const noTotals: HeatFile['totals'] = {
  whole: 0,
  executed: 0,
  only: [0, 0],
  more: [0, 0],
  executions: [0, 0],
};

const right = (value: number, shown: string): Markup =>
  html`<td class="number" data-value="${value}">${shown}</td>`;

const heads = (titles: readonly string[]): readonly Markup[] =>
  titles.map((title) => html`<th class="number" scope="col">${title}</th>`);

function fileSection({ files, evidence }: LocationView, opened: ReadonlySet<string>): Markup {
  const { names, witnesses } = evidence;
  const isLines = names.counts === 'lines';
  const hasHistory = files.some(({ history }) => history !== undefined);
  const highest = files[0]?.score ?? 0;
  const row = (file: RankedFile): Markup => {
    const label = visible(file.name);
    const link = opened.has(label) ? html`<a href="${addressOf(label)}">${label}</a>` : label;
    return html`<tr>${right(file.rank, String(file.rank))}<td class="tint ${tintOf(file.score, highest)}">${link}</td>${right(file.score, file.score.toFixed(3))}${right(file.rare, file.rare.toFixed(1))}${right(file.excess, file.excess.toFixed(1))}${right(file.coverage, file.coverage.toFixed(3))}${
      hasHistory ? right(file.history ?? 0, (file.history ?? 0).toExponential(1)) : undefined
    }<td>${evidenceText(file, witnesses.length, isLines ? 'line' : 'function')}</td></tr>
`;
  };
  return html`<section id="files"><h2>${isLines ? 'Files' : 'Classes and namespaces'}</h2>
<div class="wide"><table class="sortable filterable" data-filter="filter by name"><thead><tr><th class="number" scope="col">rank</th><th scope="col">${isLines ? 'file' : 'class'}</th>${heads(['score', 'rare', 'excess', 'coverage', ...(hasHistory ? ['history'] : [])])}<th scope="col">why</th></tr></thead>
<tbody>${files.map(row)}</tbody></table></div></section>`;
}

/** The CSS class for a score, relative to the highest. */
function tintOf(score: number, highest: number): string {
  return score <= 0 || highest <= 0 ? '' : `h${Math.max(1, Math.ceil((9 * score) / highest))}`;
}

/** Folders with totals of the files below them, those with the best-ranked file first. */
function folderSection({ files }: LocationView): Markup {
  const folders = new Map<string, { files: number; best: number; rare: number; score: number }>();
  for (const { name, rank, rare, score } of files)
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
      const folder = name.slice(0, at + 1);
      const known = folders.get(folder) ?? { files: 0, best: rank, rare: 0, score };
      folders.set(folder, { ...known, files: known.files + 1, rare: known.rare + Math.max(0, rare) });
    }
  const highest = files[0]?.score ?? 0;
  const row = ([name, { files: number, best, rare, score }]: (typeof sorted)[number]): Markup => {
    const label = visible(name);
    return html`<tr data-folder="${label}"><td class="tint ${tintOf(score, highest)}"><a href="${addressOf(label)}">${label}</a></td>${right(number, String(number))}${right(best, String(best))}${right(rare, rare.toFixed(1))}</tr>
`;
  };
  const sorted = [...folders].toSorted(([a, one], [b, other]) => one.best - other.best || (a < b ? -1 : 1));
  return html`<section id="folders"><h2>Folders</h2>
<div class="wide"><table class="sortable filterable" data-filter="filter by name"><thead><tr><th scope="col">folder</th>${heads(['files', 'best rank', 'rare'])}</tr></thead>
<tbody>${sorted.map(row)}</tbody></table></div></section>`;
}

function functionSection({ functions }: LocationView): Markup {
  return html`<section id="functions"><h2>Functions</h2>
<div class="wide"><table class="sortable"><thead><tr>${heads(['rank', 'score'])}<th scope="col">function</th><th scope="col">why</th></tr></thead>
<tbody>${functions.slice(0, mostFunctions).map(
    ({ rank, score, name, stack }) =>
      html`<tr>${right(rank, String(rank))}${right(score, score.toFixed(3))}<td><code>${name}</code></td><td>${stack === undefined ? '' : `had not returned: ${stackPosition(stack)} on the stack`}</td></tr>
`,
  )}</tbody></table></div></section>`;
}

function stackSection({ evidence: { stack } }: LocationView): Markup | undefined {
  if (stack.length === 0) return undefined;
  return html`<section id="stack"><h2>Stack at the end</h2>
<p>Calls that had not returned, the last first.</p>
<ol>${stack.map(
    ({ name, file, lines: [from] }) =>
      html`<li><code>${name}</code>, <a href="${addressOf(`${visible(file)}:${from}`)}">${visible(file)}</a></li>
`,
  )}</ol></section>`;
}

/** The most similar witnesses first. */
function witnessSection({ evidence: { witnesses } }: LocationView): Markup {
  const nearest = witnesses.toSorted((a, b) => b.similarity - a.similarity).slice(0, mostWitnesses);
  const row = ({ change, text, similarity, lacks, beyond, lacksIn }: Witness): Markup =>
    html`<tr>${right(similarity, similarity.toFixed(3))}<td class="change"><details><summary><code>${change}</code></summary><pre>${text}</pre></details></td>${right(lacks, String(lacks))}${right(beyond, String(beyond))}<td>${lacksIn.map(({ file, places }) => `${visible(file)} (${places})`).join(', ')}</td></tr>
`;
  const left = witnesses.length - nearest.length;
  return html`<section id="witnesses"><h2>Witnesses</h2>
<p>Similar formulas that do not fail. A witness lacks places that only the failing formula executes, and may execute others in addition.</p>
<div class="wide"><table class="sortable filterable" data-filter="filter by change"><thead><tr>${heads(['similarity'])}<th scope="col">change</th>${heads(['lacks', 'in addition'])}<th scope="col">most missing places are in</th></tr></thead>
<tbody>${nearest.map(row)}</tbody></table></div>${left === 0 ? undefined : html`<p class="quiet">${left} less similar witnesses are left out.</p>`}</section>`;
}
