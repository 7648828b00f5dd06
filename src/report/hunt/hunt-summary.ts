/** A campaign for the terminal. */

import { join } from 'node:path';
import {
  type AnomalyRecord,
  caseName,
  type DominantCounter,
  type Finding,
  type HuntData,
} from '../../hunt/index.js';
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
import { locateStep, locationLines, locationTitle } from './anomaly-location.js';
import { anomalyCounts } from './anomaly-word.js';
import { timeLabels } from './time-labels.js';

const right = { align: 'right' as const };

export interface SummaryOptions {
  /** The folder has a `report.html`. */
  readonly hasPage?: boolean;
  readonly ink?: Ink;
  /** The line width of tables; unlimited if left out. */
  readonly screen?: number | undefined;
}

/** @param folder of the campaign */
export function huntSummary(
  data: HuntData,
  folder: string,
  { hasPage = true, ink = noInk, screen }: SummaryOptions = {},
): string {
  const { settings, groups } = data;
  const findings = groups.reduce((sum, group) => sum + group.findings.length, 0);
  // The time after the hunt, when findings are reduced, does not count.
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
  if (odd !== '') lines.push('', `Anomalies: ${odd}.`);
  for (const location of data.locations)
    lines.push(...locationLines(location, settings, folder, ink, screen));
  if (data.workedShare !== undefined && data.workedShare < busyShare)
    lines.push(
      '',
      `The machine was busy: solvers got ${percent(data.workedShare)} of the processor time they could use. A slow machine finds less.`,
    );
  const page = hasPage
    ? join(folder, 'report.html')
    : `culprit report ${shellWord(folder)} --html report.html`;
  lines.push('', `All of it: ${page}`, ...nextSteps(data, folder));
  for (const location of data.locations) {
    const command = locateStep(location, settings, folder);
    if (command === undefined) continue;
    lines.push(`Which files are to blame for the ${locationTitle(location, settings)}? ${command}`);
  }
  // A campaign from somebody else may hold terminal escapes.
  return visible(lines.join('\n'));
}

/** With a smaller share of processor time, the machine was busy. */
const busyShare = 0.75;

/** Maximum number of kinds whose formula is shown; others have only their file. */
const mostFormulas = 10;

/** A table of kinds, with the smallest formula below each row. */
function groupLines(
  { groups, settings }: HuntData,
  folder: string,
  ink: Ink,
  screen: number | undefined,
): readonly string[] {
  if (groups.length === 0) return [];
  const [reference, newest] = timeLabels(settings).titles;
  const columns: Column[] = [
    { title: 'kind', wraps: true },
    { title: 'findings', ...right },
    { title: reference, ...right },
    { title: newest, ...right },
    { title: 'ratio', ...right, style: () => 'bad' },
    { title: 'busy with', wraps: true, isOptional: true },
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

function nextSteps({ groups, locations, unconfirmed, refuted }: HuntData, folder: string): readonly string[] {
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
    return [`There was no time to confirm ${counted(unconfirmed, 'slowdown')}. To continue: ${more}`];
  const refutedWords = refuted === 0 ? '' : `: ${counted(refuted, 'slowdown')} could not be confirmed`;
  return [
    `${locations.length === 0 ? 'Nothing' : 'No slowdown'} was found${refutedWords}. To continue: ${more}`,
    'Or compare versions further apart, lower the threshold (--threshold 200ms), or start from your own formulas (--corpus FOLDER).',
  ];
}

/** Such as `only seq-branch`. */
export function busyText(busy: DominantCounter | undefined): string {
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

/** Wrong answers are shown before everything else. */
export function isWrongAnswer({ kind }: Pick<AnomalyRecord, 'kind'>): boolean {
  return kind === 'disagreement' || kind === 'wrong-model';
}

/** The version of a wrong model, and who refuted it. */
export function claimText(
  { version, refutedBy, isByOthers }: NonNullable<AnomalyRecord['claim']>,
  versions: readonly string[],
  named: (name: string) => string = (name) => name,
): string {
  const others = refutedBy.map(named).join(', ');
  const own = `culprit's own evaluation${others === '' ? '' : ` and by that of ${others}`}`;
  return `The model of ${named(versions[version] ?? '')}, wrong according to ${isByOthers ? `the evaluation of ${others}` : own}:`;
}
