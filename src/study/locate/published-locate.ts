/** SMTLOC's Table 3 as published: of 30 bugs each of Z3 and cvc5, those with a fixed file in the top 1, 5, 10, 20. */

export interface PublishedRanking {
  readonly name: string;
  readonly bugs: number;
  readonly top: readonly [number, number, number, number];
  readonly meanFirst: number;
  readonly meanAverage: number;
}

const row = (
  name: string,
  top: readonly [number, number, number, number],
  meanFirst: number,
  meanAverage: number,
): PublishedRanking => ({ name, bugs: 60, top, meanFirst, meanAverage });

export const publishedRankings: readonly PublishedRanking[] = [
  row('SBFL', [1, 12, 18, 29], 28.44, 26.93),
  row('SMTLOC_dev', [4, 18, 24, 34], 24.49, 24.16),
  row('SMTLOC_rand', [5, 22, 32, 38], 22.72, 21.74),
  row('SMTLOC_mc', [5, 22, 32, 37], 24.67, 23.49),
  row('SMTLOC_h', [6, 12, 15, 23], 69.67, 76.65),
  row('SMTLOC_m', [5, 21, 27, 38], 20.98, 20.67),
  row('SMTLOC', [10, 28, 33, 40], 20.25, 20.14),
];
