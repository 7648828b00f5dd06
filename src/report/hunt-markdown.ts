/** A campaign as text for an issue tracker: a section for each kind of slowdown, fit to stand alone. */

import { join } from 'node:path';
import { type FindingGroup, type HuntData, type OddityRecord, oddityName } from '../hunt/index.js';
import { answerText } from './answer-text.js';
import { claimText, isWrongAnswer, newestTime, oddityCounts, ratioText, workText } from './hunt-summary.js';
import { code, fenced, markdownTable } from './markdown-text.js';
import { settingRows } from './page/settings.js';
import { count, counted, duration } from './quantities.js';
import { commandOn, findingCommands } from './reproduce.js';

/** @param folder where the campaign is, for the commands */
export function huntMarkdown(data: HuntData, folder: string): string {
  const { settings, groups } = data;
  const newest = code(settings.versions.at(-1) ?? '');
  const others = settings.versions.slice(0, -1).map(code).join(', ');
  const wrong = data.oddities.filter(isWrongAnswer);
  const disagreements = wrong.filter(({ kind }) => kind === 'disagreement');
  const besides = oddityCounts(data.oddities.filter((oddity) => !isWrongAnswer(oddity)));
  const models = wrong.length - disagreements.length;
  const parts = [
    `# ${newest} against ${others}`,
    `${counted(groups.length, 'kind')} of slowdowns and ${counted(disagreements.length, 'disagreement')} ` +
      `${models === 0 ? '' : `and ${counted(models, 'wrong model')} `}` +
      `among ${counted(data.tried, 'formula')} in ${duration(data.elapsedMs)}.`,
    ...wrong.slice(0, mostWrong).map((oddity, at) => wrongPart(oddity, at + 1, data, folder)),
  ];
  if (wrong.length > mostWrong) parts.push(`And ${wrong.length - mostWrong} more like these.`);
  parts.push(...groups.map((group) => groupPart(group, data, folder)));
  if (besides !== '') parts.push(`Besides: ${besides}.`);
  parts.push('## How it was found', markdownTable(['setting', 'value'], settingRows(data).map(settingCells)));
  return `${parts.join('\n\n')}\n`;
}

/** Words of a stranger's campaign stay in their cell. */
function settingCells([name, value]: readonly [string, string]): readonly string[] {
  return [name, value === '' ? '' : code(value)];
}

/** One wrong answer is worth a report; the hundredth most likely has the same cause. */
const mostWrong = 20;

function wrongPart(
  { id, text, runs, claim }: OddityRecord,
  number: number,
  data: HuntData,
  folder: string,
): string {
  const { settings } = data;
  const rows = settings.versions.map((name, at) => {
    const run = runs[at];
    return [code(name), code(answerText(run)), run === undefined ? '' : duration(run.wallMs)];
  });
  return [
    claim === undefined
      ? `## Disagreement ${number}: one version says sat, another unsat`
      : `## Wrong model ${number}: the formula is false under it`,
    fenced('smt2', text),
    markdownTable(['version', 'answer', 'time'], rows),
    ...(claim === undefined ? [] : [claimText(claim, settings.versions, code), fenced('smt2', claim.model)]),
    fenced('sh', commandOn('run', join(folder, oddityName(id)), settings)),
    foundLine(data),
  ].join('\n\n');
}

function groupPart({ name, findings }: FindingGroup, data: HuntData, folder: string): string {
  const [first, ...others] = findings;
  const rows = first.versions.map(({ version, outcome, medianMs, effort, runs }) => [
    code(version),
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
    `${duration(first.referenceMs)} before, ${newestTime(first)} now: ${ratioText(first)} slower.` +
      (first.isMinimal ? ' No single step makes the formula smaller.' : '') +
      (seeds === undefined
        ? ''
        : ` Slower on ${seeds.slower} of ${counted(seeds.tried, 'random seed')}: it shows on ${code(seeds.robustness)}.`),
    ...(first.work === undefined
      ? []
      : [`What the newest version was busy with: ${code(workText(first.work))}.`]),
    'To reproduce it:',
    fenced('sh', findingCommands(data.settings, folder, first.id).join('\n')),
  ];
  if (others.length > 0) {
    parts.push(
      `${counted(others.length, 'further finding')} of this kind: slowdowns ${others.map(({ id }) => id).join(', ')}.`,
    );
  }
  return [...parts, foundLine(data, first.by)].join('\n\n');
}

function foundLine({ settings }: HuntData, by?: string): string {
  const made = by === undefined ? '' : `, made by ${code(by)}`;
  return `Found by culprit ${code(settings.culprit)}, strategy ${code(settings.strategy)}, seed ${settings.seed}${made}.`;
}
