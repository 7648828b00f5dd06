/** A heat map as one self-contained page: folders, files, and the lines of a file once it is opened. */

import { growth } from '../../coverage/index.js';
import { visible } from '../../machine/index.js';
import { count, counted, html, type Markup, page } from '../../page/index.js';
import type { Demangler } from '../../program/compile/index.js';
import { type CoverageView, fullNameOf } from './coverage.js';
import {
  type HeatFile,
  type HeatFolder,
  type HeatMap,
  type HeatSide,
  type HeatSides,
  type HeatTotals,
  heatMap,
  mostOf,
} from './heat-map.js';
import { packedFiles } from './packed-files.js';
import { heatScript } from './script.js';
import { heatStyle } from './style.js';

/** Maximum number of listed functions. */
const mostFunctions = 50;

export function heatHtml(sides: HeatSides, generator: string, demangle: Demangler = (name) => name): string {
  const map = heatMap(sides);
  const packed = packedFiles(map);
  const shown = new Set(packed.flatMap(({ name, data }) => (data === undefined ? [] : [name])));
  const [first, second] = sides;
  const body = html`${runsPart(first, second)}
${legend(map)}
${map.folders.length === 0 ? undefined : folderSection(map)}
${fileSection(map, shown)}
<section id="lines" data-runs="${map.isCompared ? 2 : 1}" data-most="${map.most}"><noscript><p class="quiet">Enable scripts to see lines.</p></noscript></section>
${functionSection(first.view, second?.view, demangle)}
${packed.map(({ name, data }) =>
  data === undefined
    ? undefined
    : html`<script type="text/plain" class="packed" data-name="${name}">${data}</script>
`,
)}`;
  return page(titleOf(first, second), generator, body, { style: heatStyle, script: heatScript });
}

function titleOf({ view }: HeatSide, second: HeatSide | undefined): string {
  const name = fullNameOf(view.of);
  return second === undefined ? `Coverage of ${name}` : `${fullNameOf(second.view.of)} compared with ${name}`;
}

function runsPart(first: HeatSide, second: HeatSide | undefined): Markup {
  const line = ({ view }: HeatSide, letter: string, kind: string): Markup =>
    html`<li class="${kind}">${letter === '' ? undefined : html`<b>${letter}</b>: `}${fullNameOf(view.of)}${'counters' in view.of ? undefined : `: ${view.of.outcome}`}</li>`;
  if (second === undefined) return html`<ul class="legend heat-legend">${line(first, '', '')}</ul>`;
  return html`<ul class="legend heat-legend">${line(first, 'A', 'a4')}${line(second, 'B', 'b4')}</ul>`;
}

function legend({ isCompared, unit, totals, files, most }: HeatMap): Markup {
  const row = unit === 'lines' ? 'line' : 'function';
  const [home, homes] = unit === 'lines' ? ['file', 'files'] : ['class', 'classes'];
  const sum = html`<p>${counted(totals.executed, row)} of ${totals.whole.toLocaleString('en')} executed, in ${files.length} ${files.length === 1 ? home : homes}${
    isCompared
      ? `; ${totals.only[0].toLocaleString('en')} only by A, ${totals.only[1].toLocaleString('en')} only by B, ${totals.more[0].toLocaleString('en')} more often by A, ${totals.more[1].toLocaleString('en')} more often by B`
      : ''
  }.</p>`;
  if (isCompared)
    return html`${sum}
<ul class="legend heat-legend"><li class="a4">only A</li><li class="a3">A ten times as often</li><li class="a2">twice</li><li class="a1">more often</li><li>as often</li><li class="b1">more often</li><li class="b2">twice</li><li class="b3">B ten times as often</li><li class="b4">only B</li></ul>`;
  const steps = [1, 3, 5, 7, 9].map(
    (step) => html`<li class="h${step}">${count(Math.max(1, Math.round((most + 1) ** (step / 9) - 1)))}</li>`,
  );
  return html`${sum}
<ul class="legend heat-legend"><li>0</li>${steps}</ul>`;
}

/** A column of totals. */
interface Column {
  readonly title: string;
  readonly value: (totals: HeatTotals) => number;
}

const comparedColumns: readonly Column[] = [
  { title: 'only A', value: ({ only }) => only[0] },
  { title: 'only B', value: ({ only }) => only[1] },
  { title: 'more in A', value: ({ more }) => more[0] },
  { title: 'more in B', value: ({ more }) => more[1] },
  { title: 'executed', value: ({ executed }) => executed },
  { title: 'of', value: ({ whole }) => whole },
  { title: 'times in A', value: ({ executions }) => executions[0] },
  { title: 'times in B', value: ({ executions }) => executions[1] },
];

const singleColumns: readonly Column[] = [
  { title: 'executed', value: ({ executed }) => executed },
  { title: 'of', value: ({ whole }) => whole },
  { title: 'times', value: ({ executions }) => executions[0] },
];

function columnsOf({ isCompared }: HeatMap): readonly Column[] {
  return isCompared ? comparedColumns : singleColumns;
}

function heads(columns: readonly Column[]): readonly Markup[] {
  return columns.map(({ title }) => html`<th class="number" scope="col">${title}</th>`);
}

function cells(totals: HeatTotals, columns: readonly Column[]): readonly Markup[] {
  return columns.map(
    ({ value }) => html`<td class="number" data-value="${value(totals)}">${count(value(totals))}</td>`,
  );
}

function folderSection(map: HeatMap): Markup {
  const columns = columnsOf(map);
  const isLines = map.unit === 'lines';
  const most = map.folders.reduce((high, { totals }) => Math.max(high, totals.executions[0]), 0);
  const row = ({ name, files, totals }: HeatFolder): Markup => {
    const shown = visible(name);
    return html`<tr data-folder="${shown}"><td class="tint ${tint(totals, totals.executions[0], most, map)}"><a href="${addressOf(shown)}">${shown}</a></td><td class="number">${files}</td>${cells(totals, columns)}</tr>
`;
  };
  return html`<section id="folders"><h2>${isLines ? 'Folders' : 'Namespaces'}</h2>
<div class="wide"><table class="sortable filterable" data-filter="filter by name"><thead><tr><th scope="col">${isLines ? 'folder' : 'namespace'}</th><th class="number" scope="col">${isLines ? 'files' : 'classes'}</th>${heads(columns)}</tr></thead>
<tbody>${map.folders.map(row)}</tbody></table></div></section>`;
}

function fileSection(map: HeatMap, shown: ReadonlySet<string>): Markup {
  const columns = columnsOf(map);
  const isLines = map.unit === 'lines';
  const row = ({ name, totals, rows }: HeatFile): Markup => {
    const label = visible(name);
    const link = shown.has(label) ? html`<a href="${addressOf(label)}">${label}</a>` : label;
    return html`<tr><td class="tint ${tint(totals, mostOf(rows), map.most, map)}">${link}</td>${cells(totals, columns)}</tr>
`;
  };
  const left = map.files.length - shown.size;
  return html`<section id="files"><h2>${isLines ? 'Files' : 'Classes and namespaces'}</h2>
<div class="wide"><table class="sortable filterable" data-filter="filter by name"><thead><tr><th scope="col">${isLines ? 'file' : 'class'}</th>${heads(columns)}</tr></thead>
<tbody>${map.files.map(row)}</tbody></table></div>${
    left === 0
      ? undefined
      : html`
<p class="quiet">The ${isLines ? 'lines' : 'functions'} of the ${left} least relevant are left out: the page would be too large.</p>`
  }</section>`;
}

/** The CSS class of a file's cell: its highest count, or the run with more executions. */
function tint({ only, more }: HeatTotals, times: number, most: number, { isCompared }: HeatMap): string {
  if (!isCompared)
    return times === 0 ? '' : `h${Math.max(1, Math.ceil((9 * Math.log(times + 1)) / Math.log(most + 1)))}`;
  const [a, b] = [only[0] + more[0], only[1] + more[1]];
  if (a === b) return '';
  const share = Math.max(a, b) / Math.min(a, b);
  return `${a > b ? 'a' : 'b'}${share < 2 ? 1 : share < 10 ? 2 : 3}`;
}

/** The page's script computes the same address. */
export function addressOf(name: string): string {
  return `#${encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** The most called functions, or those whose calls differ most. */
function functionSection(
  { executed }: CoverageView,
  second: CoverageView | undefined,
  demangle: Demangler,
): Markup | undefined {
  if (second === undefined) {
    const most = [...executed.functions].toSorted((a, b) => b[1] - a[1]).slice(0, mostFunctions);
    return functionTable(
      'Functions called most',
      ['calls'],
      most.map(([name, calls]) => ({ name: demangle(name), calls: [calls] })),
    );
  }
  const grown = growth(executed, second.executed);
  const shrunk = growth(second.executed, executed).map(({ name, before, after }) => ({
    name,
    before: after,
    after: before,
  }));
  const differing = [...grown, ...shrunk]
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
    .slice(0, mostFunctions);
  return functionTable(
    'Functions whose calls differ most',
    ['calls in A', 'calls in B'],
    differing.map(({ name, before, after }) => ({ name: demangle(name), calls: [before, after] })),
  );
}

function functionTable(
  title: string,
  titles: readonly string[],
  functions: readonly { readonly name: string; readonly calls: readonly number[] }[],
): Markup | undefined {
  if (functions.length === 0) return undefined;
  return html`<section id="functions"><h2>${title}</h2>
<div class="wide"><table class="sortable"><thead><tr>${titles.map((name) => html`<th class="number" scope="col">${name}</th>`)}<th scope="col">function</th></tr></thead>
<tbody>${functions.map(
    ({ name, calls }) =>
      html`<tr>${calls.map((times) => html`<td class="number" data-value="${times}">${count(times)}</td>`)}<td><code>${name}</code></td></tr>
`,
  )}</tbody></table></div></section>`;
}
