/** SPRFinder's Table 1 as published, to stand beside what a machine shows. */
export const publishedNoise = [
  { version: 'Z3Seq (paper)', averageMs: 2050, averageDifferenceMs: 110, maximalDifferenceMs: 1690 },
  { version: 'Z3Str3 (paper)', averageMs: 9910, averageDifferenceMs: 240, maximalDifferenceMs: 2020 },
  { version: 'CVC4 (paper)', averageMs: 1430, averageDifferenceMs: 30, maximalDifferenceMs: 350 },
] as const;
