/** Culprit commits with what they were meant to do, on a terminal. */

import type { Culprit, Dossier } from '../history/index.js';
import { visible } from '../machine/index.js';
import { short } from '../repository/index.js';
import type { BisectionReport } from './bisection.js';
import { levelText } from './quantities.js';

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
      `  by           ${commit.author}, ${new Date(1000 * commit.time).toISOString().slice(0, 10)}`,
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
export function dossiersJson(found: readonly Dossier[], caseNames: readonly string[]): readonly object[] {
  return found.map(({ cases, stillSlow, ...rest }) => ({
    ...rest,
    cases: cases.map((culprit) => ({ ...culprit, case: caseNames[culprit.case] })),
    stillSlow: stillSlow.map((at) => caseNames[at]),
  }));
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
