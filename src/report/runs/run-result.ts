/**
 * The measurements of one formula on several versions: a line of `culprit run --json`, and the input of every other
 * form.
 */

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
  version: z.string().describe('name of the version, as given'),
  number: z.string().describe('its release number, such as 4.8.12'),
  source: z.string().describe('its source, such as embedded, pypi or path'),
  program: z.enum(['native', 'wasm']),
  outcome: z.string().describe('the most frequent outcome of its runs'),
  ms: amounts.milliseconds
    .optional()
    .describe(
      'the compared value: the median of processor time, in milliseconds, or of wall-clock time if that is less',
    ),
  wallMs: amounts.milliseconds.optional().describe('the median of wall-clock time, in milliseconds'),
  effort: amounts.effort.optional().describe('the median, in units of effort'),
  peakMemoryBytes: amounts.measure.optional().describe('the median, in bytes'),
  runs: z.array(runSchema).describe('in order'),
});

const modelSchema = z.object({
  version: z.string().describe('the version of the model'),
  kind: z.enum(['confirmed', 'refuted', 'unchecked']),
  by: z.string().optional().describe('the version that checked it'),
  reason: z.string().optional().describe('reason if it was not checked'),
});

export const runResultSchema = z.object({
  formula: z.string().describe('path of the formula, as given'),
  leftOut: z
    .array(z.string())
    .optional()
    .describe('parts of the formula that were removed for these versions, in words'),
  verdict: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.enum(['slower', 'faster', 'same', 'undecided']),
        referenceMs: amounts.milliseconds.describe('the median of the reference, in milliseconds'),
        newestMs: amounts.milliseconds.describe('the median of the newest version, in milliseconds'),
      }),
      z.object({
        kind: z.literal('incomparable'),
        reason: z.string().describe('reason why the times cannot be compared'),
      }),
    ])
    .describe('the newest version against the reference'),
  reference: z
    .string()
    .optional()
    .describe('the version that the newest is compared with: the fastest of the others'),
  seeds: z
    .object({
      slower: amounts.count.describe('number of seeds on which the newest version was slower'),
      of: amounts.count.describe('number of tested seeds'),
    })
    .optional()
    .describe('present if random seeds were requested'),
  disagreement: z
    .object({
      check: amounts.ordinal.describe('which check-sat, from 0'),
      sat: z.array(z.string()).describe('the versions that say sat'),
      unsat: z.array(z.string()).describe('the versions that say unsat'),
      models: z
        .array(modelSchema)
        .optional()
        .describe('results of checking the models of the versions that say sat'),
    })
    .optional()
    .describe('present if versions contradict each other'),
  versions: z.array(sampleSchema).describe('oldest first'),
});

export type RunResult = z.infer<typeof runResultSchema>;
export type VersionResult = RunResult['versions'][number];

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
    // Zod types are mutable.
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
