import { z } from 'zod';
import { paperSlowness } from '../../solver/index.js';
import { AdaptiveParameters, adaptiveOptions } from '../search/adaptive-parameters.js';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToQuickest } from './bandit-search.js';

/**
 * SPRFinder, Algorithm 1 as published. Its γ = 0.05 assumes a timeout of 20 s: a mutant whose times differ from all
 * slowdowns by a whole timeout counts 1, as every better mutant does without time warping. For other timeouts γ is
 * scaled accordingly, so that rewards and failures stay comparable.
 */
export const sprfinder = strategy({
  summary: 'SPRFinder as published: Thompson sampling over operators, rewarded for new time sequences',
  options: z.object({
    /** γ: the reward per second of distance at the paper's timeout of 20 s. */
    discount: z.number().min(0).default(0.05),
    /** Which earlier cases distances refer to; the authors' program uses slowdowns. */
    distanceTo: z.enum(['slowdowns', 'all']).default('slowdowns'),
    ...banditOptions,
    ...adaptiveOptions,
  }),
  start: (input, options) => {
    const { timeoutMs } = input.slowness;
    const worth = (options.discount * paperSlowness.timeoutMs) / timeoutMs;
    return new BanditSearch(input, options, {
      score: gapToQuickest,
      reward: (distance) => (distance === undefined ? 1 : worth * distance),
      distanceTo: options.distanceTo,
      adaptive: new AdaptiveParameters(options, timeoutMs),
      restarts: false,
    });
  },
});
