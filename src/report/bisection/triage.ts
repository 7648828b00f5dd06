/** Triage of culprit commits, for the terminal. */

import type { Culprit, Dossier } from '../../history/index.js';
import { type Ink, noInk, type Style, visible, visibleLine } from '../../machine/index.js';
import { dayText, hangingIndent, isoDate, levelText } from '../../page/index.js';
import { type Commit, shortId } from '../../repository/index.js';
import type { BisectionReport } from './bisection.js';

/** Maximum number of cases, files and functions in a list. */
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
      ['touches', `${listed(triage.files.map(({ path }) => path))}; ${triage.size} lines`],
      ...(triage.functions.length === 0 ? [] : [['functions', listed(triage.functions)] as const]),
      ...uncertainties(cases),
      [
        'cases',
        `${listed(cases.map((culprit) => caseNames[culprit.case] ?? String(culprit.case)))}${atWorst}`,
      ],
      ['today', todayText(healedBy, stillSlow.length, cases.length)],
    ];
    const head = hangingIndent(`${id}  `, visibleLine(commit.subject), screen);
    return [
      `${ink('bad', id)}${head.slice(id.length)}`,
      ...rows.map(([name, text, style]) => {
        const start = `  ${name.padEnd(11)}  `;
        const line = hangingIndent(start, visibleLine(text), screen);
        return style === undefined ? line : `${start}${ink(style, line.slice(start.length))}`;
      }),
    ].join('\n');
  });
  return visible(parts.length === 0 ? 'No commit made a case slower.' : parts.join('\n\n'));
}

const classStyles: Readonly<Record<Dossier['triage']['class'], Style | undefined>> = {
  bug: 'bad',
  compromise: 'doubtful',
  unclear: undefined,
};

/** Uncertain results of the bisection. */
function uncertainties(cases: readonly Culprit[]): readonly (readonly [name: string, text: string])[] {
  const others = [...new Set(cases.flatMap((culprit) => culprit.others))].map(shortId);
  const unsure = cases.filter(({ isVerified }) => !isVerified).length;
  return [
    ...(others.length === 0 ? [] : [['or', `${listed(others)}, which could not be tested`] as const]),
    ...(unsure === 0
      ? []
      : [['uncertain', `${unsure} of ${cases.length} not confirmed when measured again`] as const]),
  ];
}

/** For `--json`: cases by name. */
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
  return { ...commit, date: isoDate(time) };
}

function listed(names: readonly string[]): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function todayText(healedBy: Dossier['healedBy'], stillSlow: number, cases: number): string {
  if (stillSlow === cases) return 'all cases are still slow';
  const by = `quick again since ${healedBy.map(({ id }) => shortId(id)).join(', ')}`;
  return stillSlow === 0 ? by : `${cases - stillSlow} of ${cases} ${by}`;
}
