/** The request of a bisection, as `campaign.json` holds it. */

import { z } from 'zod';
import { recipeSchema } from '../../builds/index.js';
import { amounts } from '../../machine/index.js';
import { commitIdSchema } from '../../repository/index.js';
import { slownessSchema } from '../../solver/index.js';

/** The builds and the limit for measuring culprits by time at the end. */
export const verifyingSchema = z.object({ recipe: recipeSchema, timeoutMs: amounts.limitMilliseconds });

export const bisectSettingsSchema = z.object({
  format: z.literal(1),
  job: z.literal('bisect'),
  culprit: z.string(),
  /** The platform of the measurements. */
  platform: z.string().optional(),
  repository: z.string(),
  good: commitIdSchema,
  bad: commitIdSchema,
  line: z.enum(['first-parent', 'all']),
  recipe: recipeSchema,
  /** Unoptimised builds, compared by effort alone. */
  isQuick: z.boolean().optional(),
  /** Builds all of each commit, not only the sources that the cases call. */
  isWhole: z.boolean().optional(),
  /** Optimised builds on which the culprits are measured by time at the end. */
  verifying: verifyingSchema.optional(),
  /** The solver family, if the cases are formulas. */
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  /** The family that the built program reports, if the recipe does not determine it. */
  solver: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  cases: z
    .array(
      z.object({
        name: z.string(),
        text: z.string().optional(),
        /** Default: the seed of the solver. */
        seed: amounts.seed.optional(),
        /** The maximum effort on a commit. */
        mostEffort: z.number().positive().max(Number.MAX_SAFE_INTEGER).optional(),
        /** The seeds tried at both ends, and those under which the case was slower. */
        seeds: z.object({ slower: z.array(amounts.seed), tried: z.array(amounts.seed) }).optional(),
      }),
    )
    .min(1),
  /** The command that replaces a solver. */
  command: z.array(z.string()).optional(),
  isPrinted: z.boolean(),
  by: z.enum(['time', 'effort']),
  timeoutMs: amounts.limitMilliseconds,
  memoryBytes: amounts.byteCount,
  sensitivity: z.object({
    least: amounts.measure,
    noise: amounts.measure,
    share: amounts.measure,
    /** Absent in bisections of earlier versions. */
    multiplying: z.object({ times: amounts.measure, share: amounts.measure }).optional(),
  }),
  /** Runs each case under these seeds at both ends first, and fixes a seed under which it is slower. */
  seeding: z.object({ seeds: z.array(amounts.seed), slowness: slownessSchema }).optional(),
  confidence: amounts.share,
  strategy: z.enum(['batch', 'sprfinder', 'git-bisect']),
});

export type BisectSettings = z.infer<typeof bisectSettingsSchema>;
