/** A bisection as one self-contained page: the culprits, then a chart of each case. */

import { type Bisection, type Culprit, type Dossier, levelOf, type Standing } from '../../history/index.js';
import {
  counted,
  dayText,
  duration,
  html,
  levelText,
  type Markup,
  page,
  settingsTable,
  timelineChart,
} from '../../page/index.js';
import { type Commit, shortId } from '../../repository/index.js';
import { formulaBlock } from '../formulas/formula-block.js';
import { caseLimits, culpritsByCommit, directionText } from './bisection.js';
import { type TemporaryChange, temporaryChanges } from './temporary-changes.js';

export interface BisectionPage {
  readonly standing: Standing;
  /** Absent while the bisection runs. */
  readonly bisection?: Bisection | undefined;
  readonly dossiers?: readonly Dossier[] | undefined;
}

export function bisectionHtml({ standing, bisection, dossiers = [] }: BisectionPage): string {
  const { settings, line, looked } = standing;
  const commits = new Map(dossiers.map(({ commit }) => [commit.id, commit]));
  const culprits = culpritsByCommit(bisection?.culprits ?? []);
  const passing = temporaryChanges(bisection?.culprits ?? []);
  const title = `${shortId(settings.good)} to ${shortId(settings.bad)}: ${
    bisection === undefined
      ? 'not finished'
      : culprits.length === 0
        ? 'no commit made a difference'
        : counted(culprits.length, 'commit')
  }`;
  const body = html`${
    bisection === undefined
      ? html`<p>${looked.length} of ${line.length} commits tested so far.</p>
${standingTable(standing)}`
      : undefined
  }
${culprits.map(([commit, own]) => culpritSection(commit, own, { standing, passing, info: commits.get(commit) }))}
${bisection === undefined ? undefined : unblamedSection(bisection, standing)}
<section id="courses"><h2>Case by case</h2>
${settings.cases.map((_, at) => caseTimeline(standing, at))}</section>
<section id="settings"><details><summary><h2>How it was found</h2></summary>
${settingsPart(standing, bisection)}</details></section>`;
  return page(title, settings.culprit, body);
}

function caseName({ settings }: Standing, at: number): string {
  return settings.cases[at]?.name ?? String(at);
}

function levelOn({ settings }: Standing, at: number): (level: number) => string {
  const limit = caseLimits(settings)[at];
  return (level) => levelText(level, settings.isPrinted ? 'printed' : settings.by, limit);
}

function culpritSection(
  commit: string,
  own: readonly Culprit[],
  {
    standing,
    passing,
    info,
  }: {
    readonly standing: Standing;
    readonly passing: ReadonlyMap<Culprit, TemporaryChange>;
    readonly info: Commit | undefined;
  },
): Markup {
  const [first] = own;
  const about = info === undefined ? '' : `${info.author}, ${dayText(info.time)}`;
  const others = first?.others ?? [];
  return html`<section id="commit-${shortId(commit)}"><h2><code>${shortId(commit)}</code> ${info?.subject ?? ''}</h2>
<p class="quiet">${about}</p>
${others.length === 0 ? undefined : html`<p>Or one of ${others.map(shortId).join(', ')}, which could not be tested.</p>`}
<div class="wide"><table><thead><tr><th>case</th><th class="number">before</th><th class="number">after</th><th></th></tr></thead>
<tbody>${own.map((culprit) => {
    const level = levelOn(standing, culprit.case);
    return html`<tr><td><a href="#case-${culprit.case + 1}">${caseName(standing, culprit.case)}</a></td><td class="number">${level(culprit.beforeLevel)}</td><td class="number">${level(culprit.afterLevel)}</td><td class="${culprit.direction === 'slower' ? 'bad' : 'good'}">${directionText(culprit, passing)}</td></tr>
`;
  })}</tbody></table></div></section>`;
}

function standingTable(standing: Standing): Markup {
  return html`<div class="wide"><table><thead><tr><th>case</th><th class="number">before</th><th class="number">after</th><th></th><th>since</th></tr></thead>
<tbody>${standing.steps.map((step) => {
    const level = levelOn(standing, step.case);
    const since =
      step.candidates === 1 ? shortId(step.at) : `one of ${step.candidates} up to ${shortId(step.at)}`;
    return html`<tr><td>${caseName(standing, step.case)}</td><td class="number">${level(step.from)}</td><td class="number">${level(step.to)}</td><td class="${step.direction === 'slower' ? 'bad' : 'good'}">${step.direction}</td><td>${since}</td></tr>
`;
  })}</tbody></table></div>`;
}

function unblamedSection({ without }: Bisection, standing: Standing): Markup | undefined {
  if (without.length === 0) return undefined;
  return html`<section id="without"><h2>Cases without a culprit</h2>
<ul>${without.map(({ case: at, why }) => html`<li>${caseName(standing, at)}: ${why}</li>`)}</ul></section>`;
}

/** Chart of the level at each measured commit, oldest first. */
function caseTimeline(standing: Standing, at: number): Markup {
  const changes = new Map(
    standing.steps.filter((step) => step.case === at).map((step) => [step.at, step.direction]),
  );
  const points = standing.looked.map(({ commit, observations }) => {
    const seen = observations[at];
    return {
      name: shortId(commit),
      level: seen?.kind === 'measured' ? levelOf(seen.samples) : undefined,
      change: changes.get(commit),
    };
  });
  const { settings } = standing;
  const unit = settings.isPrinted || settings.by === 'effort' ? 'effort' : 'ms';
  const measure = settings.isPrinted ? 'printed number' : settings.by;
  const text = settings.cases[at]?.text;
  return html`<article id="case-${at + 1}">${timelineChart(`${caseName(standing, at)}: ${measure} at the tested commits`, points, unit, 'commit')}
${text === undefined ? undefined : html`<details><summary>the formula</summary>${formulaBlock(text)}</details>`}</article>`;
}

function settingsPart({ settings, line, looked }: Standing, bisection: Bisection | undefined): Markup {
  const rows: readonly (readonly [string, string])[] = [
    ['from', settings.good],
    ['to', settings.bad],
    ['commits', `${line.length}, of which ${looked.length} were tested`],
    ...(bisection === undefined ? [] : [['did not build', String(bisection.failed.length)] as const]),
    ['compared by', settings.isPrinted ? 'the last number a command prints' : settings.by],
    ['strategy', settings.strategy],
    ['timeout', duration(settings.timeoutMs)],
    ['built by', settings.recipe.build.join(' && ')],
    ['created by', `culprit ${settings.culprit}`],
  ];
  return settingsTable(rows);
}
