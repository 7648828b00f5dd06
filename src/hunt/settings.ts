/** A campaign's settings, as stored in `campaign.json`. */

import { z } from 'zod';
import { amounts } from '../machine/index.js';
import { logicNames } from '../smtlib/index.js';
import { slownessSchema } from '../solver/index.js';
import { strategyNames } from './strategies/index.js';

export const kindSchema = z
  .object({
    answer: z.string().describe('the fast version’s answer'),
    operators: z.array(z.string()).describe('operators of the shrunk formula, without core-theory ones'),
    since: amounts.ordinal.describe(
      'the first version that is slow, by its place among the versions, from 0',
    ),
    busy: z
      .object({
        counter: z.string().describe('a counter of the solver, such as seq-branch'),
        isAlone: z.boolean().describe('all other counters are far lower'),
      })
      .optional()
      .describe('the newest version’s highest counter; absent if it has none'),
  })
  .meta({ id: 'kind', title: 'a kind of slowdown: a guess at its cause' });

/** More than all releases of all solvers. */
const mostVersions = 10_000;

export const settingsSchema = z
  .object({
    format: z.literal(1),
    culprit: z
      .string()
      .describe('the version of culprit that created it; another version may search differently'),
    strategy: z.enum(strategyNames),
    options: z.record(z.string(), z.unknown()).describe('all constants of the strategy'),
    versions: z.array(z.string()).min(2).max(mostVersions).describe('names of the versions, the newest last'),
    builds: z.array(z.string()).max(mostVersions).describe('the builds that these names meant'),
    platform: z.string().optional().describe('the machine of the hunt'),
    seed: amounts.seed,
    workers: amounts.workerCount.describe('number of formulas tried in parallel'),
    logic: z.enum(logicNames),
    slowness: slownessSchema.describe('when the newest version counts as slower'),
    memoryBytes: amounts.byteCount.describe('memory limit of a run, in bytes'),
    forMs: amounts.milliseconds.describe('total hunting time, in milliseconds'),
    confirming: z
      .enum(['during', 'after', 'as-found', 'never'])
      .describe(
        'when slowdowns are shrunk and confirmed: during the hunt, after it, after it without shrinking, or never',
      ),
    isCounting: z
      .boolean()
      .optional()
      .describe('coverage of the newest version is stored for every fully measured formula'),
    confirmedPerKind: amounts.count.min(1).describe('number of slowdowns to confirm per kind'),
    corpus: z.array(z.string()).describe('the user’s formulas, as text'),
    known: z.array(kindSchema).describe('kinds that earlier campaigns found between these versions'),
  })
  .meta({ id: 'hunt-settings', title: 'the settings of a campaign' });

export type HuntSettings = z.infer<typeof settingsSchema>;
