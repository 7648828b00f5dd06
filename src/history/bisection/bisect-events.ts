/** The lines of a bisection's journal. */

import { z } from 'zod';
import { caseIdSchema } from '../../campaign/index.js';
import { amounts, usageFault } from '../../machine/index.js';
import type { Observation } from '../measuring/levels.js';

const observation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    samples: z.array(amounts.measure),
    effort: amounts.measure.optional(),
  }),
  z.object({ kind: z.literal('silent'), why: z.string() }),
]);

const schema = z.discriminatedUnion('event', [
  /** A commit was built, or failed to build, and every case was run on it. */
  z.object({
    event: z.literal('looked'),
    commit: z.string(),
    /** The reason why it does not build. */
    failed: z.string().optional(),
    buildMs: amounts.milliseconds,
    /** False if the build was cached. */
    isNew: z.boolean(),
    observations: z.array(observation),
  }),
  z.object({ event: z.literal('repeated'), commit: z.string(), case: caseIdSchema, observation }),
  /** Interleaved measurements before and after a culprit. */
  z.object({
    event: z.literal('verified'),
    case: caseIdSchema,
    before: z.string(),
    at: z.string(),
    /** The size of the step in the first measurements. */
    size: amounts.measure.optional(),
    beforeSamples: z.array(amounts.measure),
    afterSamples: z.array(amounts.measure),
    beforeEffort: amounts.measure.optional(),
    afterEffort: amounts.measure.optional(),
  }),
]);

export type BisectEvent = z.infer<typeof schema>;
export type LookedEvent = Extract<BisectEvent, { readonly event: 'looked' }>;
export type VerifiedEvent = Extract<BisectEvent, { readonly event: 'verified' }>;

type WrittenObservation = z.infer<typeof observation>;

/** Rounds the measurements, so that a journal stays small. Decisions are made on the rounded values too. */
export function asWritten(seen: Observation): WrittenObservation {
  return seen.kind === 'unmeasured'
    ? { kind: 'silent', why: seen.fault.message }
    : {
        kind: 'measured',
        samples: seen.samples.map((sample) => Number(sample.toPrecision(6))),
        effort: seen.effort,
      };
}

export function fromWritten(written: WrittenObservation): Observation {
  return written.kind === 'silent' ? { kind: 'unmeasured', fault: usageFault(written.why) } : written;
}

export function parseBisectEvent(value: unknown): BisectEvent | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A reader for a journal about this number of cases. Events about other cases are undefined. */
export function bisectEventReader(cases: number): (value: unknown) => BisectEvent | undefined {
  return (value) => {
    const event = parseBisectEvent(value);
    if (event === undefined) return undefined;
    const isAbout = event.event === 'looked' ? event.observations.length <= cases : event.case < cases;
    return isAbout ? event : undefined;
  };
}
