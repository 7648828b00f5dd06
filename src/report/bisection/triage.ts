/** Culprit commits with what they were meant to do, on a terminal. */

import type { Culprit, Dossier } from '../../history/index.js';
import { type Ink, noInk, type Style, visible, visibleLine } from '../../machine/index.js';
import { dateText, dayText, hangingLine, levelText } from '../../page/index.js';
import { type Commit, shortId } from '../../repository/index.js';
import type { BisectionReport } from './bisection.js';

/** Names of cases, files and functions that are written out. */
const most = 4;

export function triageText(
  dossiers: readonly Dossier[],
  caseNames: readonly string[],
  { by, limits }: Pick<BisectionReport, 'by' | 'limits'>,
  ink: Ink = noInk,
  screen?: number,
): string {
  const parts = dossiers.map(({ commit, triage, cases, healedBy, stillSlow }) => {
    const [worst] = cases;
    const evidence = triage.evidence.map(
      ({ means, weight, says, on }) => `${says}: ${on} (${means}, ${weight})`,
    );
    const id = shortId(commit.id);
    const atWorst =
      worst === undefined
        ? ''
        : `; at worst ${levelText(worst.beforeLevel, by, limits[worst.case])} before, ${levelText(worst.afterLevel, by, limits[worst.case])} after`;
    const rows: readonly (readonly [name: string, text: string, style?: Style | undefined])[] = [
      ['by', `${commit.author}, ${dayText(commit.time)}`],
      ['intention', triage.intention],
      ['class', triage.class, classStyles[triage.class]],
      ...evidence.map((sentence) => ['evidence', sentence] as const),
      ...(triage.issues.length === 0 ? [] : [['issues', triage.issues.join(', ')] as const]),
      ['touches', `${some(triage.files.map(({ path }) => path))}; ${triage.size} lines`],
      ...(triage.functions.length === 0 ? [] : [['functions', some(triage.functions)] as const]),
      ...doubts(cases),
      ['cases', `${some(cases.map((culprit) => caseNames[culprit.case] ?? String(culprit.case)))}${atWorst}`],
      ['today', today(healedBy, stillSlow.length, cases.length)],
    ];
    const head = hangingLine(`${id}  `, visibleLine(commit.subject), screen);
    return [
      `${ink('bad', id)}${head.slice(id.length)}`,
      ...rows.map(([name, text, style]) => {
        const start = `  ${name.padEnd(11)}  `;
        const line = hangingLine(start, visibleLine(text), screen);
        return style === undefined ? line : `${start}${ink(style, line.slice(start.length))}`;
      }),
    ].join('\n');
  });
  return visible(parts.length === 0 ? 'No commit made anything slower.' : parts.join('\n\n'));
}

const classStyles: Readonly<Record<Dossier['triage']['class'], Style | undefined>> = {
  bug: 'bad',
  compromise: 'doubtful',
  unclear: undefined,
};

/** What a bisection was not sure of. */
function doubts(cases: readonly Culprit[]): readonly (readonly [name: string, text: string])[] {
  const others = [...new Set(cases.flatMap((culprit) => culprit.others))].map(shortId);
  const unsure = cases.filter(({ isVerified }) => !isVerified).length;
  return [
    ...(others.length === 0 ? [] : [['or', `${some(others)}, which say nothing`] as const]),
    ...(unsure === 0 ? [] : [['not sure', `${unsure} of ${cases.length} when measured again`] as const]),
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

function today(healedBy: Dossier['healedBy'], stillSlow: number, cases: number): string {
  if (stillSlow === cases) return 'all of them are still slow';
  const by = `quick again since ${healedBy.map(({ id }) => shortId(id)).join(', ')}`;
  return stillSlow === 0 ? by : `${cases - stillSlow} of ${cases} ${by}`;
}
