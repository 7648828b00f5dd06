/** What a file or a function comes to, from what its lines do. */

/** As many lines as a reader looks at. */
const mostLines = 10;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const aggregates = {
  /** How much there is of what is suspicious; by its logarithm, so that long files do not win by their length. */
  sum: (values) => Math.log1p(Math.max(0, sum(values))),
  /** As the paper does (Eq. 3). */
  mean: (values) => (values.length === 0 ? 0 : sum(values) / values.length),
  max: (values) => values.reduce((most, value) => Math.max(most, value), 0),
  /** The mean of the ten most suspicious ones, as if there were ten. */
  top: (values) => sum(values.toSorted((a, b) => b - a).slice(0, mostLines)) / mostLines,
} as const satisfies Record<string, (values: readonly number[]) => number>;

export type AggregateName = keyof typeof aggregates;
export const aggregateNames = Object.keys(aggregates) as readonly AggregateName[];
