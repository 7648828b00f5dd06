/** SPRFinder's Table 1 as published. */
export const publishedNoise = [
  {
    version: 'Z3Seq (paper)',
    formulas: 500,
    averageMs: 2050,
    averageDifferenceMs: 110,
    maximalDifferenceMs: 1690,
  },
  {
    version: 'Z3Str3 (paper)',
    formulas: 500,
    averageMs: 9910,
    averageDifferenceMs: 240,
    maximalDifferenceMs: 2020,
  },
  {
    version: 'CVC4 (paper)',
    formulas: 500,
    averageMs: 1430,
    averageDifferenceMs: 30,
    maximalDifferenceMs: 350,
  },
] as const;

/** The size of the paper's measurement (section 5.2). */
export const publishedNoiseSize = { formulas: 500, repeats: 10 } as const;
