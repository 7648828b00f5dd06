/** Versions and this machine: `solvers`, `builds`, `calibrate`, `tools`, `doctor`, `examples`. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { noiseSchema } from '../../solver/index.js';
import { commitId, date } from './shared.js';

const spec = z.string().describe('name of the version for --on');
const bytes = z.number().min(0).describe('size on disk, in bytes');

export const solvers = z.strictObject({
  spec,
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5', 'custom']),
  number: z.string().describe('release number, such as 4.8.12'),
  kind: z.enum(['native', 'wasm']),
  source: z.string().describe('source, such as embedded, pypi or path'),
  bytes: bytes.optional(),
  path: z.string(),
});

export const solversNames = z.strictObject({ spec });

export const solversRemove = z.strictObject({ removed: z.string().describe('name used in the request') });

export const solversCheck = z.strictObject({
  spec,
  ok: z.boolean().describe('true if the version is complete and runs'),
  problem: z.string().optional().describe('reason if it does not'),
});

export const builds = z.strictObject({
  repository: z.string(),
  commit: commitId.describe(
    'full id of the commit it was built for; commits with equal content share the build',
  ),
  folder: z.string().describe('path of the stored build'),
  key: z.string().describe('hash of the commit’s content and the build settings'),
  program: z.string().optional().describe('absent if the commit does not build'),
  failed: z.string().optional().describe('reason if the commit does not build'),
  bytes,
  buildMs: amounts.milliseconds.describe('build time, in milliseconds'),
  usedAt: date.describe('time of the last use in ISO 8601, in UTC'),
});

/** The stability of a version's times: SPRFinder's Table 1. */
export const published = z.strictObject({
  version: z.string(),
  formulas: amounts.measure.describe('number of formulas; the other fields cover all of them'),
  averageMs: amounts.milliseconds,
  averageDifferenceMs: amounts.milliseconds.describe(
    'mean difference between the longest and the shortest run of a formula, in milliseconds',
  ),
  maximalDifferenceMs: amounts.milliseconds.describe(
    'largest difference between the longest and the shortest run of a formula, in milliseconds',
  ),
});

export const stability = z
  .strictObject({
    ...published.shape,
    unfinished: amounts.measure.describe('formulas with a run that reached the time limit'),
    neverFinished: amounts.measure.describe('formulas whose runs all reached the time limit'),
    noise: noiseSchema,
    steadyEffort: amounts.share
      .optional()
      .describe('share of formulas with the same effort in every run, from 0 to 1'),
  })
  .meta({ id: 'stability', title: 'stability of the run times of a version' });

export const calibrate = z.strictObject({
  versions: z.array(stability),
  noise: noiseSchema.describe('noise that covers all versions'),
  skew: amounts.measure.describe(
    'time of a run next to other runs, as a multiple of its time alone; 1 if no formula ended in time',
  ),
  skewFormulas: amounts.measure.describe('formulas used for the measurement'),
  skewUnfinished: amounts.measure.describe(
    'formulas with a run, alone or next to others, that reached the time limit; they are excluded',
  ),
  isBusy: z.boolean().describe('true if times vary more than on an idle machine'),
  isKept: z
    .boolean()
    .describe(
      'true if later comparisons use it; a measurement on a busy machine does not replace one on an idle machine',
    ),
  safetyFactor: amounts.measure.describe('minimum difference that counts, as a multiple of the noise'),
  publishedThresholdMs: amounts.milliseconds.describe('threshold by SPRFinder’s rule, in milliseconds'),
  path: z.string().describe('path of the stored calibration'),
});

export const toolsAdd = z.strictObject({ tool: z.string(), path: z.string() });

export const toolsRemove = z.strictObject({ removed: z.string() });

export const doctor = z.strictObject({
  name: z.string(),
  found: z.string().optional().describe('path or version; absent if it is missing'),
  neededFor: z.string(),
  isEssential: z.boolean().describe('true if most commands need it'),
  remedy: z.string().describe('advice if it is missing'),
});

export const examples = z.strictObject({ files: z.array(z.string()).describe('files that were written') });
