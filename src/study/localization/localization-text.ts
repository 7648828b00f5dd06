/** The localization study as text: a table per figure and table of the paper, with the published figures. */

import type { Intention } from '../../history/index.js';
import { type Ink, noInk } from '../../machine/index.js';
import { type Column, count, duration, table as plainTable, ratio } from '../../page/index.js';
import { type LocalizationData, strategies } from './localization.js';
import {
  publishedBeforeAfter,
  publishedExposed,
  publishedIntentions,
  publishedSpeedUp,
} from './published-localization.js';

type TableFormatter = (columns: readonly Column[], rows: readonly (readonly string[])[]) => string;

const right = { align: 'right' as const };
const numbers = (...titles: readonly string[]): readonly Column[] =>
  titles.map((title) => ({ title, ...right }));

/** @param screen the maximum line width; unlimited if undefined */
export function localizationText(
  all: readonly LocalizationData[],
  ink: Ink = noInk,
  screen?: number,
): string {
  const table: TableFormatter = (columns, rows) => plainTable(columns, rows, ink, screen);
  return [
    ...all.flatMap((data) => [
      headline(data),
      ...data.notes.map((note) => `  ${note}`),
      '',
      'Cases localized over time (Fig. 6)',
      speedTable(data, table),
      publishedSpeedUp,
      '',
      'Timelines of the cases (Fig. 5), and the dominating commits that each strategy names',
      classTable(data, table),
      '',
      'Commits a case exposes (Fig. 7)',
      exposedTable(data, table),
      publishedExposed,
      '',
    ]),
    'Means before and after a commit, over all cases and over commits (Table 3)',
    beforeAfterTable(all, table),
    '',
    'Intentions of the commits (Table 4)',
    intentionsTable(all, table),
  ].join('\n');
}

function headline({ name, commits, cases, cost }: LocalizationData): string {
  const factor = cost.runFactor === 1 ? '' : `, runs ${cost.runFactor} times as long`;
  return `${name}: ${cases} cases over ${commits} commits; a build costs ${duration(cost.buildMs)}${factor}`;
}

function speedTable({ replays, cases }: LocalizationData, table: TableFormatter): string {
  const plain = replays.find(({ strategy }) => strategy === 'git-bisect');
  return table(
    [
      { title: 'strategy' },
      ...numbers('builds', 'runs', '10 %', '50 %', 'last located', 'cases', 'total', 'git bisect ratio'),
    ],
    replays.map(({ strategy, builds, runs, locatedMs, endMs }) => {
      const whenLocated = (share: number): string => {
        const at = locatedMs[Math.ceil(share * cases) - 1];
        return at === undefined ? '' : duration(at);
      };
      return [
        strategy,
        String(builds),
        String(runs),
        whenLocated(0.1),
        whenLocated(0.5),
        locatedMs.length === 0 ? '' : duration(locatedMs.at(-1) ?? 0),
        `${locatedMs.length} of ${cases}`,
        duration(endMs),
        plain === undefined || endMs === 0 ? '' : ratio(plain.endMs / endMs),
      ];
    }),
  );
}

function classTable({ classes }: LocalizationData, table: TableFormatter): string {
  return table(
    [{ title: 'timeline' }, ...numbers('cases', 'commits', ...strategies)],
    classes.map((row) => [
      row.class,
      String(row.cases),
      String(row.dominating),
      ...strategies.map((strategy) => String(row.found[strategy])),
    ]),
  );
}

function exposedTable({ exposed }: LocalizationData, table: TableFormatter): string {
  const sorted = [...exposed].toSorted(([a], [b]) => a - b);
  return table(
    [{ title: 'commits' }, ...numbers(...sorted.map(([commits]) => String(commits)))],
    [['cases', ...sorted.map(([, cases]) => String(cases))]],
  );
}

function beforeAfterTable(all: readonly LocalizationData[], table: TableFormatter): string {
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  const ours = all.flatMap(({ name, beforeAfter, unit, cost }) => {
    const text = (value: number): string =>
      unit === 'time' ? duration(value * cost.runFactor) : count(value);
    const { commits, overCases } = beforeAfter;
    return [
      { title: name, ...overCases },
      { title: `${name}, each commit once`, ...beforeAfter },
    ].map(({ title, before, after }) => [
      title,
      String(commits),
      text(before),
      text(after),
      text(after - before),
    ]);
  });
  const published = publishedBeforeAfter.map(({ name, commits, before, after, difference }) => [
    name,
    commits === undefined ? '' : String(commits),
    seconds(before),
    seconds(after),
    seconds(difference),
  ]);
  return table(
    [{ title: '', wraps: true }, ...numbers('commits', 'before', 'after', 'difference')],
    [...ours, ...published],
  );
}

function intentionsTable(all: readonly LocalizationData[], table: TableFormatter): string {
  const names: readonly Intention[] = ['program fix', 'algorithm update', 'theory selection', 'unknown'];
  const rows = [...all.flatMap(({ intentions }) => intentions ?? []), ...publishedIntentions];
  return table(
    [{ title: '', wraps: true }, ...numbers(...names, 'compromise', 'bug')],
    rows.map(({ name, intentions, compromise, bug }) => [
      name,
      ...names.map((intention) => String(intentions[intention])),
      String(compromise),
      String(bug),
    ]),
  );
}

export function localizationJson(all: readonly LocalizationData[]) {
  const ms = (seconds: number): number => Math.round(1000 * seconds);
  return {
    histories: all.map(({ exposed, unit, ...rest }) => ({
      ...rest,
      by: unit,
      exposed: Object.fromEntries(exposed),
    })),
    published: {
      beforeAfter: publishedBeforeAfter.map(({ name, commits, before, after }) => ({
        name,
        commits,
        beforeMs: ms(before),
        afterMs: ms(after),
      })),
      intentions: publishedIntentions,
    },
  };
}
