/** Combines the scores of lines into a score for a file or a function. */

/** As many lines as a reader inspects. */
const mostLines = 10;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const aggregates = {
  /** The total, on a logarithmic scale, so that long files do not win by length. */
  sum: (values) => Math.log1p(Math.max(0, sum(values))),
  /** The paper's choice (Eq. 3). */
  mean: (values) => (values.length === 0 ? 0 : sum(values) / values.length),
  max: (values) => values.reduce((most, value) => Math.max(most, value), 0),
  /** The mean of the ten highest scores, padded with zeros. */
  top: (values) => sum(values.toSorted((a, b) => b - a).slice(0, mostLines)) / mostLines,
} as const satisfies Record<string, (values: readonly number[]) => number>;

export type AggregateName = keyof typeof aggregates;
export const aggregateNames = Object.keys(aggregates) as readonly AggregateName[];
