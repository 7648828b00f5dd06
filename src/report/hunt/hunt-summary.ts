/** A campaign on a terminal. */

import { join } from 'node:path';
import { type AnomalyRecord, type Busy, caseName, type Finding, type HuntData } from '../../hunt/index.js';
import { type Ink, noInk, visible } from '../../machine/index.js';
import {
  type Column,
  count,
  counted,
  duration,
  percent,
  ratio,
  shellWord,
  tableParts,
} from '../../page/index.js';
import type { WorkCounts } from '../../solver/index.js';
import { oneLineFormula } from '../formulas/formula-line.js';
import { leftCommand, locationLines, locationTitle } from './anomaly-location.js';
import { anomalyCounts } from './anomaly-word.js';
import { timeWords } from './time-words.js';

const right = { align: 'right' as const };

export interface SummaryOptions {
  /** There is a `report.html` in the folder. */
  readonly hasPage?: boolean;
  readonly ink?: Ink;
  /** What a line of the table may have; as much as it takes when left out. */
  readonly screen?: number | undefined;
}

/** @param folder where the campaign is */
export function huntSummary(
  data: HuntData,
  folder: string,
  { hasPage = true, ink = noInk, screen }: SummaryOptions = {},
): string {
  const { settings, groups } = data;
  const findings = groups.reduce((sum, group) => sum + group.findings.length, 0);
  // What was found is made smaller afterwards.
  const huntedMs = Math.min(data.elapsedMs, settings.forMs);
  const perSecond = huntedMs <= 0 ? 0 : (1000 * data.tried) / huntedMs;
  const lines = [
    `${settings.versions.join(', ')}: ${counted(findings, 'finding')} of ${counted(groups.length, 'kind')}, ` +
      `from ${counted(data.slowdowns, 'slowdown')} among ${count(data.tried)} formulas ` +
      `(${perSecond.toFixed(1)} per second), in ${duration(data.elapsedMs)}.`,
  ];
  const disagreements = data.anomalies.filter(({ kind }) => kind === 'disagreement');
  if (disagreements.length > 0) {
    lines.push(
      '',
      `${ink('alarm', 'DISAGREEMENT')}: on ${counted(disagreements.length, 'formula')} one version says sat and another unsat.`,
    );
    for (const { text } of disagreements.slice(0, 3)) lines.push(`  ${oneLineFormula(text)}`);
  }
  const wrongModels = data.anomalies.filter(({ kind }) => kind === 'wrong-model');
  if (wrongModels.length > 0) {
    const formulas = counted(new Set(wrongModels.map(({ text }) => text)).size, 'formula');
    lines.push(
      '',
      `${ink('alarm', 'WRONG MODEL')}: on ${formulas} a version says sat with a model that makes the formula false.`,
    );
    for (const { text } of wrongModels.slice(0, 3)) lines.push(`  ${oneLineFormula(text)}`);
  }
  lines.push(...groupLines(data, folder, ink, screen));
  const odd = anomalyCounts(data.anomalies);
  if (odd !== '') lines.push('', `Besides: ${odd}.`);
  for (const location of data.locations)
    lines.push(...locationLines(location, settings, folder, ink, screen));
  if (data.workedShare !== undefined && data.workedShare < busyShare)
    lines.push(
      '',
      `The machine was busy: solvers got ${percent(data.workedShare)} of the time they ran; the slower they run, the less is found.`,
    );
  const page = hasPage
    ? join(folder, 'report.html')
    : `culprit report ${shellWord(folder)} --html report.html`;
  lines.push('', `All of it: ${page}`, ...nextLines(data, folder));
  for (const location of data.locations) {
    const command = leftCommand(location, settings, folder);
    if (command === undefined) continue;
    lines.push(`Which files are to blame for the ${locationTitle(location, settings)}? ${command}`);
  }
  // A stranger's campaign may hold what a terminal obeys.
  return visible(lines.join('\n'));
}

/** Solvers that got less of the clock than this had to share the machine. */
const busyShare = 0.75;

/** Formulas of so many kinds are shown; of the others the files. */
const mostFormulas = 10;

/** Each kind with its smallest formula below it. */
function groupLines(
  { groups, settings }: HuntData,
  folder: string,
  ink: Ink,
  screen: number | undefined,
): readonly string[] {
  if (groups.length === 0) return [];
  const [reference, newest] = timeWords(settings).titles;
  const columns: Column[] = [
    { title: 'kind', folds: true },
    { title: 'findings', ...right },
    { title: reference, ...right },
    { title: newest, ...right },
    { title: 'ratio', ...right, style: () => 'bad' },
    { title: 'busy with', folds: true, mayGo: true },
  ];
  const rows = groups.map(({ name, busy, findings: [first], findings: all, isKnown }) => [
    isKnown ? `${name} (known)` : name,
    String(all.length),
    duration(first.referenceMs),
    newestTime(first),
    ratioText(first),
    busyText(busy),
  ]);
  const { header, rows: body, note } = tableParts(columns, rows, ink, screen);
  const below = groups.map(({ findings: [first] }, at) => [
    `  ${join(folder, caseName(first.id))}`,
    ...(at < mostFormulas ? [`  ${oneLineFormula(first.text)}`] : []),
  ]);
  const told = body.flatMap((row, at) => [...row, ...(below[at] ?? [])]);
  return ['', ...header, ...told, ...(note === undefined ? [] : ['', note])];
}

/** What to do now. */
function nextLines({ groups, locations, unconfirmed, refuted }: HuntData, folder: string): readonly string[] {
  const [first] = groups;
  const more = `culprit hunt --resume ${shellWord(folder)} --for 10m`;
  if (first !== undefined) {
    const smallest = shellWord(join(folder, caseName(first.findings[0].id)));
    return [
      `Does it hold under other random seeds? culprit confirm ${shellWord(folder)}`,
      `Which commit is to blame? culprit blame ${smallest} --repo REPOSITORY --good OLD --bad NEW`,
    ];
  }
  if (unconfirmed > 0)
    return [`There was no time to look at ${counted(unconfirmed, 'slowdown')} again; to go on: ${more}`];
  const refutedWords =
    refuted === 0 ? '' : `: ${counted(refuted, 'slowdown')} did not hold when measured again`;
  return [
    `${locations.length === 0 ? 'Nothing' : 'No slowdown'} was found${refutedWords}. To go on: ${more}`,
    'Or compare versions further apart, look for less (--threshold 200ms), or start from formulas of yours (--corpus FOLDER).',
  ];
}

/** Such as `only seq-branch`. */
export function busyText(busy: Busy | undefined): string {
  return busy === undefined ? '' : `${busy.isAlone ? 'only ' : ''}${busy.counter}`;
}

/** Such as `seq-branch 28.0k, seq-add-axiom 51`. */
export function workText(work: WorkCounts): string {
  return Object.entries(work)
    .map(([counter, many]) => `${counter} ${count(many)}`)
    .join(', ');
}

export function ratioText({ ratio: times, isCut }: Finding): string {
  return `${isCut ? '>' : ''}${ratio(times)}`;
}

export function newestTime({ newestMs, isCut }: Finding): string {
  return `${isCut ? '>' : ''}${duration(newestMs)}`;
}

/** Somebody's answer is wrong: shown before everything else. */
export function isWrongAnswer({ kind }: Pick<AnomalyRecord, 'kind'>): boolean {
  return kind === 'disagreement' || kind === 'wrong-model';
}

/** Whose model it is, and who says that it is wrong. */
export function claimText(
  { version, refutedBy, isByOthers }: NonNullable<AnomalyRecord['claim']>,
  versions: readonly string[],
  named: (name: string) => string = (name) => name,
): string {
  const others = refutedBy.map(named).join(', ');
  const own = `culprit's own evaluation${others === '' ? '' : ` and by that of ${others}`}`;
  return `The model of ${named(versions[version] ?? '')}, wrong by ${isByOthers ? `the evaluation of ${others}` : own}:`;
}
