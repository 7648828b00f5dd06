/** MulStringFuzz's Table I as published: 24 hours, 50 repeats, timeouts at 2,400 s. */

import type { StrategyName } from '../../hunt/index.js';
import type { PopulationColumn } from './multi-objective.js';

export const publishedPopulations: readonly (Readonly<Record<PopulationColumn, number>> & {
  readonly variant: StrategyName;
})[] = [
  row('stringfuzz', 15_332.1, 13_011.8, 4.33, 4, 44.07),
  row('stringfuzz-difference', 18_268.5, 13_048.7, 4.78, 5, 48.87),
  row('mulstringfuzz', 21_188.5, 13_593.5, 7.85, 13, 22.88),
  row('mulstringfuzz-only-time', 20_093.2, 13_496.6, 4.25, 6, 21.26),
  row('mulstringfuzz-no-coverage', 18_326.2, 13_127.5, 5.93, 5, 20.5),
  row('mulstringfuzz-no-complexity', 22_161.1, 16_434.2, 8.98, 12, 95.5),
  row('mulstringfuzz-default-crowding', 21_570.6, 13_246, 7.56, 10, 26.03),
];

function row(
  variant: StrategyName,
  totalLines: number,
  averageLines: number,
  averageTimeScore: number,
  timeouts: number,
  averageComplexity: number,
) {
  return { variant, totalLines, averageLines, averageTimeScore, timeouts, averageComplexity };
}

/**
 * Fig. 3 according to the paper's text: the share of the result sets that Z3str3 solved within a second, and within
 * 2,400 s.
 */
export const publishedShares: readonly {
  readonly variant: StrategyName;
  readonly withinSecond: number | undefined;
  readonly withinLong: number;
}[] = [
  { variant: 'mulstringfuzz', withinSecond: 0.7, withinLong: 0.775 },
  { variant: 'stringfuzz', withinSecond: undefined, withinLong: 0.9 },
];

/** The other figures according to the paper's text. */
export const publishedWords = {
  convergence:
    'mulstringfuzz goes from 7 to about 9 s, mulstringfuzz-default-crowding from 7 to about 8 s; both are level from generation 45 to 55 on.',
  sizes:
    'below a population of 60, time and timeouts grow alike; above 70 time grows faster than timeouts. 40 to 60 is recommended.',
} as const;
