import { z } from 'zod';
import { amounts, type Runnable } from '../machine/index.js';
import { sourcesSchema } from './trials/sources.js';

export const strategyNames = ['culprit', 'after', 'dd', 'add'] as const;
export type StrategyName = (typeof strategyNames)[number];

/** What is explained and how; what a campaign is resumed from. */
export const explainSettingsSchema = z.object({
  format: z.literal(1),
  job: z.literal('explain'),
  culprit: z.string(),
  old: sourcesSchema,
  new: sourcesSchema,
  build: z.string(),
  test: z.string(),
  strategy: z.enum(strategyNames),
  buildLimitMs: amounts.limitMilliseconds,
  testLimitMs: amounts.limitMilliseconds,
  /** What a test and all it starts may take; as much as there is when left out. */
  memoryBytes: amounts.byteCount.optional(),
  /** How long is asked what forces the failure, once the changes to blame are known. */
  treeLimitMs: amounts.limitMilliseconds.default(60_000),
  /** How often both ends, and what was found, are tested. */
  repeats: z.number().int().min(1).max(1000),
  /** Only these files, and those in these folders, are compared; all when there is none. */
  only: z.array(z.string()),
  /** The test fails where it takes more than so many times what the old version takes, or prints a larger number. */
  slowness: z.object({ factor: z.number().gt(1).max(1e9), isPrinted: z.boolean() }).optional(),
});

export type ExplainSettings = z.infer<typeof explainSettingsSchema>;

/** What holds where nobody says otherwise. */
export const usualLimits = {
  testLimitMs: 60_000,
  buildLimitMs: 30 * 60_000,
  treeLimitMs: 60_000,
  memoryBytes: 2 * 2 ** 30,
  repeats: 3,
} as const satisfies Partial<ExplainSettings>;

/** What is run because the settings say so. */
export function runnablesOf({ build, test }: ExplainSettings): readonly Runnable[] {
  return [
    { key: ['explain', 'build', build], description: `the command ${build}` },
    { key: ['explain', 'test', test], description: `the command ${test}` },
  ];
}
