/** What a bisection found, as `bisection.json` in its folder: for reports, triage and other tools. */

import { join } from 'node:path';
import { z } from 'zod';
import { type CampaignFolder, caseIdSchema } from '../campaign/index.js';
import { amounts, Fault, isThere, readInputText, usageFault } from '../machine/index.js';
import type { Bisection } from './bisection.js';

/** It becomes a word of a command. */
const commitId = z.string().regex(/^[0-9a-f]{40,64}$/);

const level = z.object({ level: amounts.measure, effort: amounts.measure.optional() });

const byTime = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    beforeMs: amounts.measure,
    afterMs: amounts.measure,
    limitMs: amounts.measure,
    holds: z.boolean(),
  }),
  z.object({ kind: z.literal('silent'), why: z.string() }),
]);

const schema = z.object({
  culprits: z.array(
    z.object({
      case: caseIdSchema,
      commit: commitId,
      before: commitId,
      others: z.array(commitId),
      direction: z.enum(['slower', 'quicker']),
      beforeLevel: amounts.measure,
      afterLevel: amounts.measure,
      beforeEffort: amounts.measure.optional(),
      afterEffort: amounts.measure.optional(),
      isVerified: z.boolean(),
      merge: commitId.optional(),
      byTime: byTime.optional(),
    }),
  ),
  looked: amounts.measure,
  built: amounts.measure,
  failed: z.array(z.object({ commit: z.string(), why: z.string() })),
  ends: z.array(z.object({ good: level.optional(), bad: level.optional() })).default([]),
  without: z.array(z.object({ case: caseIdSchema, why: z.string() })),
});

const name = 'bisection.json';
const mostBisectionBytes = 256 << 20;

export async function writeBisection(folder: CampaignFolder, bisection: Bisection): Promise<void> {
  await folder.writeWhole(name, `${JSON.stringify(bisection, undefined, 2)}\n`);
}

/** Whether a bisection has come to its end, or something is there that says so. */
export function isBisected(path: string): boolean {
  return isThere(join(path, name));
}

export async function readBisection(path: string): Promise<Bisection | Fault> {
  const file = join(path, name);
  if (!isBisected(path))
    return usageFault(`${path} holds no finished bisection: resume with culprit bisect --resume ${path}`);
  const text = readInputText(file, { mostBytes: mostBisectionBytes });
  if (text instanceof Fault) return text;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : usageFault(`${file} is damaged`);
  } catch {
    return usageFault(`${file} is damaged`);
  }
}
