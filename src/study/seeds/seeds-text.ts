/** Fig. 4 of SPRFinder as text: the share of findings that hold under how many seeds. */

import type { HuntData } from '../../hunt/index.js';
import { type Ink, noInk } from '../../machine/index.js';
import { table } from '../../page/index.js';
import { type Robustness, robustnesses } from '../../solver/index.js';
import { publishedShares, seedClasses } from './seeds.js';

/** Robustness of the findings that were run under other seeds. */
export function robustnessesOf(campaigns: readonly HuntData[]): readonly string[] {
  return campaigns.flatMap(({ groups }) =>
    groups.flatMap(({ findings }) => findings.flatMap(({ seeds }) => seeds?.robustness ?? [])),
  );
}

/** @param screen the maximum line width; unlimited if undefined */
export function seedsStudyText(
  cases: number,
  shares: ReadonlyMap<Robustness, number>,
  ink: Ink = noInk,
  screen?: number,
): string {
  const percent = (share: number | undefined): string =>
    share === undefined ? '' : `${(100 * share).toFixed(1)} %`;
  const rows = robustnesses.map((robustness, at) => [
    robustness,
    seedClasses[at] ?? '',
    percent(shares.get(robustness)),
    ...publishedShares.map(({ none, every }) =>
      percent(at === 0 ? none : at === robustnesses.length - 1 ? every : undefined),
    ),
  ]);
  const shown = robustnesses.slice(1).reduce((sum, robustness) => sum + (shares.get(robustness) ?? 0), 0);
  rows.push([
    'at least one seed',
    'n > 0',
    percent(shown),
    ...publishedShares.map(({ some }) => percent(some)),
  ]);
  const titles = [`${cases} cases`, ...publishedShares.map(({ solver }) => `${solver} (paper)`)];
  return table(
    [
      { title: 'shows on', wraps: true },
      { title: 'of 30 seeds' },
      ...titles.map((title) => ({ title, align: 'right' as const })),
    ],
    rows,
    ink,
    screen,
  );
}
