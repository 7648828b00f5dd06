/** The stored result of fault localization for an anomaly. */

import { z } from 'zod';
import { amounts } from '../machine/index.js';

const rankedFields = {
  name: z.string(),
  rank: amounts.measure.describe('from 1; entries with equal scores share the worst rank among them'),
  score: amounts.measure,
};

const fileSchema = z.object({
  ...rankedFields,
  executed: amounts.measure.describe('number of its lines, or functions, that the formula executes'),
  witnesses: amounts.measure.describe('number of witnesses that execute one of these, on average'),
  edits: amounts.measure.optional().describe('number of edits per line, on average'),
  commits: amounts.measure.optional().describe('number of suspected commits that changed it'),
  message: amounts.measure.optional().describe('its line that a failed assertion of the solver names'),
  stack: amounts.measure
    .optional()
    .describe('its place among the files on the call stack, the innermost call first'),
});

export const locatedResultSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ranked'),
    says: z.string().describe('the failure of the version'),
    counts: z
      .enum(['lines', 'calls'])
      .describe('lines of files, or calls of functions with classes for files'),
    tried: amounts.measure.describe('number of formulas near the failing one'),
    failing: amounts.measure.describe('number of these that fail too'),
    witnesses: amounts.measure.describe('number of these that do not fail'),
    files: z.array(fileSchema).describe('the most suspicious first'),
    functions: z.array(z.object(rankedFields)).describe('the most suspicious first'),
  }),
  z.object({ kind: z.literal('fault'), message: z.string().describe('why localization failed') }),
]);

export type LocatedResult = z.infer<typeof locatedResultSchema>;
export type LocatedFiles = Extract<LocatedResult, { readonly kind: 'ranked' }>;
