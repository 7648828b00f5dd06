/** How well triage agrees with labels, on a terminal. */

import { type Intention, intentions } from '../history/index.js';
import { table } from '../report/index.js';
import { short } from '../repository/index.js';
import type { Agreement, TriageStudy } from './triage-study.js';

export function triageStudyText({ told, agreements }: TriageStudy): string {
  const right = { align: 'right' as const };
  const summary = table(
    [
      { title: 'labels' },
      { title: 'commits', ...right },
      { title: 'as labelled', ...right },
      { title: '', ...right },
      { title: 'by the commonest alone', ...right },
    ],
    agreements.map(({ of, commits, right: agreed, commonest }) => [
      of,
      String(commits),
      String(agreed),
      share(agreed, commits),
      share(commonest, commits),
    ]),
  );
  const wrong = told.filter(({ label, told: as }) => label !== as);
  const wrongs = table(
    [{ title: 'told otherwise' }, { title: 'labelled' }, { title: 'told' }, { title: 'because' }],
    wrong.map(({ commit, label, told: as, because }) => [
      short(commit),
      label,
      as,
      because.join('; ') || 'no rule fits',
    ]),
  );
  return [
    summary,
    ...agreements.filter(({ of }) => of !== 'first half').map(confusionTable),
    ...(wrong.length === 0 ? [] : [wrongs]),
  ].join('\n\n');
}

function confusionTable({ of, confusion }: Agreement): string {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const right = { align: 'right' as const };
  const found = (told: Intention): string =>
    share(confusion[told][told], sum(intentions.map((label) => confusion[label][told])));
  return table(
    [
      { title: `${of}: labelled, and told as` },
      ...intentions.map((title) => ({ title, ...right })),
      { title: 'found', ...right },
    ],
    [
      ...intentions.map((label) => [
        label,
        ...intentions.map((told) => String(confusion[label][told])),
        share(confusion[label][label], sum(Object.values(confusion[label]))),
      ]),
      ['right where told', ...intentions.map(found), ''],
    ],
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}
