/** Why a test fails, as one page that needs nothing but itself: what is to blame first, then why, beside the source. */

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
import { commandBlock, count, counted, duration, html, type Markup, page } from '../../page/index.js';
import type { ShownLine } from '../source/changed-source.js';
import { sourceBlock } from '../source/source-page.js';
import { causeHead, isOn, valuesText } from './cause-tree.js';
import {
  amongText,
  type ExplanationView,
  explainCommandText,
  headOf,
  isIn,
  patchText,
  repairedText,
  shortNames,
  slowdownText,
  stayingText,
  textOf,
} from './explanation.js';
import { explanationScript } from './script.js';
import { SourcePanel } from './source-panel.js';
import { explanationStyle } from './style.js';

/** Of one change, more lines say less. */
const mostLines = 200;
/** Lines around a change that say where it is. */
const around = 3;
/** Lines of one cause that are shown at once, and of all causes together; the latest of each are closest to the failure. */
const mostAtOnce = 40;
const mostSteps = 4000;
/** Functions in which more is done. */
const mostFunctions = 50;
/** Causes this deep are unfolded. */
const deepestOpen = 3;
/** A patch that takes back whole files is not read on a page. */
const mostPatchLetters = 200_000;

export function explanationHtml({ settings, explanation }: ExplanationView, generator: string): string {
  const { blamed, auxiliary, carriers, causes, sources } = explanation;
  const panel = new SourcePanel(sources, blamed);
  const slowdown = slowdownText({ settings, explanation });
  const body = html`${failurePart(causes)}
${slowdown === undefined ? undefined : html`<p>${sentence(slowdown)}</p>`}
<p class="${explanation.isRepaired ? 'good' : 'bad'}">${sentence(repairedText(explanation.isRepaired))}</p>
${explanation.notes.map((note) => html`<p class="quiet">Note: ${note}.</p>`)}
<section id="blamed"><h2>To blame <small>of ${amongText(explanation)}</small></h2>
${blamed.map((change) => changePart(change, panel, stayingText(change)))}</section>
${whyPart(explanation, panel)}
${workPart(explanation)}
${othersPart(
  'auxiliary',
  'Must be taken back with them',
  'The program does not compile without.',
  auxiliary,
  panel,
)}
${othersPart(
  'carriers',
  'Pass it on',
  'They need not be taken back: what is blamed comes to the failure through them.',
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
    instead === undefined ? undefined : html`<dt>in place of</dt><dd><code>${instead}</code></dd>`
  }</dl>`;
}

function changePart(change: Change, panel: SourcePanel, words = ''): Markup {
  return html`<h3><code>${headOf(change)}</code>${words}</h3>
<div class="difference">${sourceBlock(shownLines(change, panel))}</div>`;
}

/** As a difference: what was there, what is there now, and what stands around. */
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

function whyPart({ tree, blamed }: Explanation, panel: SourcePanel): Markup | undefined {
  // Where a change is not in the tree, the lines by which it comes to the failure are told.
  const chained = blamed.filter((change) => !isIn(tree, change) && change.chain.length > 1);
  if (tree === undefined && chained.length === 0) return undefined;
  const writer = new CauseWriter(panel, blamed);
  return html`<section id="why"><h2>Why it fails</h2>
<p class="quiet">From the failure back to what is to blame: what forces it, and the decisions that rests on. A line shows its place in the source, with the lines of its cause marked and what their variables held.</p>
<div class="beside"><div class="causes">
${tree === undefined ? undefined : writer.cause(tree, 0)}
${chained.map((change) => writer.chain(change))}</div>
${panel.isEmpty ? undefined : panel.markup()}</div></section>`;
}

/** What would have had to hold for the failure not to be, statement by statement. */
function preconditions(steps: readonly Precondition[]): Markup | undefined {
  if (steps.length === 0) return undefined;
  const rows = steps.map(
    ({ file, line, condition, isPossible }) =>
      html`<li><code>${file}:${line}</code> <code>${condition}</code>${isPossible ? '' : ', which is impossible'}</li>`,
  );
  return html`<details><summary>what would have to hold for it not to fail</summary><ol class="steps">${rows}</ol></details>`;
}

/** Causes one after the other, each with a number, as long as there is room on the page. */
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
    return html`<details class="cause" open><summary>how ${headOf(change)} comes to the failure</summary>
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

function workPart({ slowdown }: Explanation): Markup | undefined {
  if (slowdown === undefined || slowdown.functions.length === 0) return undefined;
  return html`<section id="work"><h2>Where more is done</h2>
<p class="quiet">Lines executed, each as often as it was, in the old version and in the new one.</p>
<div class="wide"><table class="sortable"><thead><tr><th class="number" scope="col">before</th><th class="number" scope="col">after</th><th scope="col">function</th><th scope="col">file</th></tr></thead>
<tbody>${slowdown.functions.slice(0, mostFunctions).map(
    ({ file, name, before, after }) =>
      html`<tr><td class="number" data-value="${before}">${count(before)}</td><td class="number" data-value="${after}">${count(after)}</td><td><code>${name}</code></td><td>${file}</td></tr>
`,
  )}</tbody></table></div></section>`;
}

function othersPart(
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
  (change) => html`<details><summary><code>${headOf(change)}</code></summary>
<div class="difference">${sourceBlock(shownLines(change, panel))}</div></details>
`,
)}</section>`;
}

function patchPart(explanation: Explanation): Markup {
  const patch = patchText(explanation);
  return html`<section id="patch"><h2>The patch that takes them back</h2>
<p class="quiet">For git apply or patch -p1 in the new version; it is revert.patch in the folder of the explanation.</p>
${
  patch.length > mostPatchLetters
    ? html`<p>It is too large for a page: ${counted(patch.split('\n').length - 1, 'line')}.</p>`
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
    ['made by', `culprit ${settings.culprit}`],
  ];
  return html`<table class="settings"><tbody>${rows.map(
    ([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>
`,
  )}</tbody></table>
${commandBlock(explainCommandText(settings))}`;
}
