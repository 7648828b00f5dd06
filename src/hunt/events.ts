/** The events of a hunt's journal. */

import { z } from 'zod';
import { caseIdSchema } from '../campaign/index.js';
import { amounts } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { formulaKey, type Run, type Runs, runSchema } from '../solver/index.js';
import { locatedResultSchema } from './located.js';
import { kindSchema } from './settings.js';

const runs = z.array(runSchema.nullable());
const at = amounts.milliseconds;

/** A model that a version returned and under which the formula is false. */
export const wrongModelSchema = z.object({
  version: amounts.ordinal.describe('the version that returned it, by its place among the versions, from 0'),
  model: z.string(),
  refutedBy: z
    .array(z.string())
    .describe('other versions that refute it too, besides culprit’s own evaluation'),
  isByOthers: z
    .literal(true)
    .optional()
    .describe('only those versions refute it; culprit cannot evaluate the formula'),
});

export const grownSchema = z.object({
  name: z.string().describe('the function’s name'),
  before: amounts.measure.describe('its calls in the fastest older version'),
  after: amounts.measure.describe('its calls in the newest version'),
});

const wrongModels = z.array(wrongModelSchema).optional();

/** The most telling first. */
export const anomalyKinds = [
  'disagreement',
  'wrong-model',
  'crash',
  'memout',
  'error',
  'lost',
  'unanswered',
] as const;

/** Measurements. They and the seed determine all other events. */
const measurements = [
  z.object({
    event: z.literal('tried'),
    at,
    lane: amounts.ordinal,
    formula: z.string(),
    runs,
    wrongModels,
    /** Packed coverage of the newest version, if the strategy requests it. */
    executed: z.base64().optional(),
    /** Packed coverage that exceeds the fastest older version's, for slowdowns, if the strategy requests it. */
    grown: z.base64().optional(),
  }),
  z.object({
    event: z.literal('shrunk'),
    at,
    slowdown: caseIdSchema,
    text: z.string(),
    /** The core, if smaller than the text. */
    telling: z.string().optional(),
    runs,
  }),
  z.object({
    event: z.literal('confirmed'),
    at,
    slowdown: caseIdSchema,
    /** Every run of each version, in order. */
    samples: z.array(z.array(runSchema)),
    verdict: z.enum(['slower', 'faster', 'same', 'undecided', 'incomparable']),
    referenceMs: amounts.milliseconds.optional(),
    newestMs: amounts.milliseconds.optional(),
    wrongModels,
  }),
  /** The smallest formula of a kind, reduced. The text is unchanged if reduction failed. */
  z.object({
    event: z.literal('reduced'),
    at,
    slowdown: caseIdSchema,
    text: z.string(),
    /** No single reduction step makes it smaller. */
    isMinimal: z.boolean(),
    /** Functions that the newest version calls more often than the fastest older one, if both count calls. */
    grown: z.array(grownSchema).optional(),
    /** Measurements of the reduced formula; absent if it equals the confirmed one. */
    samples: z.array(z.array(runSchema)).optional(),
    referenceMs: amounts.milliseconds.optional(),
    newestMs: amounts.milliseconds.optional(),
  }),
] as const;

/** Consequences of measurements, stored so that a report does not need to replay the search. */
const notes = [
  z.object({ event: z.literal('began'), at, culprit: z.string() }),
  z.object({ event: z.literal('resumed'), at }),
  z.object({
    event: z.literal('ended'),
    at,
    why: z.enum(['time', 'interrupted']),
    solvingMs: amounts.milliseconds,
  }),
  z.object({
    event: z.literal('slowdown'),
    at,
    slowdown: caseIdSchema,
    by: z.string(),
    text: z.string(),
    /** The formula before shrinking; only in journals of older versions of culprit. */
    original: z.string().optional(),
    runs,
    /** Absent until the formula is shrunk. */
    kind: kindSchema.optional(),
    /** Not shrunk completely, since it looks like a known kind. */
    isPresumed: z.boolean(),
  }),
  /** The result of a search that shrank a slowdown itself. Text and kind are absent if it presumed a known kind. */
  z.object({
    event: z.literal('pursued'),
    at,
    slowdown: caseIdSchema,
    text: z.string().optional(),
    runs: runs.optional(),
    kind: kindSchema.optional(),
    isPresumed: z.boolean(),
  }),
  z.object({ event: z.literal('kind'), at, slowdown: caseIdSchema, kind: kindSchema }),
  /** The result of `culprit confirm` under fixed random seeds. */
  z.object({
    event: z.literal('seeds'),
    at,
    slowdown: caseIdSchema,
    slower: z.array(amounts.seed),
    tried: z.array(amounts.seed),
    robustness: z.string(),
  }),
  z.object({
    event: z.literal('oddity'),
    at,
    oddity: amounts.ordinal,
    kind: z.enum(anomalyKinds),
    text: z.string(),
    runs,
    /** For wrong models: the model and its version. */
    claim: wrongModelSchema.optional(),
  }),
  /** The result of fault localization for an anomaly, after the hunt. */
  z.object({
    event: z.literal('located'),
    at,
    oddity: amounts.ordinal,
    /** The failing version, by its place among the versions, from 0. */
    version: amounts.ordinal,
    /** Nothing proves that this version is the wrong one. */
    isAssumed: z.boolean(),
    /** The version whose coverage was analysed. */
    on: z.string(),
    result: locatedResultSchema,
  }),
  z.object({
    event: z.literal('view'),
    at,
    tried: amounts.measure,
    beliefs: z.array(z.object({ action: z.string(), mean: amounts.measure, tries: amounts.measure })),
    parameters: z.record(z.string(), amounts.measure),
  }),
] as const;

const schema = z.discriminatedUnion('event', [...measurements, ...notes]);

export type HuntEvent = z.infer<typeof schema>;
export type EventOf<Name extends HuntEvent['event']> = Extract<HuntEvent, { readonly event: Name }>;
export type Measurement = EventOf<'tried' | 'shrunk' | 'confirmed' | 'reduced'>;
export type Note = Exclude<HuntEvent, Measurement>;

export function parseEvent(value: unknown): HuntEvent | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

const longestMessage = 200;

export type WrittenRuns = EventOf<'tried'>['runs'];

export type WrongModel = NonNullable<EventOf<'tried'>['wrongModels']>[number];

/** JSON has null for a version that was not run. */
export function asWritten(runs: Runs): WrittenRuns {
  return runs.map((run) => (run === undefined ? null : runAsWritten(run)));
}

export function present(runs: WrittenRuns): Runs {
  return runs.map((run) => run ?? undefined);
}

/** A run as it is stored. The search sees the same rounded values, so that a replay is identical. */
export function runAsWritten(run: Run): z.infer<typeof runSchema> {
  const measured = {
    wallMs: Math.round(run.wallMs * 10) / 10,
    cpuMs: run.cpuMs === undefined ? undefined : Math.round(run.cpuMs * 10) / 10,
    effort: run.effort,
    work: run.work === undefined ? undefined : { ...run.work },
    answers: [...run.answers],
  };
  switch (run.outcome) {
    case 'crash':
      return { ...measured, outcome: run.outcome, signal: run.signal };
    case 'error':
    case 'unsupported':
      return { ...measured, outcome: run.outcome, message: run.message.slice(0, longestMessage) };
    default:
      return { ...measured, outcome: run.outcome };
  }
}

/** A short digest of a formula, to detect a replay that diverged. */
export function formulaMark(formula: Script): string {
  return formulaKey(formula).slice(0, 12);
}
