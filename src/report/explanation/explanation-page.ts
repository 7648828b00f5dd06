/** An explanation as one self-contained page: the blamed changes, then the causes next to the source. */

import {
  type BlamedChange,
  type CauseLine,
  type CauseTree,
  type Change,
  type ExplainSettings,
  type Explanation,
  nameOfSources,
  type Precondition,
} from '../../explain/index.js';
import {
  commandBlock,
  count,
  counted,
  duration,
  html,
  type Markup,
  page,
  settingsTable,
} from '../../page/index.js';
import type { ShownLine } from '../source/changed-source.js';
import { sourceBlock } from '../source/source-page.js';
import { causeHead, isOn, valuesText } from './cause-tree.js';
import {
  changeHeading,
  type ExplanationView,
  explainCommandText,
  isIn,
  patchText,
  repairText,
  searchedText,
  shortNames,
  slowdownText,
  stayingNote,
  textOf,
} from './explanation.js';
import { explanationScript } from './script.js';
import { SourcePanel } from './source-panel.js';
import { explanationStyle } from './style.js';

/** Maximum number of old lines, and of new lines, of a change. */
const mostLines = 200;
/** Lines of context around a change. */
const around = 3;
/**
 * Maximum number of unfolded lines of one cause, and of lines of all causes. The last lines are closest to the
 * failure.
 */
const mostAtOnce = 40;
const mostSteps = 4000;
/** Maximum number of listed functions. */
const mostFunctions = 50;
/** Causes up to this depth are unfolded. */
const deepestOpen = 3;
/** A longer patch is not shown. */
const mostPatchLetters = 200_000;

export function explanationHtml({ settings, explanation }: ExplanationView, generator: string): string {
  const { blamed, auxiliary, carriers, causes, sources } = explanation;
  const panel = new SourcePanel(sources, blamed);
  const slowdown = slowdownText({ settings, explanation });
  const body = html`${failurePart(causes)}
${slowdown === undefined ? undefined : html`<p>${sentence(slowdown)}</p>`}
<p class="${explanation.isRepaired ? 'good' : 'bad'}">${sentence(repairText(explanation.isRepaired))}</p>
${explanation.notes.map((note) => html`<p class="quiet">Note: ${note}.</p>`)}
<section id="blamed"><h2>To blame <small>of ${searchedText(explanation)}</small></h2>
${blamed.map((change) => changePart(change, panel, stayingNote(change)))}</section>
${causesPart(explanation, panel)}
${functionsPart(explanation)}
${changesPart(
  'auxiliary',
  'Must be reverted with them',
  'Without these reverts, the program does not compile.',
  auxiliary,
  panel,
)}
${changesPart(
  'carriers',
  'Pass it on',
  'They need not be reverted: the blamed changes lead to the failure through them.',
  carriers,
  panel,
)}
${patchPart(explanation)}
<section id="settings"><details><summary><h2>How it was found</h2></summary>
${settingsPart(settings, explanation)}</details></section>`;
  const [old, next] = shortNames(settings);
  const title = `${counted(blamed.length, 'change')} to blame between ${old} and ${next}`;
  return page(title, generator, body, { style: explanationStyle, script: explanationScript });
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function failurePart(causes: Explanation['causes']): Markup | undefined {
  if (causes === undefined) return undefined;
  const { does, instead, at } = causes;
  return html`<dl class="failure"><dt>it does</dt><dd><code>${does}</code>${at === undefined ? undefined : html` at <code>${at}</code>`}</dd>${
    instead === undefined ? undefined : html`<dt>instead of</dt><dd><code>${instead}</code></dd>`
  }</dl>`;
}

function changePart(change: Change, panel: SourcePanel, words = ''): Markup {
  return html`<h3><code>${changeHeading(change)}</code>${words}</h3>
<div class="difference">${sourceBlock(shownLines(change, panel))}</div>`;
}

/** The change as a diff with context. */
function shownLines(
  { file, new: { from, to }, oldLines, newLines }: Change,
  panel: SourcePanel,
): readonly ShownLine[] {
  const context = (first: number, last: number): readonly ShownLine[] => {
    const lines: ShownLine[] = [];
    for (let line = first; line <= last; line++) {
      const text = panel.textAt(file, line);
      if (text !== undefined) lines.push({ kind: 'same', line, text, isCounted: false, words: [] });
    }
    return lines;
  };
  const clipped = (lines: readonly ShownLine[]): readonly ShownLine[] =>
    lines.length <= mostLines
      ? lines
      : [
          ...lines.slice(0, mostLines),
          {
            kind: 'same',
            text: `… ${count(lines.length - mostLines)} more lines`,
            isCounted: false,
            words: [],
          },
        ];
  return [
    ...context(from - around, from - 1),
    ...clipped(
      oldLines.map((line) => ({ kind: 'removed', text: textOf(line), isCounted: false, words: [] })),
    ),
    ...clipped(
      newLines.map((line, at) => ({
        kind: 'added',
        line: from + at,
        text: textOf(line),
        isCounted: false,
        words: [],
      })),
    ),
    ...context(to + 1, to + around),
  ];
}

function causesPart({ tree, blamed }: Explanation, panel: SourcePanel): Markup | undefined {
  // A change outside the tree gets its chain of lines to the failure.
  const chained = blamed.filter((change) => !isIn(tree, change) && change.chain.length > 1);
  if (tree === undefined && chained.length === 0) return undefined;
  const writer = new CauseWriter(panel, blamed);
  return html`<section id="why"><h2>Why it fails</h2>
<p class="quiet">From the failure back to the blamed changes: the lines that cause it, and the decisions behind them. Select a line to see its place in the source, the other lines of its cause, and the values of their variables.</p>
<div class="beside"><div class="causes">
${tree === undefined ? undefined : writer.cause(tree, 0)}
${chained.map((change) => writer.chain(change))}</div>
${panel.isEmpty ? undefined : panel.markup()}</div></section>`;
}

/** The conditions, line by line, under which the failure would not happen. */
function preconditions(steps: readonly Precondition[]): Markup | undefined {
  if (steps.length === 0) return undefined;
  const rows = steps.map(
    ({ file, line, condition, isPossible }) =>
      html`<li><code>${file}:${line}</code> <code>${condition}</code>${isPossible ? '' : ' (impossible)'}</li>`,
  );
  return html`<details><summary>conditions under which it would not fail</summary><ol class="steps">${rows}</ol></details>`;
}

/** Writes causes with numbers until the page's limit of lines is reached. */
class CauseWriter {
  #causes = 0;
  #left = mostSteps;

  constructor(
    private readonly panel: SourcePanel,
    private readonly blamed: readonly Change[],
  ) {}

  cause(tree: CauseTree, depth: number): Markup {
    const attributes = depth < deepestOpen ? html` open` : undefined;
    return html`<details class="cause"${attributes}><summary>${causeHead(tree)}</summary>
${this.#steps(tree.lines)}${preconditions(tree.preconditions ?? [])}${tree.because.map((inner) => this.cause(inner, depth + 1))}</details>
`;
  }

  chain(change: BlamedChange): Markup {
    return html`<details class="cause" open><summary>how ${changeHeading(change)} leads to the failure</summary>
${this.#steps(change.chain)}</details>
`;
  }

  #steps(lines: readonly CauseLine[]): Markup {
    const cause = this.#causes++;
    const kept = lines.slice(-this.#left || lines.length);
    this.#left = Math.max(0, this.#left - kept.length);
    const [early, late] = [kept.slice(0, -mostAtOnce), kept.slice(-mostAtOnce)];
    const list = (some: readonly CauseLine[]): Markup =>
      html`<ol class="steps">${some.map((line) => this.#step(line, cause))}</ol>`;
    return html`${
      early.length === 0
        ? undefined
        : html`<details><summary>${counted(early.length, 'line')} before</summary>${list(early)}</details>`
    }${list(late)}`;
  }

  #step(line: CauseLine, cause: number): Markup {
    const id = this.panel.idOf(line);
    const values = valuesText(line);
    const kind = this.blamed.some((change) => isOn(line, change)) ? 'step changed' : 'step';
    const place = `${line.file}:${line.line}`;
    const words = html`<span class="place" title="${place}">${place.slice(place.lastIndexOf('/') + 1)}</span><code>${line.text}</code>${
      values === '' ? undefined : html` <span class="values">${values}</span>`
    }`;
    return id === undefined
      ? html`<li><span class="${kind}">${words}</span></li>
`
      : html`<li><a class="${kind}" href="#${id}" data-cause="${cause}" data-seen="${values}">${words}</a></li>
`;
  }
}

function functionsPart({ slowdown }: Explanation): Markup | undefined {
  if (slowdown === undefined || slowdown.functions.length === 0) return undefined;
  return html`<section id="work"><h2>Functions that do more</h2>
<p class="quiet">Number of executed lines in the old and in the new version.</p>
<div class="wide"><table class="sortable"><thead><tr><th class="number" scope="col">before</th><th class="number" scope="col">after</th><th scope="col">function</th><th scope="col">file</th></tr></thead>
<tbody>${slowdown.functions.slice(0, mostFunctions).map(
    ({ file, name, before, after }) =>
      html`<tr><td class="number" data-value="${before}">${count(before)}</td><td class="number" data-value="${after}">${count(after)}</td><td><code>${name}</code></td><td>${file}</td></tr>
`,
  )}</tbody></table></div></section>`;
}

function changesPart(
  id: string,
  title: string,
  why: string,
  changes: readonly Change[],
  panel: SourcePanel,
): Markup | undefined {
  if (changes.length === 0) return undefined;
  return html`<section id="${id}"><h2>${title} <small>${counted(changes.length, 'change')}</small></h2>
<p class="quiet">${why}</p>
${changes.map(
  (change) => html`<details><summary><code>${changeHeading(change)}</code></summary>
<div class="difference">${sourceBlock(shownLines(change, panel))}</div></details>
`,
)}</section>`;
}

function patchPart(explanation: Explanation): Markup {
  const patch = patchText(explanation);
  return html`<section id="patch"><h2>The patch that reverts them</h2>
<p class="quiet">For git apply or patch -p1 in the new version; it is revert.patch in the folder of the explanation.</p>
${
  patch.length > mostPatchLetters
    ? html`<p>The patch is too large for a page: ${counted(patch.split('\n').length - 1, 'line')}.</p>`
    : html`<pre class="patch">${patch}</pre>`
}</section>`;
}

function settingsPart(settings: ExplainSettings, { effort, reasoning }: Explanation): Markup {
  const rows: readonly (readonly [string, string])[] = [
    ['old version', nameOfSources(settings.old)],
    ['new version', nameOfSources(settings.new)],
    ['build', settings.build],
    ['test', settings.test],
    ['strategy', settings.strategy],
    ...(settings.only.length === 0 ? [] : [['only', settings.only.join(', ')] as const]),
    ['repeated', counted(settings.repeats, 'time')],
    ['limits', `${duration(settings.buildLimitMs)} a build, ${duration(settings.testLimitMs)} a test`],
    ['tried', `${counted(effort.builds, 'build')}, ${counted(effort.tests, 'test run')}`],
    [
      'solver',
      `${counted(reasoning.questions, 'question')} about ${counted(reasoning.causes, 'cause')} in ${duration(reasoning.solverMs)}`,
    ],
    ['created by', `culprit ${settings.culprit}`],
  ];
  return html`${settingsTable(rows)}
${commandBlock(explainCommandText(settings))}`;
}
