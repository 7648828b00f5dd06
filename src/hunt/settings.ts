/** A campaign's settings, as stored in `campaign.json`. */

import { z } from 'zod';
import { amounts } from '../machine/index.js';
import { logicNames } from '../smtlib/index.js';
import { slownessSchema } from '../solver/index.js';
import { strategyNames } from './strategies/index.js';

export const kindSchema = z
  .object({
    answer: z.string().describe('of the quick version'),
    operators: z.array(z.string()).describe('of the shrunk formula, without those every formula has'),
    since: amounts.ordinal.describe(
      'the first version that is slow, by its place among the versions, from 0',
    ),
    busy: z
      .object({
        counter: z.string().describe('of the solver’s own, such as seq-branch'),
        isAlone: z.boolean().describe('it did next to nothing else'),
      })
      .optional()
      .describe('what the newest version was busiest with; absent where it does not tell'),
  })
  .meta({ id: 'kind', title: 'a kind of slowdown: a guess at its cause' });

/** More than all releases of all solvers. */
const mostVersions = 10_000;

export const settingsSchema = z
  .object({
    format: z.literal(1),
    culprit: z.string().describe('the version of culprit that made it: another may search in another way'),
    strategy: z.enum(strategyNames),
    options: z.record(z.string(), z.unknown()).describe('the strategy’s own constants, in full'),
    versions: z.array(z.string()).min(2).max(mostVersions).describe('as they were named, the newest last'),
    builds: z.array(z.string()).max(mostVersions).describe('what those names stood for'),
    platform: z.string().optional().describe('the machine it hunted on'),
    seed: amounts.seed,
    workers: amounts.workerCount.describe('how many formulas are tried at once'),
    logic: z.enum(logicNames),
    slowness: slownessSchema.describe('when the newest version counts as slower'),
    memoryBytes: amounts.byteCount.describe('what a run may take, in bytes'),
    forMs: amounts.milliseconds.describe('how long it hunts in all, in milliseconds'),
    confirming: z
      .enum(['during', 'after', 'as-found', 'never'])
      .describe(
        'slowdowns are shrunk and confirmed as they are found, when the hunt is over, confirmed then as they were found, or not at all',
      ),
    isCounting: z
      .boolean()
      .optional()
      .describe('what the newest version executes is kept of every formula that is run to its end'),
    confirmedPerKind: amounts.count.min(1).describe('how many slowdowns of one kind are confirmed'),
    corpus: z.array(z.string()).describe('the user’s formulas, as text'),
    known: z.array(kindSchema).describe('kinds that earlier campaigns found between these versions'),
  })
  .meta({ id: 'hunt-settings', title: 'what a campaign was asked to do' });

export type HuntSettings = z.infer<typeof settingsSchema>;
