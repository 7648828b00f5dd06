/** Reads a finished detection study from its folder and counts it by kinds. Runs no solver. */

import { join } from 'node:path';
import { type StrategyName, strategyNames } from '../../hunt/index.js';
import { readCampaign } from '../../jobs/index.js';
import { Fault, type OnStep, pathExists } from '../../machine/index.js';
import { campaignsIn, checkSameVersions, unfinishedNote } from '../study-folder.js';
import { byKind } from './causes.js';
import { countCampaigns, detectionTable } from './detection.js';
import { curvesFile, type DetectionStudy } from './detection-study.js';

/** Undefined if the folder holds no such study. */
export async function readDetection(
  out: string,
  onRead?: OnStep,
): Promise<DetectionStudy | undefined | Fault> {
  const named = await campaignsIn(out, strategyNames);
  if (named.length === 0) return undefined;
  const campaigns: { strategy: StrategyName; repeat: number; read: Read }[] = [];
  for (const { name, strategy, repeat } of named) {
    const read = await readCampaign(join(out, name), onRead);
    if (read instanceof Fault) return read;
    campaigns.push({ strategy, repeat, read });
  }
  const [first] = campaigns;
  if (first === undefined) return undefined;
  const { culprit, versions, forMs, workers, slowness } = first.read.settings;
  const mixed = checkSameVersions(
    out,
    campaigns.map(({ read: { settings } }) => settings),
  );
  if (mixed !== undefined) return mixed;
  const results = campaigns.map(({ strategy, repeat, read: { data } }) => ({ strategy, repeat, data }));
  const strategies = [...new Set(results.map(({ strategy }) => strategy))];
  const counts = countCampaigns(results, byKind);
  const repeats = Math.max(...results.map(({ repeat }) => repeat));
  return {
    settings: { culprit, versions, forMs, workers, slowness, repeats, causes: 'kinds' },
    rows: detectionTable(counts, strategies),
    counts,
    campaigns: results,
    releases: undefined,
    notes: results
      .filter(({ data }) => data.elapsedMs < forMs)
      .map(({ strategy, repeat }) => unfinishedNote(`${strategy}-${repeat}`)),
    out,
    page: pathExists(join(out, curvesFile)) ? join(out, curvesFile) : undefined,
  };
}

type Read = Exclude<Awaited<ReturnType<typeof readCampaign>>, Fault>;
