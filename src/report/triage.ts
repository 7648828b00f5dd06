/** Culprit commits with what they were meant to do, on a terminal. */

import type { Culprit, Dossier } from '../history/index.js';
import { visible } from '../machine/index.js';
import { type Commit, short } from '../repository/index.js';
import type { BisectionReport } from './bisection.js';
import { dateText, dayText, levelText } from './quantities.js';

/** Names of cases, files and functions that are written out. */
const most = 4;

export function triageText(
  dossiers: readonly Dossier[],
  caseNames: readonly string[],
  { by, limits }: Pick<BisectionReport, 'by' | 'limits'>,
): string {
  const parts = dossiers.map(({ commit, triage, cases, healedBy, stillSlow }) => {
    const [worst] = cases;
    const evidence = triage.evidence.map(
      ({ means, weight, says, on }) => `${says}: ${on} (${means}, ${weight})`,
    );
    return [
      `${short(commit.id)}  ${commit.subject}`,
      `  by           ${commit.author}, ${dayText(commit.time)}`,
      `  intention    ${triage.intention}`,
      `  class        ${triage.class}`,
      ...evidence.map((sentence) => `  evidence     ${sentence}`),
      ...(triage.issues.length === 0 ? [] : [`  issues       ${triage.issues.join(', ')}`]),
      `  touches      ${some(triage.files.map(({ path }) => path))}; ${triage.size} lines`,
      ...(triage.functions.length === 0 ? [] : [`  functions    ${some(triage.functions)}`]),
      ...doubts(cases),
      `  cases        ${some(cases.map((culprit) => caseNames[culprit.case] ?? String(culprit.case)))}` +
        (worst === undefined
          ? ''
          : `; at worst ${levelText(worst.beforeLevel, by, limits[worst.case])} before, ${levelText(worst.afterLevel, by, limits[worst.case])} after`),
      `  today        ${today(
        healedBy.map(({ id }) => short(id)),
        stillSlow.length,
        cases.length,
      )}`,
    ].join('\n');
  });
  return visible(parts.length === 0 ? 'No commit made anything slower.' : parts.join('\n\n'));
}

/** What a bisection was not sure of. */
function doubts(cases: readonly Culprit[]): readonly string[] {
  const others = [...new Set(cases.flatMap((culprit) => culprit.others))].map(short);
  const unsure = cases.filter(({ isVerified }) => !isVerified).length;
  return [
    ...(others.length === 0 ? [] : [`  or           ${some(others)}, which say nothing`]),
    ...(unsure === 0 ? [] : [`  not sure     ${unsure} of ${cases.length} when measured again`]),
  ];
}

/** For other tools: cases by their names. */
export function dossiersJson(
  found: readonly Dossier[],
  caseNames: readonly string[],
  by: BisectionReport['by'],
) {
  const nameOf = (at: number): string => caseNames[at] ?? String(at);
  return found.map(({ commit, triage, cases, healedBy, stillSlow }) => ({
    commit: commitJson(commit),
    by,
    triage,
    cases: cases.map((culprit) => ({ ...culprit, case: nameOf(culprit.case), subject: commit.subject })),
    healedBy: healedBy.map(commitJson),
    stillSlow: stillSlow.map(nameOf),
  }));
}

function commitJson({ time, ...commit }: Commit) {
  return { ...commit, date: dateText(time) };
}

function some(names: readonly string[]): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function today(healedBy: readonly string[], stillSlow: number, cases: number): string {
  if (stillSlow === cases) return 'all of them are still slow';
  const by = `quick again since ${healedBy.join(', ')}`;
  return stillSlow === 0 ? by : `${cases - stillSlow} of ${cases} ${by}`;
}
