/** What a campaign was asked to do, as it stands in `campaign.json`. */

import { z } from 'zod';
import { amounts } from '../machine/index.js';
import { logicNames } from '../smtlib/index.js';
import { slownessSchema } from '../solver/index.js';
import { strategyNames } from './strategies/index.js';

export const kindSchema = z.object({
  answer: z.string(),
  operators: z.array(z.string()),
  since: amounts.ordinal,
  busy: z.object({ counter: z.string(), isAlone: z.boolean() }).optional(),
});

/** More than all releases of all solvers there are. */
const mostVersions = 10_000;

export const settingsSchema = z.object({
  format: z.literal(1),
  /** The culprit that made it: another one may search in another way. */
  culprit: z.string(),
  strategy: z.enum(strategyNames),
  /** The strategy's own constants, in full. */
  options: z.record(z.string(), z.unknown()),
  /** As the user named them, the newest last. */
  versions: z.array(z.string()).min(2).max(mostVersions),
  /** What those names stood for. */
  builds: z.array(z.string()).max(mostVersions),
  /** The machine it hunts on; campaigns from before it was written down have none. */
  platform: z.string().optional(),
  seed: amounts.seed,
  workers: amounts.workerCount,
  logic: z.enum(logicNames),
  slowness: slownessSchema,
  memoryBytes: amounts.byteCount,
  /** How long it hunts in all; a resumed campaign may be given more. */
  forMs: amounts.milliseconds,
  /** Slowdowns are shrunk and confirmed as they are found, or when the hunt is over. */
  confirming: z.enum(['during', 'after']),
  /** How many slowdowns of one kind are confirmed. */
  confirmedPerKind: amounts.count.min(1),
  /** The user's formulas, as text. */
  corpus: z.array(z.string()),
  /** Kinds that earlier campaigns found between these versions. */
  known: z.array(kindSchema),
});

export type HuntSettings = z.infer<typeof settingsSchema>;
