/** What a campaign was asked to do, as it stands in `campaign.json`. */

import { z } from 'zod';
import { logicNames } from '../smtlib/index.js';
import { slownessSchema } from '../solver/index.js';
import { strategyNames } from './strategies/index.js';

export const kindSchema = z.object({
  answer: z.string(),
  operators: z.array(z.string()),
  since: z.number().int(),
  busy: z.object({ counter: z.string(), isAlone: z.boolean() }).optional(),
});

export const settingsSchema = z.object({
  format: z.literal(1),
  /** The culprit that made it: another one may search in another way. */
  culprit: z.string(),
  strategy: z.enum(strategyNames),
  /** The strategy's own constants, in full. */
  options: z.record(z.string(), z.unknown()),
  /** As the user named them, the newest last. */
  versions: z.array(z.string()).min(2),
  /** What those names stood for. */
  builds: z.array(z.string()),
  seed: z.number().int(),
  workers: z.number().int().min(1),
  logic: z.enum(logicNames),
  slowness: slownessSchema,
  memoryBytes: z.number(),
  /** How long it hunts in all; a resumed campaign may be given more. */
  forMs: z.number(),
  /** Slowdowns are shrunk and confirmed as they are found, or when the hunt is over. */
  confirming: z.enum(['during', 'after']),
  /** How many slowdowns of one kind are confirmed. */
  confirmedPerKind: z.number().int().min(1),
  /** The user's formulas, as text. */
  corpus: z.array(z.string()),
  /** Kinds that earlier campaigns found between these versions. */
  known: z.array(kindSchema),
});

export type HuntSettings = z.infer<typeof settingsSchema>;
