/** What is known of one formula on several versions: a line of `culprit run --json`, and what every other form is made of. */

import { median } from 'simple-statistics';
import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import {
  type MeasuredFormula,
  type Run,
  runSchema,
  type Sample,
  spentMs,
  type Version,
} from '../../solver/index.js';

const sampleSchema = z.object({
  version: z.string(),
  number: z.string(),
  source: z.string(),
  program: z.enum(['native', 'wasm']),
  /** The commonest of its runs. */
  outcome: z.string(),
  /** Medians: of processor time, of time on the clock, of the solver's own count of its work, of memory. */
  ms: amounts.milliseconds.optional(),
  wallMs: amounts.milliseconds.optional(),
  effort: amounts.measure.optional(),
  peakMemoryBytes: amounts.measure.optional(),
  runs: z.array(runSchema),
});

const modelSchema = z.object({
  version: z.string(),
  kind: z.enum(['confirmed', 'refuted', 'unchecked']),
  by: z.string().optional(),
  reason: z.string().optional(),
});

export const runResultSchema = z.object({
  formula: z.string(),
  /** What of it the versions did not get to see, in words. */
  leftOut: z.array(z.string()).optional(),
  verdict: z.discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['slower', 'faster', 'same', 'undecided']),
      referenceMs: amounts.milliseconds,
      newestMs: amounts.milliseconds,
    }),
    z.object({ kind: z.literal('incomparable'), reason: z.string() }),
  ]),
  /** The version the newest is compared with: the quickest of the others. */
  reference: z.string().optional(),
  /** On how many of the random seeds that were asked for the newest was slower. */
  seeds: z.object({ slower: amounts.count, of: amounts.count }).optional(),
  disagreement: z
    .object({
      /** Which `check-sat`, from 0. */
      check: amounts.ordinal,
      sat: z.array(z.string()),
      unsat: z.array(z.string()),
      models: z.array(modelSchema).optional(),
    })
    .optional(),
  /** Oldest first. */
  versions: z.array(sampleSchema),
});

export type RunResult = z.infer<typeof runResultSchema>;
export type VersionResult = RunResult['versions'][number];

/** What was measured of a formula, as a value for programs. */
export function runResult(
  formula: string,
  { comparison, seeds, models }: MeasuredFormula,
  leftOut: readonly string[] = [],
): RunResult {
  const { disagreement, reference, verdict } = comparison;
  const names = (all: readonly Version[]): string[] => all.map((version) => version.name);
  return {
    formula,
    leftOut: leftOut.length === 0 ? undefined : [...leftOut],
    verdict,
    reference: reference?.name,
    seeds,
    disagreement: disagreement && {
      check: disagreement.check,
      sat: names(disagreement.sat),
      unsat: names(disagreement.unsat),
      models: models?.map(({ version, verdict: { kind, ...rest } }) => ({
        version,
        kind,
        by: 'by' in rest ? rest.by.name : undefined,
        reason: 'reason' in rest ? rest.reason : undefined,
      })),
    },
    versions: comparison.samples.map(versionResult),
  };
}

function versionResult({ version, runs }: Sample): VersionResult {
  return {
    version: version.name,
    number: version.number,
    source: version.source,
    program: version.program.kind,
    outcome: commonestOutcome(runs),
    ms: medianOf(runs, spentMs),
    wallMs: medianOf(runs, (run) => run.wallMs),
    effort: medianOf(runs, (run) => run.effort),
    peakMemoryBytes: medianOf(runs, (run) => run.peakMemoryBytes),
    // Zod's types are of values that may be changed; nobody does.
    runs: runs as VersionResult['runs'],
  };
}

function commonestOutcome(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(run.outcome, (counts.get(run.outcome) ?? 0) + 1);
  const [commonest] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return commonest?.[0] ?? '';
}

function medianOf(runs: readonly Run[], value: (run: Run) => number | undefined): number | undefined {
  const values = runs.map(value).filter((number) => number !== undefined);
  return values.length === 0 ? undefined : median(values);
}
