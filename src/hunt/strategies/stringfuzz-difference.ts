import { z } from 'zod';
import { score } from '../../solver/index.js';
import { strategy } from '../strategy.js';
import { evolution, evolutionOptions } from './evolution.js';

/** StringFuzz with the difference between versions as its objective (MulStringFuzz IV.B, "Runtime-Difference"). */
export const stringfuzzDifference = strategy({
  summary: 'StringFuzz, genetic: maximizes the difference between the newest and the older versions',
  options: z.object(evolutionOptions),
  start: (input, options) => evolution(input, options, score),
});
