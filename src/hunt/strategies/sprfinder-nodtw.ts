import { z } from 'zod';
import { AdaptiveParameters, adaptiveOptions } from '../search/adaptive-parameters.js';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/** SPRFinder without time warping: every success counts 1, as in BanditFuzz. */
export const sprfinderNoDtw = strategy({
  summary: 'SPRFinder without time warping: equal rewards for all better mutants',
  options: z.object({ ...banditOptions, ...adaptiveOptions }),
  start: (input, options) =>
    new BanditSearch(input, options, {
      score: gapToQuickest,
      adaptive: new AdaptiveParameters(options, input.slowness.timeoutMs),
      restarts: false,
    }),
});
