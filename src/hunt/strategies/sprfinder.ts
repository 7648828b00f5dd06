import { z } from 'zod';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/** SPRFinder, Algorithm 1 as published. */
export const sprfinder = strategy({
  says: 'SPRFinder as published: Thompson sampling over operators, rewarded for new time sequences',
  options: z.object({
    /** γ: what a second of distance is worth. */
    discount: z.number().min(0).default(0.05),
    ...banditOptions,
  }),
  start: (ground, options) =>
    new BanditSearch(ground, options, {
      score: gapToQuickest,
      reward: (distance) => options.discount * distance,
      parameters: 'adaptive',
      restarts: false,
    }),
});
