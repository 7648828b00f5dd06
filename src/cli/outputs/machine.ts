/** Versions and this machine: `solvers`, `builds`, `calibrate`, `tools`, `doctor`, `examples`. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { noiseSchema } from '../../solver/index.js';
import { commitId, date } from './shared.js';

const spec = z.string().describe('what to write after --on to get it');
const bytes = z.number().min(0).describe('how much it takes up, in bytes');

export const solvers = z.strictObject({
  spec,
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5', 'custom']),
  number: z.string().describe('its release, such as 4.8.12'),
  kind: z.enum(['native', 'wasm']),
  source: z.string().describe('where it comes from, such as embedded, pypi or path'),
  bytes: bytes.optional(),
  path: z.string(),
});

export const solversNames = z.strictObject({ spec });

export const solversRemove = z.strictObject({ removed: z.string().describe('what it was called') });

export const solversCheck = z.strictObject({
  spec,
  ok: z.boolean().describe('it is whole and answers'),
  problem: z.string().optional().describe('where it is not'),
});

export const builds = z.strictObject({
  repository: z.string(),
  commit: commitId.describe(
    'the whole id of the commit it was built for; others that hold the same share it',
  ),
  folder: z.string().describe('where it is kept'),
  key: z.string().describe('of what the commit holds and the way it was built'),
  program: z.string().optional().describe('absent where the commit does not build'),
  failed: z.string().optional().describe('why the commit does not build'),
  bytes,
  buildMs: amounts.milliseconds.describe('how long it took to build, in milliseconds'),
  usedAt: date.describe('when it was last asked for, as ISO 8601 has it, in UTC'),
});

/** The stability of a version's times: SPRFinder's Table 1. */
export const published = z.strictObject({
  version: z.string(),
  formulas: amounts.measure.describe('how many there are; what follows is over all of them'),
  averageMs: amounts.milliseconds,
  averageDifferenceMs: amounts.milliseconds.describe(
    'between the longest and the shortest run of a formula: the average, in milliseconds',
  ),
  maximalDifferenceMs: amounts.milliseconds.describe('the same: the largest, in milliseconds'),
});

export const stability = z
  .strictObject({
    ...published.shape,
    unfinished: amounts.measure.describe('formulas with a run that did not end in time'),
    neverFinished: amounts.measure.describe('those with no other run'),
    noise: noiseSchema,
    steadyEffort: amounts.share
      .optional()
      .describe('the share of formulas whose effort was the same in every run, from 0 to 1'),
  })
  .meta({ id: 'stability', title: 'how stable the times of a version are' });

export const calibrate = z.strictObject({
  versions: z.array(stability),
  noise: noiseSchema.describe('what covers all versions'),
  skew: amounts.measure.describe(
    'so many times as long as alone a run takes beside others; 1 where no formula ended in time',
  ),
  skewFormulas: amounts.measure.describe('how many formulas that was measured with'),
  skewUnfinished: amounts.measure.describe(
    'those of them that a run of did not end in time, alone or beside others; they are left out from there on',
  ),
  isBusy: z.boolean().describe('times differ more than they do on an idle machine'),
  isKept: z
    .boolean()
    .describe(
      'later comparisons go by it; what was measured on a busy machine does not replace an idle one’s',
    ),
  safetyFactor: amounts.measure.describe('a difference counts that is so many times the noise'),
  publishedThresholdMs: amounts.milliseconds.describe('the threshold by SPRFinder’s rule, in milliseconds'),
  path: z.string().describe('where what is kept is'),
});

export const toolsAdd = z.strictObject({ tool: z.string(), path: z.string() });

export const toolsRemove = z.strictObject({ removed: z.string() });

export const doctor = z.strictObject({
  name: z.string(),
  found: z.string().optional().describe('where it is or which one it is; absent when it is missing'),
  neededFor: z.string(),
  isEssential: z.boolean().describe('without it little works'),
  remedy: z.string().describe('what to do when it is missing'),
});

export const examples = z.strictObject({ files: z.array(z.string()).describe('that were written') });
