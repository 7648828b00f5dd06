import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Run, Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import { readCalibration } from './calibration-file.js';
import { type CompareOptions, type Comparison, compareVersions, summarize } from './compare.js';
import { checkModel, type Disagreement, type ModelVerdict } from './disagreement.js';

export interface MeasuredFormula {
  readonly comparison: Comparison;
  /** Seeds on which the newest version was slower; undefined if no seeds were requested. */
  readonly seeds?: { readonly slower: number; readonly of: number } | undefined;
  /** Checked models of versions that answered sat while others answered unsat. */
  readonly models?: readonly ModelCheck[] | undefined;
}

export interface ModelCheck {
  readonly version: string;
  readonly verdict: ModelVerdict;
}

export interface MeasureOptions {
  readonly limits: Limits;
  /** Runs of each version. Default: one per seed, or without seeds as many as the verdict needs. */
  readonly repeat?: number | undefined;
  /** Default: the solvers' own seeds. */
  readonly seeds?: readonly number[] | undefined;
  readonly thresholdMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onRun: (version: Version, run: Run) => void;
}

export async function measureFormula(
  runner: Runner,
  formula: Script,
  versions: readonly Version[],
  { limits, repeat, seeds, thresholdMs, signal, onRun }: MeasureOptions,
): Promise<MeasuredFormula> {
  const options = { limits, noise: await readCalibration(), thresholdMs, signal, onRun };
  if (seeds === undefined) {
    const repeats = repeat === undefined ? undefined : { least: repeat, most: repeat };
    const comparison = await compareVersions(runner, formula, versions, { ...options, repeats });
    return { comparison, models: await modelChecks(runner, formula, comparison.disagreement, limits) };
  }
  const under = await compareUnderSeeds(runner, formula, versions, seeds, {
    ...options,
    repeats: { least: repeat ?? 1, most: repeat ?? 1 },
  });
  const models = await modelChecks(runner, formula, under.comparison.disagreement, limits);
  return { ...under, models };
}

async function compareUnderSeeds(
  runner: Runner,
  formula: Script,
  versions: readonly Version[],
  seeds: readonly number[],
  options: CompareOptions,
): Promise<Required<Pick<MeasuredFormula, 'comparison' | 'seeds'>>> {
  const bySeed: Comparison[] = [];
  for (const seed of seeds)
    bySeed.push(await compareVersions(runner, formula, versions, { ...options, seed }));
  const samples = versions.map((version, at) => ({
    version,
    runs: bySeed.flatMap((comparison) => comparison.samples[at]?.runs ?? []),
  }));
  const slower = bySeed.filter(({ verdict }) => verdict.kind === 'slower').length;
  return { comparison: summarize(samples, options, false), seeds: { slower, of: seeds.length } };
}

/** Requests a model from each version that answered sat and evaluates it on one that answered unsat. */
async function modelChecks(
  runner: Runner,
  formula: Script,
  disagreement: Disagreement | undefined,
  limits: Limits,
): Promise<readonly ModelCheck[] | undefined> {
  const judge = disagreement?.unsat[0];
  if (disagreement === undefined || judge === undefined) return undefined;
  const models: ModelCheck[] = [];
  for (const version of disagreement.sat) {
    const { model } = await runner.run({ formula, version, limits, model: true });
    const verdict: ModelVerdict =
      model === undefined
        ? { kind: 'unchecked', reason: 'the version printed no model when it ran again' }
        : await checkModel(runner, formula, model, judge, limits);
    models.push({ version: version.name, verdict });
  }
  return models;
}
