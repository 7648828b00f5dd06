import { z } from 'zod';
import { AdaptiveParameters, adaptiveOptions } from '../search/adaptive-parameters.js';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/** SPRFinder without time warping: every success counts 1, as in BanditFuzz. */
export const sprfinderNoDtw = strategy({
  says: 'SPRFinder without time warping: every better mutant is worth the same',
  options: z.object({ ...banditOptions, ...adaptiveOptions }),
  start: (ground, options) =>
    new BanditSearch(ground, options, {
      score: gapToQuickest,
      adaptive: new AdaptiveParameters(options, ground.slowness.timeoutMs),
      restarts: false,
    }),
});
