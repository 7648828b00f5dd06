import { z } from 'zod';
import { strategy } from '../strategy.js';
import { BanditSearch, banditOptions, gapToSlowest } from './bandit-search.js';

/** BanditFuzz_SPR (SPRFinder 5.1): restarts after each slowdown and draws the generator's parameters per formula. */
export const banditfuzzSpr = strategy({
  says: 'BanditFuzz made to look for slowdowns: forgets everything after a find, random parameters',
  options: z.object(banditOptions),
  start: (ground, options) => new BanditSearch(ground, options, { score: gapToSlowest, restarts: true }),
});
