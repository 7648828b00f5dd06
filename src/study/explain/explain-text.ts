import type { Ink } from '../../machine/index.js';
import { count, duration, table } from '../../page/index.js';
import type { ExplainedSubject, Match } from './explain.js';
import type { Subject } from './explained-subjects.js';

const right = { align: 'right' as const };
const columns = [
  { title: 'program' },
  { title: 'changes', ...right },
  { title: 'strategy' },
  { title: 'reported', ...right },
  { title: 'auxiliary', ...right },
  { title: 'match' },
  { title: 'tests', ...right },
  { title: 'builds', ...right },
  { title: 'causes', ...right },
  { title: 'solver', ...right },
  { title: 'time', ...right },
];

/** Tables II to IV over the subjects: a row per strategy and subject, and a summary per strategy. */
export function explainStudyText(
  explained: readonly ExplainedSubject[],
  subjects: readonly Subject[],
  ink?: Ink,
): string {
  const rows = explained.map((one) => [
    one.name,
    count(one.changes),
    one.strategy,
    count(one.reported),
    count(one.auxiliary),
    one.match,
    ...[one.tests, one.builds, one.causes].map(count),
    ...[one.solverMs, one.ms].map(duration),
  ]);
  const published = subjects.flatMap(({ name, published }) =>
    published === undefined
      ? []
      : (['dd', 'add', 'after'] as const).map((strategy) => {
          const { reported, match, tests, seconds } = published[strategy];
          return [name, strategy, count(reported), match, count(tests), `${count(seconds)} s`];
        }),
  );
  const without = explained.flatMap(({ name, strategy, why }) =>
    why === undefined ? [] : [`${name} (${strategy}): ${why}`],
  );
  return [
    table(columns, rows, ink),
    '',
    table(
      [
        { title: 'strategy' },
        ...['subjects', 'matched', 'partial', 'missed', 'reported', 'tests', 'builds', 'time'].map(
          (title) => ({
            title,
            ...right,
          }),
        ),
      ],
      sumsOf(explained).map((sum) => [
        sum.strategy,
        count(sum.subjects),
        ...(['matched', 'partial', 'missed'] as const).map((match) => count(sum[match])),
        ...[sum.reported, sum.tests, sum.builds].map((mean) => mean.toFixed(1)),
        duration(sum.ms),
      ]),
      ink,
    ),
    'Reported changes, tests, builds and time are means. Subjects without an explanation count as missed, not in the means.',
    ...(published.length === 0
      ? []
      : [
          '',
          'As published (Tables II and III):',
          '',
          table(
            [
              { title: 'program' },
              { title: 'strategy' },
              { title: 'reported', ...right },
              { title: 'match' },
              { title: 'tests', ...right },
              { title: 'time', ...right },
            ],
            published,
            ink,
          ),
        ]),
    ...(without.length === 0 ? [] : ['', 'Not explained:', ...without.map((line) => `  ${line}`)]),
  ].join('\n');
}

export interface StrategySum extends Readonly<Record<Match, number>> {
  readonly strategy: string;
  readonly subjects: number;
  /** Means over the subjects that were explained. */
  readonly reported: number;
  readonly tests: number;
  readonly builds: number;
  readonly ms: number;
}

export function sumsOf(explained: readonly ExplainedSubject[]): readonly StrategySum[] {
  return [...new Set(explained.map(({ strategy }) => strategy))].map((strategy) => {
    const own = explained.filter((one) => one.strategy === strategy);
    const done = own.filter(({ why }) => why === undefined);
    const matching = (match: Match): number => own.filter((one) => one.match === match).length;
    const mean = (of: (one: ExplainedSubject) => number): number =>
      done.length === 0 ? 0 : done.reduce((sum, one) => sum + of(one), 0) / done.length;
    return {
      strategy,
      subjects: own.length,
      matched: matching('matched'),
      partial: matching('partial'),
      missed: matching('missed'),
      reported: mean(({ reported }) => reported),
      tests: mean(({ tests }) => tests),
      builds: mean(({ builds }) => builds),
      ms: mean(({ ms }) => ms),
    };
  });
}

export function explainStudyJson(explained: readonly ExplainedSubject[]) {
  return {
    subjects: explained.map(({ solverMs, ms, ...one }) => ({
      ...one,
      solverMs: Math.round(solverMs),
      ms: Math.round(ms),
    })),
    strategies: sumsOf(explained),
  };
}
