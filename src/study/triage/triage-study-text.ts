/** Agreement of triage with labels, as text. */

import { type Intention, intentions } from '../../history/index.js';
import { type Ink, noInk } from '../../machine/index.js';
import { table } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import type { Agreement, TriageStudy } from './triage-study.js';

/** @param screen the maximum line width; unlimited if undefined */
export function triageStudyText(
  { told, agreements }: TriageStudy,
  ink: Ink = noInk,
  screen?: number,
): string {
  const right = { align: 'right' as const };
  const summary = table(
    [
      { title: 'labels' },
      { title: 'commits', ...right },
      { title: 'correct', ...right },
      { title: '', ...right },
      { title: 'most common label', ...right },
    ],
    agreements.map(({ of, commits, right: agreed, commonest }) => [
      of,
      String(commits),
      String(agreed),
      share(agreed, commits),
      share(commonest, commits),
    ]),
    ink,
    screen,
  );
  const wrong = told.filter(({ label, told: as }) => label !== as);
  const wrongs = table(
    [{ title: 'wrong' }, { title: 'label' }, { title: 'verdict' }, { title: 'evidence', wraps: true }],
    wrong.map(({ commit, label, told: as, because }) => [
      shortId(commit),
      label,
      as,
      because.join('; ') || 'no rule fits',
    ]),
    ink,
    screen,
  );
  return [
    summary,
    ...agreements
      .filter(({ of }) => of !== 'first half')
      .map((agreement) => confusionTable(agreement, ink, screen)),
    ...(wrong.length === 0 ? [] : [wrongs]),
  ].join('\n\n');
}

function confusionTable({ of, confusion }: Agreement, ink: Ink, screen: number | undefined): string {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const right = { align: 'right' as const };
  const found = (told: Intention): string =>
    share(confusion[told][told], sum(intentions.map((label) => confusion[label][told])));
  return table(
    [
      { title: `${of}: label by verdict`, wraps: true },
      ...intentions.map((title) => ({ title, ...right })),
      { title: 'recall', ...right },
    ],
    [
      ...intentions.map((label) => [
        label,
        ...intentions.map((told) => String(confusion[label][told])),
        share(confusion[label][label], sum(Object.values(confusion[label]))),
      ]),
      ['precision', ...intentions.map(found), ''],
    ],
    ink,
    screen,
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}
