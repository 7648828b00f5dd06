/**
 * Repeats MulStringFuzz's Table I and Fig. 3 to 6 for a user's request: campaigns of every variant, long runs of
 * their final populations, and a page.
 */

import { join } from 'node:path';
import { checkCounting } from '../../coverage/index.js';
import { buildIdentity, type HuntData, type StrategyName, strategyConstants } from '../../hunt/index.js';
import { Fault, usageFault, writeWithin } from '../../machine/index.js';
import type { LogicName } from '../../smtlib/index.js';
import { askedSlowness, openRunner, type SlownessRequest, type Version } from '../../solver/index.js';
import {
  type BegunCampaign,
  type CampaignWatch,
  type DetectionPlan,
  runDetection,
} from '../detection/detection.js';
import { emptyNote } from '../study-folder.js';
import {
  defaultVariant,
  type LongRun,
  type PopulationResult,
  populationTable,
  readPopulation,
  runLong,
} from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-data.js';
import { type SizedResults, type SizeRow, sizeTable } from './multi-objective-figures.js';
import { multiObjectivePage } from './multi-objective-page.js';

export interface MultiObjectiveRequest {
  /** The version of culprit. */
  readonly culprit: string;
  /** The references, then the target, which must support coverage. */
  readonly versions: readonly Version[];
  readonly variants: readonly StrategyName[];
  readonly population: number;
  /** Other sizes for the default variant (Fig. 6). */
  readonly populations: readonly number[];
  readonly repeats: number;
  readonly forMs: number;
  /** Time limit for running the formulas of the final populations again. */
  readonly longMs: number;
  readonly workers: number;
  readonly logic: LogicName;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onCampaign: (campaign: EndedCampaign, data: HuntData) => void;
  readonly watchOf?: ((campaign: BegunCampaign, name: string) => CampaignWatch) | undefined;
  readonly onLongRun?: ((done: number, of: number) => void) | undefined;
}

export interface EndedCampaign {
  /** The variant, with its population size if that differs from the usual one. */
  readonly name: string;
  readonly repeat: number;
  readonly folder: string;
}

export const pageFile = 'multi-objective.html';

export async function studyMultiObjective(
  request: MultiObjectiveRequest,
): Promise<MultiObjectiveStudy | Fault> {
  const { culprit, versions, variants, population, repeats, forMs, longMs, workers, out } = request;
  const target = versions.at(-1);
  if (target === undefined || versions.length < 2)
    return usageFault('a study needs a reference and a target: --on REFERENCE,TARGET');
  const uncounted = await checkCounting(target);
  if (uncounted !== undefined) return uncounted;
  const slowness = await askedSlowness(request.slowness);
  const common: DetectionPlan['common'] = {
    format: 1,
    culprit,
    versions: versions.map(({ name }) => name),
    builds: versions.map(buildIdentity),
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
  };
  const results = await runPopulations(request, common, { strategies: variants, population, folder: out });
  if (results instanceof Fault) return results;
  const sized: SizedResults[] = [];
  for (const size of sizesToRun(request)) {
    const folder = join(out, sizeFolder(size));
    const own = await runPopulations(request, common, {
      strategies: [defaultVariant],
      population: size,
      folder,
    });
    if (own instanceof Fault) return own;
    if (own.length > 0) sized.push({ population: size, results: own });
  }
  const all = [...results, ...sized.flatMap((size) => size.results)];
  const nameOf = campaignPaths(results, sized);
  const longRuns = await runLongRuns(request, target, all);
  if (longRuns instanceof Fault) return longRuns;
  const names = common.versions;
  return withPage({
    settings: {
      ...{ culprit, versions: names, population, repeats, forMs, longMs, workers },
      timeoutMs: slowness.timeoutMs,
    },
    counts: target.program.kind === 'wasm' ? 'functions' : 'lines',
    rows: populationTable(results, longRuns),
    results,
    sizes: sizeRows(population, results, sized, longRuns),
    longRuns,
    notes: all.filter(({ members }) => members.length === 0).map((result) => emptyNote(nameOf(result))),
    out,
    page: undefined,
  });
}

/** Writes the page once there are results. */
async function withPage(study: MultiObjectiveStudy): Promise<MultiObjectiveStudy> {
  if (study.results.length === 0) return study;
  await writeWithin(study.out, pageFile, multiObjectivePage(study));
  return { ...study, page: join(study.out, pageFile) };
}

/** The folder for campaigns with another population size, within the study's folder. */
export function sizeFolder(population: number): string {
  return `population-${population}`;
}

/** The path of each campaign within the study's folder. */
export function campaignPaths(
  results: readonly PopulationResult[],
  sized: readonly SizedResults[],
): (result: PopulationResult) => string {
  const names = new Map<PopulationResult, string>();
  const add = (result: PopulationResult, folder: string): void =>
    void names.set(result, join(folder, `${result.variant}-${result.repeat}`));
  for (const result of results) add(result, '');
  for (const size of sized) for (const result of size.results) add(result, sizeFolder(size.population));
  return (result) => names.get(result) ?? '';
}

/** The sizes that need own campaigns. The usual size needs none if the default variant is among the variants. */
export function sizesToRun({
  variants,
  population,
  populations,
}: Pick<MultiObjectiveRequest, 'variants' | 'population' | 'populations'>): readonly number[] {
  if (populations.length === 0) return [];
  const sizes = new Set([population, ...populations]);
  if (variants.includes(defaultVariant)) sizes.delete(population);
  return [...sizes].toSorted((a, b) => a - b);
}

/** The default variant's campaigns supply the usual size. */
export function sizeRows(
  population: number,
  results: readonly PopulationResult[],
  sized: readonly SizedResults[],
  longRuns: ReadonlyMap<string, LongRun>,
): readonly SizeRow[] {
  if (sized.length === 0) return [];
  const usual = { population, results: results.filter(({ variant }) => variant === defaultVariant) };
  return sizeTable(usual.results.length === 0 ? sized : [usual, ...sized], longRuns);
}

interface PopulationsJob {
  readonly strategies: readonly StrategyName[];
  readonly population: number;
  readonly folder: string;
}

/** Runs the campaigns of one population size. If aborted, it returns the results of those that have ended. */
async function runPopulations(
  request: MultiObjectiveRequest,
  common: DetectionPlan['common'],
  { strategies, population, folder }: PopulationsJob,
): Promise<readonly PopulationResult[] | Fault> {
  const { versions, repeats, signal, onCampaign, watchOf } = request;
  const options = new Map<StrategyName, Readonly<Record<string, unknown>>>();
  for (const strategy of strategies) {
    const own = strategyConstants(strategy, { population });
    if (own instanceof Fault) return own;
    options.set(strategy, own);
  }
  const nameOf = (strategy: StrategyName): string =>
    population === request.population ? strategy : `${strategy} with a population of ${population}`;
  const campaigns = await runDetection({
    ...{ out: folder, strategies, repeats, versions, common, signal },
    optionsOf: (strategy) => options.get(strategy) ?? {},
    onCampaign: (strategy, repeat, data) =>
      onCampaign({ name: nameOf(strategy), repeat, folder: join(folder, `${strategy}-${repeat}`) }, data),
    watchOf: watchOf && ((campaign) => watchOf(campaign, nameOf(campaign.strategy))),
  });
  if (campaigns instanceof Fault) return campaigns;
  const results: PopulationResult[] = [];
  for (const { strategy, repeat } of campaigns) {
    const read = await readPopulation(join(folder, `${strategy}-${repeat}`), strategy, repeat);
    if (read instanceof Fault) return read;
    results.push(read.result);
  }
  return results;
}

/** If aborted, it returns the finished runs. */
async function runLongRuns(
  { out, longMs, memoryBytes, workers, signal, onLongRun }: MultiObjectiveRequest,
  version: Version,
  results: readonly PopulationResult[],
): Promise<ReadonlyMap<string, LongRun> | Fault> {
  const texts = results.flatMap(({ members }) => members.map(({ text }) => text));
  if (texts.length === 0) return new Map();
  const runner = openRunner({ workers });
  try {
    try {
      await runner.prepare([version], signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return await runLong(runner, {
      ...{ out, texts, version, limitMs: longMs, memoryBytes, workers, signal },
      onRun: onLongRun,
    });
  } finally {
    await runner.close();
  }
}
