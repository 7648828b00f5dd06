/** The lines of a bisection's journal. */

import { z } from 'zod';

const observation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    samples: z.array(z.number()),
    effort: z.number().optional(),
  }),
  z.object({ kind: z.literal('silent'), why: z.string() }),
]);

const schema = z.discriminatedUnion('event', [
  /** A commit was built, or not, and every case was run on it. */
  z.object({
    event: z.literal('looked'),
    commit: z.string(),
    /** Why it could not be built. */
    failed: z.string().optional(),
    buildMs: z.number(),
    /** It was built now and not before. */
    isNew: z.boolean(),
    observations: z.array(observation),
  }),
  z.object({ event: z.literal('repeated'), commit: z.string(), case: z.number().int(), observation }),
  /** Before and after a culprit, in turns. */
  z.object({
    event: z.literal('verified'),
    case: z.number().int(),
    before: z.string(),
    at: z.string(),
    /** How much slower or quicker it seemed to have become. */
    size: z.number().optional(),
    beforeSamples: z.array(z.number()),
    afterSamples: z.array(z.number()),
    beforeEffort: z.number().optional(),
    afterEffort: z.number().optional(),
  }),
]);

export type BisectEvent = z.infer<typeof schema>;
export type LookedEvent = Extract<BisectEvent, { readonly event: 'looked' }>;
export type VerifiedEvent = Extract<BisectEvent, { readonly event: 'verified' }>;

export function parseBisectEvent(value: unknown): BisectEvent | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
