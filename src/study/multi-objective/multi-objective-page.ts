/** The study of MulStringFuzz's variants as an HTML page: Table I and Fig. 3 to 6, with the published figures. */

import {
  type CubePoint,
  counted,
  cubeChart,
  curvesChart,
  distributionChart,
  duration,
  html,
  type Markup,
  page,
} from '../../page/index.js';
import { numbersTable } from '../numbers-table.js';
import { defaultVariant, type PopulationResult } from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-data.js';
import {
  convergenceOf,
  type FrontMember,
  frontOf,
  longTimes,
  relativeTo,
  type SizeRow,
  shareWithin,
} from './multi-objective-figures.js';
import {
  figureCells,
  figureTitles,
  longRunsText,
  meanText,
  publishedBudget,
  publishedCells,
  significanceNote,
  sizeTitles,
} from './multi-objective-words.js';
import { publishedPopulations, publishedShares, publishedWords } from './published-multi-objective.js';

export function multiObjectivePage(study: MultiObjectiveStudy): string {
  const { culprit, versions, population, forMs, workers, timeoutMs } = study.settings;
  const title = `Populations on ${versions.at(-1)}`;
  const body = html`<p>Campaigns of ${duration(forMs)} on ${versions.join(', ')}; populations of ${population}, ${counted(workers, 'worker')}, each formula
at most ${duration(timeoutMs)}. ${longRunsText(study)}
Coverage is counted in ${study.counts}.</p>
${study.notes.map((note) => html`<p class="quiet">${note}</p>`)}
<h2>Table I</h2>
${populationsTable(study)}
<p class="quiet">${significanceNote(study.rows)} ${publishedBudget}.</p>
${timesSection(study)}
${convergenceSection(study)}
${frontsSection(study)}
${sizesSection(study)}`;
  return page(title, culprit, body);
}

function populationsTable({ rows }: MultiObjectiveStudy): Markup {
  return numbersTable(
    ['variant'],
    figureTitles,
    rows.flatMap((row) => [
      { heads: [row.variant], cells: figureCells(row) },
      ...publishedPopulations
        .filter(({ variant }) => variant === row.variant)
        .map((published) => ({ heads: ['as published'], cells: publishedCells(published), isQuiet: true })),
    ]),
  );
}

function resultsOf({ results }: MultiObjectiveStudy, variant: string): readonly PopulationResult[] {
  return results.filter((result) => result.variant === variant);
}

/** The paper's text gives shares for this limit. */
const secondMs = 1000;

function timesSection(study: MultiObjectiveStudy): Markup {
  const { rows, longRuns, settings } = study;
  const { longMs, versions } = settings;
  const sets = rows.map(({ variant }) => ({
    variant,
    times: longTimes(resultsOf(study, variant), longRuns),
  }));
  const percent = (share: number | undefined): string =>
    share === undefined ? '' : `${(100 * share).toFixed(1)} %`;
  return html`<h2>Run times of the final formulas</h2>
${distributionChart(
  `Formulas that end on ${versions.at(-1)} within a time (Fig. 3)`,
  sets.map(({ variant, times }) => ({ name: variant, values: times.endedMs, beyond: times.unfinished })),
  'time',
)}
${numbersTable(
  ['variant'],
  [
    'within 1 s',
    `within ${longMs === undefined ? 'the long limit' : duration(longMs)}`,
    'published, 1 s',
    'published, 2,400 s',
  ],
  sets.map(({ variant, times }) => {
    const published = publishedShares.find((share) => share.variant === variant);
    return {
      heads: [variant],
      cells: [
        percent(shareWithin(times, secondMs)),
        longMs === undefined ? '' : percent(shareWithin(times, longMs)),
        percent(published?.withinSecond),
        percent(published?.withinLong),
      ],
    };
  }),
)}`;
}

function convergenceSection(study: MultiObjectiveStudy): Markup {
  const { rows, settings } = study;
  const curves = rows.map(({ variant }) => ({
    name: variant,
    points: convergenceOf(resultsOf(study, variant)),
  }));
  return html`<h2>Convergence</h2>
${curvesChart(curves, { title: 'Mean time score of the population, s (Fig. 4)', x: 'generations' })}
<p class="quiet">${settings.workers === 1 ? undefined : `Each of the ${settings.workers} workers has a population; the generations of all of them are counted. `}Variants that maximize only
the target's time score at most ${duration(settings.timeoutMs)}, the others at most twice that. As published: ${publishedWords.convergence}</p>`;
}

/** The two variants that Fig. 5 shows. */
const drawnInFig5: readonly string[] = [defaultVariant, 'mulstringfuzz-default-crowding'];

/** More points would overlap. */
const mostPoints = 300;

function frontsSection(study: MultiObjectiveStudy): Markup {
  const { rows, counts } = study;
  const fronts = rows
    .map(({ variant }, series) => ({ variant, series, members: frontOf(resultsOf(study, variant)) }))
    .toSorted((a, b) => orderInFig5(a.variant) - orderInFig5(b.variant));
  const all = fronts.flatMap(({ members }) => members);
  if (all.length === 0)
    return html`<h2>Pareto fronts (Fig. 5)</h2>
<p>No campaign has a population yet.</p>`;
  const [time, lines, complexity] = [
    rangeOf(all, ({ timeScoreMs }) => timeScoreMs),
    rangeOf(all, (member) => member.lines),
    rangeOf(all, (member) => member.complexity),
  ];
  const point = (member: FrontMember): CubePoint => ({
    at: [
      1 - scaled(complexity, member.complexity),
      scaled(lines, member.lines),
      scaled(time, member.timeScoreMs),
    ],
    isHighlighted: member.isFirst,
    label: `${duration(member.timeScoreMs)}, ${member.lines} ${counts}, complexity ${member.complexity}`,
  });
  const towards = ['simpler', `more ${counts}`, 'slower'] as const;
  return html`<h2>Pareto fronts (Fig. 5)</h2>
<p>The final populations of each variant, in the same box: time scores from ${duration(time.least)} to ${duration(time.most)}, ${counts} from ${lines.least} to ${lines.most},
complexity from ${complexity.most} to ${complexity.least}. A full dot is a formula on the Pareto front of its variant; the other dots are hollow.</p>
<p class="turn-hint quiet" hidden>Drag a box or use the arrow keys to turn all boxes. Home turns them back.</p>
<div class="small-charts">${fronts.map(({ variant, series, members }) => {
    const front = members.filter(({ isFirst }) => isFirst).length;
    const title = `${variant}: ${front} of ${members.length}`;
    return cubeChart(members.slice(0, mostPoints).map(point), { title, axisLabels: towards, series });
  })}</div>
${fronts.some(({ members }) => members.length > mostPoints) ? html`<p class="quiet">The charts show the first ${mostPoints} formulas of each variant.</p>` : undefined}`;
}

function orderInFig5(variant: string): number {
  const place = drawnInFig5.indexOf(variant);
  return place === -1 ? drawnInFig5.length : place;
}

interface Extent {
  readonly least: number;
  readonly most: number;
}

function rangeOf(members: readonly FrontMember[], of: (member: FrontMember) => number): Extent {
  return members
    .map(of)
    .reduce<Extent>(
      ({ least, most }, value, at) =>
        at === 0
          ? { least: value, most: value }
          : { least: Math.min(least, value), most: Math.max(most, value) },
      { least: 0, most: 0 },
    );
}

/** Scales to 0 to 1; 0.5 if the extent is empty. */
function scaled({ least, most }: Extent, value: number): number {
  return most === least ? 0.5 : (value - least) / (most - least);
}

function sizesSection({ sizes, settings }: MultiObjectiveStudy): Markup {
  const published = html`<p class="quiet">As published: ${publishedWords.sizes}</p>`;
  if (sizes.length === 0)
    return html`<h2>Sizes of the population</h2>
<p>All campaigns had populations of ${settings.population}. Add --populations 20,60,80 to the command to run ${defaultVariant} with other sizes, for Fig. 6.</p>
${published}`;
  const base = sizes.find(({ population }) => population === settings.population);
  const measures: readonly { readonly name: string; readonly of: (row: SizeRow) => readonly number[] }[] = [
    { name: 'time to converge', of: ({ convergedMs }) => convergedMs },
    { name: 'timeouts', of: ({ timeouts }) => timeouts },
  ];
  const relative = (row: SizeRow, of: (row: SizeRow) => readonly number[]): number | undefined =>
    base && relativeTo(of(row), of(base));
  return html`<h2>Sizes of the population</h2>
${curvesChart(
  measures.map(({ name, of }) => ({
    name,
    points: sizes.flatMap((row) => {
      const value = relative(row, of);
      return value === undefined ? [] : [{ at: row.population, value }];
    }),
  })),
  { title: `Compared with a population of ${settings.population} (Fig. 6)`, x: 'formulas', hasDots: true },
)}
${numbersTable(
  [],
  [...sizeTitles, 'time, compared', 'timeouts, compared'],
  sizes.map((row) => ({
    heads: [],
    cells: [
      String(row.population),
      String(row.campaigns),
      meanText(row.convergedMs, duration),
      meanText(row.timeouts, (value) => value.toFixed(1)),
      ...measures.map(({ of }) => relative(row, of)?.toFixed(2) ?? ''),
    ],
  })),
)}
<p class="quiet">A population has converged when its mean time score stays within 5 % of its final value.</p>
${published}`;
}
