import { z } from 'zod';
import { score } from '../../solver/index.js';
import { strategy } from '../strategy.js';
import { evolution, evolutionOptions } from './evolution.js';

/** StringFuzz with the difference between versions as its objective (MulStringFuzz IV.B, "Runtime-Difference"). */
export const stringfuzzDifference = strategy({
  says: 'StringFuzz, genetic: formulas the newest version takes longer for than the others',
  options: z.object(evolutionOptions),
  start: (ground, options) => evolution(ground, options, score),
});
