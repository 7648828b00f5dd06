/** SPRFinder's Table 1 as published, to stand beside what a machine shows. */
export const publishedNoise = [
  { solver: 'Z3Seq', averageMs: 2050, averageDifferenceMs: 110, maximalDifferenceMs: 1690 },
  { solver: 'Z3Str3', averageMs: 9910, averageDifferenceMs: 240, maximalDifferenceMs: 2020 },
  { solver: 'CVC4', averageMs: 1430, averageDifferenceMs: 30, maximalDifferenceMs: 350 },
] as const;
