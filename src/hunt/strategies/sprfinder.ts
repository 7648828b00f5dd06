import { z } from 'zod';
import { paperSlowness } from '../../solver/index.js';
import { AdaptiveParameters, adaptiveOptions } from '../search/adaptive-parameters.js';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/**
 * SPRFinder, Algorithm 1 as published. Its γ = 0.05 belongs to runs of at most 20 s: a mutant whose times are a whole
 * timeout away from all slowdowns is worth one, as every better mutant is without time warping, and as a failure counts
 * against an action. Under another timeout a distance counts in proportion, or the two would not be on one scale.
 */
export const sprfinder = strategy({
  says: 'SPRFinder as published: Thompson sampling over operators, rewarded for new time sequences',
  options: z.object({
    /** γ: what a second of distance is worth where runs may take the paper's 20 s. */
    discount: z.number().min(0).default(0.05),
    /** Which earlier cases a distance is to; the authors' program takes the slowdowns. */
    distanceTo: z.enum(['slowdowns', 'all']).default('slowdowns'),
    ...banditOptions,
    ...adaptiveOptions,
  }),
  start: (ground, options) => {
    const { timeoutMs } = ground.slowness;
    const worth = (options.discount * paperSlowness.timeoutMs) / timeoutMs;
    return new BanditSearch(ground, options, {
      score: gapToQuickest,
      reward: (distance) => (distance === undefined ? 1 : worth * distance),
      distanceTo: options.distanceTo,
      adaptive: new AdaptiveParameters(options, timeoutMs),
      restarts: false,
    });
  },
});
