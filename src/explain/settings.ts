import { z } from 'zod';
import { amounts, type Runnable } from '../machine/index.js';
import { sourcesSchema } from './trials/sources.js';

export const strategyNames = ['culprit', 'after', 'dd', 'add'] as const;
export type StrategyName = (typeof strategyNames)[number];

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
  /** For a test and all processes it starts; no limit if left out. */
  memoryBytes: amounts.byteCount.optional(),
  /** Time limit for the cause tree that is built after the search. */
  treeLimitMs: amounts.limitMilliseconds.default(60_000),
  /** Number of test runs for each version and for the repaired one. */
  repeats: z.number().int().min(1).max(1000),
  /** Files and folders to compare; all if empty. */
  only: z.array(z.string()),
  /** The test fails if its time, or the number it prints, exceeds that of the old version by this factor. */
  slowness: z.object({ factor: z.number().gt(1).max(1e9), isPrinted: z.boolean() }).optional(),
});

export type ExplainSettings = z.infer<typeof explainSettingsSchema>;

export const usualLimits = {
  testLimitMs: 60_000,
  buildLimitMs: 30 * 60_000,
  treeLimitMs: 60_000,
  memoryBytes: 2 * 2 ** 30,
  repeats: 3,
} as const satisfies Partial<ExplainSettings>;

/** The commands that the settings cause to be run. */
export function runnablesOf({ build, test }: ExplainSettings): readonly Runnable[] {
  return [
    { key: ['explain', 'build', build], description: `the command ${build}` },
    { key: ['explain', 'test', test], description: `the command ${test}` },
  ];
}
