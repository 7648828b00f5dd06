/** A campaign as text for an issue tracker, with a self-contained section for each kind of slowdown. */

import type { AnomalyLocation, AnomalyRecord, Finding, FindingGroup, HuntData } from '../../hunt/index.js';
import { visibleLine } from '../../machine/index.js';
import { code, count, counted, duration, fenced, markdownTable } from '../../page/index.js';
import {
  npxCall,
  type PortableVersion,
  plainCommand,
  portableVersion,
  savedName,
} from '../commands/plain-command.js';
import { assumptionText, fileRows, fileTitle, locationTitle, witnessText } from './anomaly-location.js';
import { anomalyCounts } from './anomaly-word.js';
import { answerText } from './answer-text.js';
import { claimText, isWrongAnswer, newestTime, ratioText, workText } from './hunt-summary.js';
import { commandOn } from './reproduce.js';
import { settingRows } from './settings.js';
import { timeLabels } from './time-labels.js';

/** Does not mention folders on the reporter's machine. */
export function huntMarkdown(data: HuntData): string {
  const { groups } = data;
  const names = portableVersions(data).map(({ name }) => code(name));
  const newest = names.at(-1) ?? '';
  const others = names.slice(0, -1).join(', ');
  const wrong = data.anomalies.filter(isWrongAnswer);
  const disagreements = wrong.filter(({ kind }) => kind === 'disagreement');
  const besides = anomalyCounts(data.anomalies.filter((anomaly) => !isWrongAnswer(anomaly)));
  const models = wrong.length - disagreements.length;
  const parts = [
    `# ${newest} against ${others}`,
    `${counted(groups.length, 'kind')} of slowdowns and ${counted(disagreements.length, 'disagreement')} ` +
      `${models === 0 ? '' : `and ${counted(models, 'wrong model')} `}` +
      `among ${counted(data.tried, 'formula')} in ${duration(data.elapsedMs)}.`,
    ...wrong.slice(0, mostWrong).map((anomaly, at) => wrongPart(anomaly, at + 1, data)),
  ];
  if (wrong.length > mostWrong) parts.push(`And ${wrong.length - mostWrong} more like these.`);
  parts.push(...data.locations.flatMap((location) => failurePart(location, data)));
  parts.push(...groups.map((group) => groupPart(group, data)));
  if (besides !== '') parts.push(`Other anomalies: ${besides}.`);
  parts.push('## How it was found', markdownTable(['setting', 'value'], settingRows(data).map(settingCells)));
  return `${parts.join('\n\n')}\n`;
}

/** Escapes settings, since a campaign may come from somebody else. */
function settingCells([name, value]: readonly [string, string]): readonly string[] {
  return [name, value === '' ? '' : code(value)];
}

/** Maximum number of wrong answers; more of them likely have the same causes. */
const mostWrong = 20;

function wrongPart(anomaly: AnomalyRecord, number: number, data: HuntData): string {
  const { text, claim } = anomaly;
  const { settings } = data;
  const elsewhere = portableNames(data);
  return [
    claim === undefined
      ? `## Disagreement ${number}: one version says sat, another unsat`
      : `## Wrong model ${number}: the formula is false under it`,
    fenced('smt2', text),
    answerTable(anomaly, data),
    ...(claim === undefined
      ? []
      : [claimText(claim, settings.versions, elsewhere), fenced('smt2', claim.model)]),
    ...data.locations
      .filter((location) => location.anomaly === anomaly)
      .flatMap((location) => filesPart(location, data)),
    reproduction(data),
    foundLine(data),
  ].join('\n\n');
}

function answerTable({ runs }: AnomalyRecord, data: HuntData): string {
  const rows = portableVersions(data).map(({ name }, at) => {
    const run = runs[at];
    return [code(name), code(answerText(run)), run === undefined ? '' : duration(run.wallMs)];
  });
  return markdownTable(['version', 'answer', 'time'], rows);
}

/** A section on a crash or an error with ranked files. */
function failurePart(location: AnomalyLocation, data: HuntData): readonly string[] {
  const { anomaly, result } = location;
  if (isWrongAnswer(anomaly) || result?.kind !== 'ranked') return [];
  const parts = [
    `## ${capitalized(locationTitle(location, data.settings, portableNames(data)))}`,
    fenced('smt2', anomaly.text),
    answerTable(anomaly, data),
    ...filesPart(location, data),
    reproduction(data),
    foundLine(data),
  ];
  return [parts.join('\n\n')];
}

/** Maximum number of files. */
const mostFiles = 10;

function filesPart(location: AnomalyLocation, data: HuntData): readonly string[] {
  const { result } = location;
  if (result?.kind !== 'ranked') return [];
  const rows = fileRows(result, mostFiles).map(([rank, name, why]) => [rank, code(name), why]);
  const assumption = assumptionText(location, data.settings, portableNames(data));
  return [
    `Files to look at, by what only this formula executes (${witnessText(result)}):`,
    markdownTable(['rank', fileTitle(result), 'why'], rows),
    ...(assumption === undefined ? [] : [assumption]),
  ];
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function groupPart({ name, findings }: FindingGroup, data: HuntData): string {
  const [first, ...others] = findings;
  const named = portableVersions(data);
  const rows = first.versions.map(({ version, outcome, medianMs, effort, runs }, at) => [
    code(named[at]?.name ?? version),
    outcome,
    `${outcome === 'timeout' ? '>' : ''}${duration(medianMs)}`,
    effort === undefined ? '' : count(effort),
    String(runs),
  ]);
  const { seeds } = first;
  const parts = [
    `## ${ratioText(first)} slower on ${code(name)}`,
    fenced('smt2', first.text),
    markdownTable(['version', 'outcome', 'median time', 'effort', 'runs'], rows),
    `${timeLabels(portableSettings(data)).sentence(duration(first.referenceMs), newestTime(first))}: ${ratioText(first)} slower.` +
      (first.isMinimal ? ' No single step makes the formula smaller.' : '') +
      (seeds === undefined
        ? ''
        : ` Slower on ${seeds.slower} of ${counted(seeds.tried, 'random seed')}: it shows on ${code(seeds.robustness)}.`),
    ...(first.work === undefined ? [] : [`Work of the newest version: ${code(workText(first.work))}.`]),
    ...(first.grown === undefined || first.grown.length === 0 ? [] : [grownPart(first.grown)]),
    reproduction(data),
  ];
  if (others.length > 0) {
    parts.push(
      `${counted(others.length, 'further finding')} of this kind: slowdowns ${others.map(({ id }) => id).join(', ')}.`,
    );
  }
  return [...parts, foundLine(data, first.by)].join('\n\n');
}

function grownPart(grown: NonNullable<Finding['grown']>): string {
  const rows = grown.map(({ name, before, after }) => [count(before), count(after), code(name)]);
  return `Functions called more often:\n\n${markdownTable(['calls before', 'calls now', 'function'], rows)}`;
}

/** The solver commands, and a culprit command if all versions are releases. */
function reproduction(data: HuntData): string {
  const { settings } = data;
  const named = portableVersions(data);
  const { timeoutMs } = settings.slowness;
  const calls = named.flatMap(({ name, family, options }) =>
    family === undefined
      ? []
      : [
          `${plainCommand(family, savedName, { timeoutMs: manualTimeout(timeoutMs), options })}  # ${visibleLine(name)}`,
        ],
  );
  const again = `${npxCall(settings.culprit)} ${commandOn('run', savedName, settings).replace(/^culprit /, '')}`;
  const commands = [...calls, ...(named.every(({ isRelease }) => isRelease) ? [again] : [])];
  return `To reproduce it, save the formula as ${code(savedName)}:\n\n${fenced('sh', commands.join('\n'))}`;
}

/** More time than the hunt allows, so that a slow run shows its true time. */
function manualTimeout(timeoutMs: number): number {
  return Math.max(10_000, 5 * timeoutMs);
}

/** Settings with portable version names, as code. */
function portableSettings(data: HuntData): Pick<HuntData['settings'], 'versions' | 'builds'> {
  return {
    versions: portableVersions(data).map(({ name }) => code(name)),
    builds: data.settings.builds,
  };
}

/** Portable names of versions, as code. */
function portableNames(data: HuntData): (name: string) => string {
  const named = portableVersions(data);
  const elsewhere = new Map(data.settings.versions.map((version, at) => [version, named[at]?.name]));
  return (name) => code(elsewhere.get(name) ?? name);
}

function portableVersions({ settings }: HuntData): readonly PortableVersion[] {
  return settings.versions.map((version, at) => portableVersion(version, settings.builds[at]));
}

function foundLine({ settings }: HuntData, by?: string): string {
  const made = by === undefined ? '' : `, generated by ${code(by)}`;
  const where = settings.platform === undefined ? '' : ` on ${code(settings.platform)}`;
  return `Found by culprit ${code(settings.culprit)}${where}, strategy ${code(settings.strategy)}, seed ${settings.seed}${made}.`;
}
