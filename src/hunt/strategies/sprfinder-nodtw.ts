import { z } from 'zod';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/** SPRFinder without its reward for being different: every success counts one, as in BanditFuzz. */
export const sprfinderNoDtw = strategy({
  says: 'SPRFinder without time warping: every better mutant is worth the same',
  options: z.object(banditOptions),
  start: (ground, options) =>
    new BanditSearch(ground, options, {
      score: gapToQuickest,
      reward: () => 1,
      parameters: 'adaptive',
      restarts: false,
    }),
});
