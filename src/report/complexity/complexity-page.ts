/** Change complexity as one self-contained page with the changed code, the most complex change first. */

import type { Interactions, MeasuredFunction, NamedChange } from '../../change/index.js';
import { counted, day, html, type Markup, page } from '../../page/index.js';
import { changedSource } from '../source/changed-source.js';
import { sourceBlock, sourceLegend } from '../source/source-page.js';
import { graphOnPage } from './change-graph.js';
import { aboveText, changeName, interactionRows, isAbove, mostComplex, shownChanges } from './complexity.js';

interface ComplexityPage {
  readonly changes: readonly NamedChange[];
  /** The limit, if there is one. */
  readonly max?: number | undefined;
  /** Also lists changes of complexity 0. */
  readonly isEvery?: boolean | undefined;
  /** Maximum number of listed changes. */
  readonly top?: number | undefined;
  /** Of a single change; needs the whole program. */
  readonly interactions?: Interactions | undefined;
}

/** Maximum number of changes with code, and of functions in each. */
const mostChanges = 25;
const mostFunctions = 25;

export async function complexityHtml(given: ComplexityPage, generator: string): Promise<string> {
  const { changes, max, isEvery = false, top = Number.POSITIVE_INFINITY } = given;
  const { rows, left } = shownChanges(changes, isEvery);
  const ranked = mostComplex(rows, top);
  const shown = ranked.filter(({ measure }) => measure.functions.length > 0).slice(0, mostChanges);
  const places = new Map(shown.map((change, at) => [change, at + 1]));
  const sections: Markup[] = [];
  for (const [change, at] of places) sections.push(await changeSection(change, at, given));
  const unshown = ranked.filter((change) => change.measure.functions.length > 0 && !places.has(change));
  const body = html`${limitLine(changes, places, max)}
${changes.length < 2 ? undefined : overview(ranked, places, max)}
${left === 0 ? undefined : html`<p class="quiet">${counted(left, 'more change')} of complexity 0: no executed code changed (--all lists ${left === 1 ? 'it' : 'them'}).</p>`}
${sections}
${unshown.length === 0 ? undefined : html`<p class="quiet">The code of ${counted(unshown.length, 'less complex change')} is not shown. Measure a single change to see its code.</p>`}
<section id="meaning"><details><summary>What the numbers mean</summary>
${meaning}</details></section>`;
  return page(titleOf(changes), generator, body);
}

function titleOf(changes: readonly NamedChange[]): string {
  const [first, ...others] = mostComplex(changes, changes.length);
  if (first === undefined) return 'No change';
  const most = `complexity ${first.measure.complexity}`;
  if (others.length === 0) return `${changeName(first)}: ${most}`;
  return `${counted(changes.length, 'change')}, the most complex ${changeName(first)}: ${most}`;
}

function limitLine(
  changes: readonly NamedChange[],
  places: ReadonlyMap<NamedChange, number>,
  max: number | undefined,
): Markup | undefined {
  if (max === undefined) return undefined;
  const above = mostComplex(changes, changes.length).filter((change) => isAbove(change, max));
  if (above.length === 0)
    return html`<p class="good">${changes.length === 1 ? 'It is not' : 'None is'} above the limit of ${max}.</p>`;
  const named = above.slice(0, mostChanges);
  const more = above.length > named.length ? ` and ${above.length - named.length} more` : '';
  return html`<p class="bad"><b>${aboveText(changes, max)}</b>: ${named.map((change, at) => [at === 0 ? '' : ', ', linked(change, places), ` (${change.measure.complexity})`])}${more}.</p>`;
}

/** The change's name, with a link to its section if it has one. */
function linked(change: NamedChange, places: ReadonlyMap<NamedChange, number>): Markup {
  const place = places.get(change);
  const name = html`<code>${changeName(change)}</code>`;
  return place === undefined ? name : html`<a href="#change-${place}">${name}</a>`;
}

function overview(
  ranked: readonly NamedChange[],
  places: ReadonlyMap<NamedChange, number>,
  max: number | undefined,
): Markup {
  return html`<section id="changes"><h2>Changes</h2>
<div class="wide"><table class="sortable filterable" data-filter="filter by words of a change"><thead><tr><th>change</th><th class="number">CyCC</th><th class="number">CLoC</th><th class="number">functions</th><th class="number">files</th><th>subject</th></tr></thead>
<tbody>${ranked.map((change) => {
    const { of, measure } = change;
    const kind = max !== undefined && isAbove(change, max) ? 'number alarm' : 'number';
    return html`<tr><td>${linked(change, places)}</td><td class="${kind}">${measure.complexity}</td><td class="number">${measure.lines}</td><td class="number">${measure.functions.length}</td><td class="number">${measure.files.length}</td><td class="words">${typeof of === 'string' ? '' : of.subject}</td></tr>
`;
  })}</tbody></table></div></section>`;
}

async function changeSection(
  change: NamedChange,
  place: number,
  { max, interactions }: ComplexityPage,
): Promise<Markup> {
  const { of, measure } = change;
  const functions = measure.functions.toSorted(
    (a, b) => b.blocks.length - a.blocks.length || b.lines - a.lines,
  );
  const shown = functions.slice(0, mostFunctions);
  const badge =
    max !== undefined && isAbove(change, max)
      ? html` <span class="badge strong">above the limit of ${max}</span>`
      : undefined;
  return html`<section id="change-${place}"><h2><code>${changeName(change)}</code> ${typeof of === 'string' ? '' : of.subject}</h2>
${typeof of === 'string' ? undefined : html`<p class="quiet">${[of.author, day(of.time)].filter((word) => word !== '').join(', ')}</p>`}
<p>Complexity <b>${measure.complexity}</b>${badge}: ${counted(measure.lines, 'changed line')} in ${counted(measure.graph.blocks.length, 'block')} of ${counted(measure.functions.length, 'function')}, with ${counted(measure.graph.edgeCount, 'edge')} between them.</p>
${interactions === undefined ? undefined : interactionTable(interactions)}
${place > 1 ? undefined : sourceLegend()}
${shown.map((fn) => functionPart(fn, change))}
${functions.length === shown.length ? undefined : html`<p class="quiet">${counted(functions.length - shown.length, 'more function')} with fewer changed blocks.</p>`}
${await graphPart(change, place, interactions)}
${measure.notes.length === 0 ? undefined : html`<details><summary>${counted(measure.notes.length, 'note')} on the analysis</summary><ul>${measure.notes.map((note) => html`<li>${note}</li>`)}</ul></details>`}
</section>`;
}

/** The graph, or the command that draws it if it is too large for a page. */
async function graphPart(
  change: NamedChange,
  place: number,
  interactions: Interactions | undefined,
): Promise<Markup | undefined> {
  const graph = await graphOnPage(change, String(place), interactions?.sequences);
  if (graph === undefined) return undefined;
  if (graph === 'too large')
    return html`<p class="quiet">The change sequence graph is too large for a page: draw it with --graph changes.svg.</p>`;
  const caption =
    interactions === undefined
      ? 'In which orders the changed blocks can be executed'
      : 'In which orders the changes can be executed, and where they can interact';
  return html`<figure><figcaption>${caption}</figcaption>
${graph}</figure>`;
}

function functionPart(fn: MeasuredFunction, { measure }: NamedChange): Markup {
  const { name, file, firstLine, lines, blocks } = fn;
  const text = measure.texts.get(file);
  return html`<h3><code>${name}</code> <small class="quiet">${file}:${firstLine}, ${counted(lines, 'changed line')} in ${counted(blocks.length, 'block')}</small></h3>
${text === undefined ? undefined : sourceBlock(changedSource(fn, text, measure.edits.get(file)))}`;
}

function interactionTable({ found }: Interactions): Markup {
  if (found.length === 0) return html`<p>No other statement depends on more than one of the changes.</p>`;
  const { rows, left } = interactionRows(found);
  return html`<h3>Where changes can interact</h3>
<div class="wide"><table><thead><tr><th>at</th><th>in</th><th>changed lines</th></tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>${
    left === 0
      ? undefined
      : html`
<p class="quiet">And ${counted(left, 'more place')}; --json has all.</p>`
  }`;
}

const meaning = html`<dl>
<dt>CyCC</dt><dd>Cyclomatic change complexity: how many independent orders there are in which changed code can be executed. E - N + 2P of the change sequence graph: its edges, its nodes, and its connected components. A change of straight-line code has 1; a change of no executed code has 0.</dd>
<dt>CLoC</dt><dd>Changed executable lines. Comments, white space and line breaks do not count; removed code counts once, at its old place; a line that uses a changed macro or variable counts as well.</dd>
<dt>Blocks</dt><dd>Basic blocks of the new version that hold a changed line. An arrow leads from one to another if control may pass between them without passing a third, over calls and returns as well.</dd>
</dl>
<p class="quiet">Böhme: Cyclomatic change complexity, from the change sequence graph of a commit.</p>`;
