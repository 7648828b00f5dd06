/** Reads a study of MulStringFuzz's variants from its folder. Runs no solver. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CampaignFolder } from '../../campaign/index.js';
import type { HuntSettings } from '../../hunt/index.js';
import { Fault, type OnStep, pathExists } from '../../machine/index.js';
import { campaignsIn, checkSameVersions, emptyNote, unfinishedNote } from '../study-folder.js';
import {
  type PopulationResult,
  populationTable,
  publishedVariants,
  type ReadPopulation,
  readLongRuns,
  readPopulation,
} from './multi-objective.js';
import type { MultiObjectiveStudy } from './multi-objective-data.js';
import { campaignPaths, pageFile, sizeFolder, sizeRows } from './multi-objective-study.js';

/** Undefined if the folder holds no such study. */
export async function readMultiObjective(
  out: string,
  onRead?: OnStep,
): Promise<MultiObjectiveStudy | undefined | Fault> {
  const campaigns = await populationsIn(out, onRead);
  if (campaigns instanceof Fault) return campaigns;
  const sized: { population: number; campaigns: readonly ReadPopulation[] }[] = [];
  for (const population of await sizesIn(out)) {
    const own = await populationsIn(join(out, sizeFolder(population)), onRead);
    if (own instanceof Fault) return own;
    if (own.length > 0) sized.push({ population, campaigns: own });
  }
  const all = [...campaigns, ...sized.flatMap((size) => size.campaigns)];
  const [first] = all;
  if (first === undefined) return undefined;
  const settings = all.map((campaign) => campaign.settings);
  const mixed = checkSameVersions(out, settings);
  if (mixed !== undefined) return mixed;
  const { culprit, versions, forMs, workers, slowness } = first.settings;
  const longRuns = await readLongRuns(out, versions.at(-1) ?? '');
  if (longRuns instanceof Fault) return longRuns;
  const results = campaigns.map(({ result }) => result);
  const sizedResults = sized.map((size) => ({
    population: size.population,
    results: size.campaigns.map(({ result }) => result),
  }));
  const nameOf = campaignPaths(results, sizedResults);
  const population = populationOf((campaigns[0] ?? first).settings);
  const repeats = Math.max(...all.map(({ result }) => result.repeat));
  return {
    settings: {
      ...{ culprit, versions, population, repeats, forMs, longMs: longRuns.limitMs, workers },
      timeoutMs: slowness.timeoutMs,
    },
    counts: countsOf(first.settings),
    rows: populationTable(results, longRuns.byText),
    results,
    sizes: sizeRows(population, results, sizedResults, longRuns.byText),
    longRuns: longRuns.byText,
    notes: all.flatMap(({ hasEnded, result }) => {
      if (!hasEnded) return [unfinishedNote(nameOf(result))];
      return result.members.length === 0 ? [emptyNote(nameOf(result))] : [];
    }),
    out,
    page: pathExists(join(out, pageFile)) ? join(out, pageFile) : undefined,
  };
}

/** Reads only campaigns that count coverage; campaigns of a detection study do not. */
async function populationsIn(out: string, onRead?: OnStep): Promise<readonly ReadPopulation[] | Fault> {
  const campaigns: ReadPopulation[] = [];
  for (const { name, strategy, repeat } of await campaignsIn(out, publishedVariants)) {
    const path = join(out, name);
    // Killed before it began.
    if (!CampaignFolder.isAt(path)) continue;
    const read = await readPopulation(path, strategy, repeat, onRead);
    if (read instanceof Fault) return read;
    if (read.settings.isCounting !== true) return [];
    campaigns.push(read);
  }
  return campaigns.toSorted((a, b) => byRunOrder(a.result, b.result));
}

async function sizesIn(out: string): Promise<readonly number[]> {
  const names = await readdir(out).catch(() => []);
  return names.flatMap((name) => {
    const [, size] = /^population-(\d{1,6})$/.exec(name) ?? [];
    return size === undefined ? [] : [Number(size)];
  });
}

/** In the order in which a study runs them: all variants of the first repetition, then of the second. */
function byRunOrder(a: PopulationResult, b: PopulationResult): number {
  const place = ({ variant }: PopulationResult): number => publishedVariants.indexOf(variant);
  return a.repeat - b.repeat || place(a) - place(b);
}

function populationOf({ options }: HuntSettings): number {
  const { population } = options;
  return typeof population === 'number' ? population : 0;
}

/** Embedded and npm versions count calls of functions. The third word of a build's identity is its source. */
function countsOf({ builds }: HuntSettings): MultiObjectiveStudy['counts'] {
  const [, , source] = builds.at(-1)?.split(' ') ?? [];
  return source === 'embedded' || source === 'npm' ? 'functions' : 'lines';
}
