/** Parts of several outputs. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';

export const formulaName = z.string().describe('its file, as it was named');

export const date = z.string().describe('a date as ISO 8601 has it, in UTC');

export const commitId = z.string().describe('the whole id of a commit');

export const by = z
  .enum(['time', 'effort', 'printed'])
  .describe('what levels are: milliseconds, units of effort, or the number that the command printed');

export const level = amounts.measure.describe('in the unit of by');

export const direction = z.enum(['slower', 'quicker']);

export const sourceLine = z.strictObject({
  file: z.string(),
  line: z.int().min(1),
});
