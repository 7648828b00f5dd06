/** What a bisection was asked to do, as it stands in `campaign.json`. */

import { z } from 'zod';
import { recipeSchema } from '../../builds/index.js';
import { amounts } from '../../machine/index.js';
import { commitIdSchema } from '../../repository/index.js';
import { slownessSchema } from '../../solver/index.js';

/** How the culprits that quick builds name are measured by time at the end. */
export const verifyingSchema = z.object({ recipe: recipeSchema, timeoutMs: amounts.limitMilliseconds });

export const bisectSettingsSchema = z.object({
  format: z.literal(1),
  job: z.literal('bisect'),
  culprit: z.string(),
  /** The machine it was measured on. */
  platform: z.string().optional(),
  /** Where the repository is. */
  repository: z.string(),
  good: commitIdSchema,
  bad: commitIdSchema,
  line: z.enum(['first-parent', 'all']),
  recipe: recipeSchema,
  /** The builds are made to be built quickly, so that only effort is compared. */
  isQuick: z.boolean().optional(),
  /** All of each commit is built, not only what the cases call. */
  isWhole: z.boolean().optional(),
  /** The culprits that quick builds name are measured by time on these at the end. */
  verifying: verifyingSchema.optional(),
  /** What a formula is run on, where cases are formulas. */
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  /** The family the built program said it is of, where the way to build it does not tell. */
  solver: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  cases: z
    .array(
      z.object({
        name: z.string(),
        text: z.string().optional(),
        /** The random seed it is run with; the solver's own when left out. */
        seed: amounts.seed.optional(),
        /** How much work it may do on a commit, by the solver's own count. */
        mostEffort: z.number().positive().max(Number.MAX_SAFE_INTEGER).optional(),
        /** Those it was run with at both ends, and those under which it was slower. */
        seeds: z.object({ slower: z.array(amounts.seed), tried: z.array(amounts.seed) }).optional(),
      }),
    )
    .min(1),
  /** What is run instead of a solver. */
  command: z.array(z.string()).optional(),
  isPrinted: z.boolean(),
  by: z.enum(['time', 'effort']),
  timeoutMs: amounts.limitMilliseconds,
  memoryBytes: amounts.byteCount,
  sensitivity: z.object({
    least: amounts.measure,
    noise: amounts.measure,
    share: amounts.measure,
    /** Bisections that were begun before there was such a rule go on without it. */
    multiplying: z.object({ times: amounts.measure, share: amounts.measure }).optional(),
  }),
  /** Each case is run under these seeds at both ends first, and one under which it is slower is fixed. */
  seeding: z.object({ seeds: z.array(amounts.seed), slowness: slownessSchema }).optional(),
  confidence: amounts.share,
  strategy: z.enum(['batch', 'sprfinder', 'git-bisect']),
});

export type BisectSettings = z.infer<typeof bisectSettingsSchema>;
