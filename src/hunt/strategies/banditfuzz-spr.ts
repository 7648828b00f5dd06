import { z } from 'zod';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToSlowest } from './bandit-search.js';

/** BanditFuzz_SPR (SPRFinder 5.1): restarts after each slowdown and draws the generator's parameters per formula. */
export const banditfuzzSpr = strategy({
  summary: 'BanditFuzz adapted to slowdowns: forgets everything after each one, random parameters',
  options: z.object(banditOptions),
  start: (input, options) => new BanditSearch(input, options, { score: gapToSlowest, restarts: true }),
});
