/** The stored result of fault localization for an anomaly. */

import { z } from 'zod';
import { amounts } from '../machine/index.js';

const rankedFields = {
  name: z.string(),
  rank: amounts.measure.describe('from 1; those of the same score all have the worst rank among them'),
  score: amounts.measure,
};

const fileSchema = z.object({
  ...rankedFields,
  executed: amounts.measure.describe('how many of its lines, or functions, the formula executes'),
  witnesses: amounts.measure.describe('how many witnesses execute one of those, on average'),
  edits: amounts.measure.optional().describe('how often one of its lines was edited, on average'),
  commits: amounts.measure.optional().describe('how many have touched it'),
  message: amounts.measure
    .optional()
    .describe('the line of it that a failed check of the solver’s own names'),
  stack: amounts.measure
    .optional()
    .describe('its place among the files with calls that had not returned, the last call’s first'),
});

export const locatedResultSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ranked'),
    says: z.string().describe('what the version does wrong'),
    counts: z
      .enum(['lines', 'calls'])
      .describe('lines of files, or calls of functions, with classes for files'),
    tried: amounts.measure.describe('formulas near the one that fails'),
    failing: amounts.measure.describe('those of them that fail as well'),
    witnesses: amounts.measure.describe('those of them that do not fail'),
    files: z.array(fileSchema).describe('the most suspicious first'),
    functions: z.array(z.object(rankedFields)).describe('the most suspicious first'),
  }),
  z.object({ kind: z.literal('fault'), message: z.string().describe('why nothing came of it') }),
]);

export type LocatedResult = z.infer<typeof locatedResultSchema>;
export type LocatedFiles = Extract<LocatedResult, { readonly kind: 'ranked' }>;
