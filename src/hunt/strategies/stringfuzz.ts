import { z } from 'zod';
import { type Runs, spentMs } from '../../solver/index.js';
import { strategy } from '../strategy.js';
import { evolution, evolutionOptions } from './evolution.js';

/** StringFuzz as MulStringFuzz IV.B compares with it ("Default"): the newest version's time is the objective. */
export const stringfuzz = strategy({
  summary: 'StringFuzz, genetic: maximizes the time of the newest version',
  options: z.object(evolutionOptions),
  start: (input, options) => evolution(input, options, newestMs),
});

function newestMs(runs: Runs): number {
  const newest = runs.at(-1);
  return newest === undefined ? 0 : spentMs(newest);
}
