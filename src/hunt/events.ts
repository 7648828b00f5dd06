/** The lines of a hunt's journal. */

import { z } from 'zod';
import { caseIdSchema } from '../campaign/index.js';
import { amounts } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { formulaKey, type Run, type Runs, runSchema } from '../solver/index.js';
import { locatedResultSchema } from './located.js';
import { kindSchema } from './settings.js';

const runs = z.array(runSchema.nullable());
const at = amounts.milliseconds;

/** A model that a version claimed and that does not hold. */
export const wrongModelSchema = z.object({
  version: amounts.ordinal.describe('whose it is, by its place among the versions, from 0'),
  model: z.string(),
  refutedBy: z
    .array(z.string())
    .describe('the versions that find it wrong as well; by culprit’s own evaluation it is'),
  isByOthers: z
    .literal(true)
    .optional()
    .describe('culprit itself cannot evaluate the formula: it is wrong by the word of those versions alone'),
});

export const grownSchema = z.object({
  name: z.string().describe('of the function'),
  before: amounts.measure.describe('how often the quickest of the older versions calls it'),
  after: amounts.measure.describe('how often the newest version calls it'),
});

const wrongModels = z.array(wrongModelSchema).optional();

export const anomalyKinds = [
  'disagreement',
  'wrong-model',
  'crash',
  'memout',
  'error',
  'lost',
  'unanswered',
] as const;

/** What was measured. With these and the seed, everything else can be computed again. */
const measurements = [
  z.object({
    event: z.literal('tried'),
    at,
    lane: amounts.ordinal,
    formula: z.string(),
    runs,
    wrongModels,
    /** What the newest version executed, packed, where the strategy asks for it. */
    executed: z.base64().optional(),
    /** What it does more of than the quickest older version, packed; of slowdowns, where the strategy asks for it. */
    grown: z.base64().optional(),
  }),
  z.object({
    event: z.literal('shrunk'),
    at,
    slowdown: caseIdSchema,
    text: z.string(),
    /** What makes it slow, where that is less than the text. */
    telling: z.string().optional(),
    runs,
  }),
  z.object({
    event: z.literal('confirmed'),
    at,
    slowdown: caseIdSchema,
    /** For each version every run, in order. */
    samples: z.array(z.array(runSchema)),
    verdict: z.enum(['slower', 'faster', 'same', 'undecided', 'incomparable']),
    referenceMs: amounts.milliseconds.optional(),
    newestMs: amounts.milliseconds.optional(),
    wrongModels,
  }),
  /** The best formula of a kind, made as small as can be; what it was before where nothing came of that. */
  z.object({
    event: z.literal('reduced'),
    at,
    slowdown: caseIdSchema,
    text: z.string(),
    /** No single step makes it smaller. */
    isMinimal: z.boolean(),
    /** The functions the newest version calls more often than the quickest other, where both count them. */
    grown: z.array(grownSchema).optional(),
    /** As when it was confirmed, but of this formula; left out where it is the one that was confirmed. */
    samples: z.array(z.array(runSchema)).optional(),
    referenceMs: amounts.milliseconds.optional(),
    newestMs: amounts.milliseconds.optional(),
  }),
] as const;

/** What followed from it, written down so that a report needs no search to be run again. */
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
    /** What it was shrunk from, in campaigns of before slowdowns were written down at once. */
    original: z.string().optional(),
    runs,
    /** Undefined until it has been shrunk. */
    kind: kindSchema.optional(),
    /** It was not shrunk to its end since it looks like a kind that is known. */
    isPresumed: z.boolean(),
  }),
  /** What a search that shrinks for itself came to about a slowdown; nothing but that where it took it for known. */
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
  /** What `culprit confirm` found about a slowdown under fixed random seeds. */
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
    /** Of a wrong model: what it says and whose it is. */
    claim: wrongModelSchema.optional(),
  }),
  /** What came of looking for the files to blame for an anomaly, once the hunt was over. */
  z.object({
    event: z.literal('located'),
    at,
    oddity: amounts.ordinal,
    /** The version that fails, by its place among the versions, from 0. */
    version: amounts.ordinal,
    /** Nothing shows that it is this one which is wrong. */
    isAssumed: z.boolean(),
    /** The version that was looked into: it counts what it executes. */
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

/** The runs of a formula as they are written down. */
export type WrittenRuns = EventOf<'tried'>['runs'];

/** A model that a version claimed and that does not hold. */
export type WrongModel = NonNullable<EventOf<'tried'>['wrongModels']>[number];

/** JSON has null where a version was not run. */
export function asWritten(runs: Runs): WrittenRuns {
  return runs.map((run) => (run === undefined ? null : runAsWritten(run)));
}

export function present(runs: WrittenRuns): Runs {
  return runs.map((run) => run ?? undefined);
}

/** A run as it is written down; the search sees nothing more exact, so that a replay sees the same. */
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

/** Enough of a formula's key to notice that a replay went another way. */
export function formulaMark(formula: Script): string {
  return formulaKey(formula).slice(0, 12);
}
