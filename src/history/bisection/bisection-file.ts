/** `bisection.json` in the folder of a bisection: its result, for reports, triage and other tools. */

import { join } from 'node:path';
import { z } from 'zod';
import { type CampaignFolder, caseIdSchema } from '../../campaign/index.js';
import { amounts, Fault, pathExists, readInputText, usageFault } from '../../machine/index.js';
import { commitIdSchema } from '../../repository/index.js';
import type { Bisection } from './bisection.js';

const levelSchema = amounts.measure.describe('the median, in the unit of by');

const level = z.object({ level: levelSchema, effort: amounts.effort.optional() });

const byTime = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    beforeMs: amounts.measure.describe('the median of processor time before it, in milliseconds'),
    afterMs: amounts.measure.describe('the median of processor time after it, in milliseconds'),
    limitMs: amounts.measure.describe('what a run counts that did not come to its end, in milliseconds'),
    holds: z.boolean().describe('the difference is there by time, too'),
  }),
  z.object({ kind: z.literal('silent'), why: z.string() }),
]);

const culpritSchema = z.object({
  case: caseIdSchema,
  commit: commitIdSchema.describe('the commit to blame'),
  before: commitIdSchema.describe('the commit before it that was looked at'),
  others: z
    .array(commitIdSchema)
    .describe('commits that may be to blame as well, since they say nothing about the case'),
  direction: z.enum(['slower', 'quicker']),
  beforeLevel: levelSchema.describe('the median before it, in the unit of by'),
  afterLevel: levelSchema.describe('the median after it, in the unit of by'),
  beforeEffort: amounts.effort.optional().describe('before it, in units of effort, where the solver counts'),
  afterEffort: amounts.effort.optional().describe('after it, in units of effort, where the solver counts'),
  isVerified: z.boolean().describe('the difference is there when both are measured again, in turns'),
  merge: commitIdSchema.optional().describe('the merge that brought it in'),
  byTime: byTime
    .optional()
    .describe('what times of optimised builds say, where effort was compared and that was asked for'),
});

export const bisectionSchema = z.object({
  culprits: z.array(culpritSchema),
  looked: amounts.measure.describe('how many commits were looked at'),
  built: amounts.measure.describe('how many of them were built for it'),
  failed: z.array(z.object({ commit: z.string(), why: z.string() })).describe('commits that did not build'),
  ends: z.array(z.object({ good: level.optional(), bad: level.optional() })).default([]),
  without: z.array(z.object({ case: caseIdSchema, why: z.string() })),
});

const name = 'bisection.json';
const mostBisectionBytes = 256 << 20;

export async function writeBisection(folder: CampaignFolder, bisection: Bisection): Promise<void> {
  await folder.writeAtomically(name, `${JSON.stringify(bisection, undefined, 2)}\n`);
}

/** Whether the folder holds a result. */
export function isBisected(path: string): boolean {
  return pathExists(join(path, name));
}

export async function readBisection(path: string): Promise<Bisection | Fault> {
  const file = join(path, name);
  if (!isBisected(path))
    return usageFault(
      `${path} contains no finished bisection: resume it with culprit bisect --resume ${path}`,
    );
  const text = readInputText(file, { maxBytes: mostBisectionBytes });
  if (text instanceof Fault) return text;
  try {
    const parsed = bisectionSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : usageFault(`${file} is damaged`);
  } catch {
    return usageFault(`${file} is damaged`);
  }
}
