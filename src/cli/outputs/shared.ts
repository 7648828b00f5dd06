/** Parts of several outputs. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';

export const formulaName = z.string().describe('file of the formula, as you named it');

export const date = z.string().describe('date in ISO 8601, in UTC');

export const commitId = z.string().describe('full commit id');

export const by = z
  .enum(['time', 'effort', 'printed'])
  .describe('unit of levels: milliseconds, units of effort, or the number that the command printed');

export const level = amounts.measure.describe('level, in the unit of by');

export const direction = z.enum(['slower', 'quicker']);

export const sourceLine = z.strictObject({
  file: z.string(),
  line: z.int().min(1),
});
