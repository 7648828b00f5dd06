/** MulStringFuzz's Table I as a user asks for it: campaigns of every variant, their populations, and long runs of those. */

import { join } from 'node:path';
import { whyNotCounting } from '../coverage/index.js';
import { buildOf, constantsOf, type HuntData, type StrategyName } from '../hunt/index.js';
import { Fault, usageFault } from '../machine/index.js';
import type { LogicName } from '../smtlib/index.js';
import { askedSlowness, openRunner, type SlownessRequest, type Version } from '../solver/index.js';
import { type BegunCampaign, type CampaignWatch, runDetection } from './detection.js';
import {
  type LongRun,
  type PopulationResult,
  type PopulationRow,
  populationTable,
  readPopulation,
  runLong,
} from './multi-objective.js';

export interface MultiObjectiveRequest {
  /** This culprit's own version. */
  readonly culprit: string;
  /** The references, then the target, which must count what it executes. */
  readonly versions: readonly Version[];
  readonly variants: readonly StrategyName[];
  /** Formulas in a population. */
  readonly population: number;
  readonly repeats: number;
  readonly forMs: number;
  /** How long the formulas of the last populations may take when they are run again. */
  readonly longMs: number;
  readonly workers: number;
  readonly logic: LogicName;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onCampaign: (variant: StrategyName, repeat: number, data: HuntData) => void;
  readonly watchOf?: ((campaign: BegunCampaign) => CampaignWatch) | undefined;
  readonly onLongRun?: ((done: number, of: number) => void) | undefined;
}

export interface MultiObjectiveStudy {
  readonly settings: {
    readonly culprit: string;
    readonly versions: readonly string[];
    readonly population: number;
    readonly repeats: number;
    readonly forMs: number;
    readonly longMs: number;
    readonly workers: number;
    readonly timeoutMs: number;
  };
  /** What the target counts. */
  readonly counts: 'lines' | 'functions';
  readonly rows: readonly PopulationRow[];
  readonly results: readonly PopulationResult[];
  readonly longRuns: ReadonlyMap<string, LongRun>;
}

export async function studyMultiObjective(
  request: MultiObjectiveRequest,
): Promise<MultiObjectiveStudy | Fault> {
  const { culprit, versions, variants, population, repeats, forMs, longMs, workers, out, signal } = request;
  const target = versions.at(-1);
  if (target === undefined || versions.length < 2)
    return usageFault('a study needs a reference and a target: --on REFERENCE,TARGET');
  const uncounted = await whyNotCounting(target);
  if (uncounted !== undefined) return uncounted;
  const slowness = await askedSlowness(request.slowness);
  const options = new Map<StrategyName, Readonly<Record<string, unknown>>>();
  for (const variant of variants) {
    const own = constantsOf(variant, { population });
    if (own instanceof Fault) return own;
    options.set(variant, own);
  }
  const campaigns = await runDetection({
    out,
    strategies: variants,
    repeats,
    versions,
    common: {
      format: 1,
      culprit,
      versions: versions.map(({ name }) => name),
      builds: versions.map(buildOf),
      workers,
      logic: request.logic,
      slowness,
      memoryBytes: request.memoryBytes,
      forMs,
      confirming: 'never',
      isCounting: true,
      confirmedPerKind: 1,
      corpus: [],
      known: [],
    },
    optionsOf: (variant) => options.get(variant) ?? {},
    signal,
    onCampaign: request.onCampaign,
    watchOf: request.watchOf,
  });
  if (campaigns instanceof Fault) return campaigns;
  const results: PopulationResult[] = [];
  for (const { strategy, repeat } of campaigns) {
    const result = await readPopulation(join(out, `${strategy}-${repeat}`), strategy, repeat);
    if (result instanceof Fault) return result;
    results.push(result);
  }
  const longRuns = await longRunsOf(request, target, results);
  if (longRuns instanceof Fault) return longRuns;
  return {
    settings: {
      ...{ culprit, versions: versions.map(({ name }) => name), population, repeats, forMs, longMs, workers },
      timeoutMs: slowness.timeoutMs,
    },
    counts: target.program.kind === 'wasm' ? 'functions' : 'lines',
    rows: populationTable(results, longRuns),
    results,
    longRuns,
  };
}

async function longRunsOf(
  { out, longMs, memoryBytes, workers, signal, onLongRun }: MultiObjectiveRequest,
  version: Version,
  results: readonly PopulationResult[],
): Promise<ReadonlyMap<string, LongRun> | Fault> {
  const texts = results.flatMap(({ members }) => members.map(({ text }) => text));
  if (texts.length === 0) return new Map();
  const runner = openRunner({ workers });
  try {
    await runner.prepare([version], signal);
    return await runLong(runner, {
      ...{ out, texts, version, limitMs: longMs, memoryBytes, workers, signal },
      onRun: onLongRun,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return new Map();
  } finally {
    await runner.close();
  }
}
