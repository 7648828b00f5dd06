/** What a study of strategies has left in its folder, counted by kinds; nothing is run for it. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type StrategyName, strategyNames } from '../hunt/index.js';
import { Fault, isThere, type OnStep, usageFault } from '../machine/index.js';
import { readCampaign } from '../report/index.js';
import { byKind } from './causes.js';
import { countCampaigns, detectionTable } from './detection.js';
import { curvesFile, type DetectionStudy } from './detection-study.js';

/** Undefined where the folder holds no such study. */
export async function readDetection(
  out: string,
  onRead?: OnStep,
): Promise<DetectionStudy | undefined | Fault> {
  const named = (await readdir(out).catch(() => [])).flatMap((name) => {
    const [, strategy, repeat] = /^(.+)-(\d{1,4})$/.exec(name) ?? [];
    const known = strategyNames.find((each) => each === strategy);
    return known === undefined ? [] : [{ name, strategy: known, repeat: Number(repeat) }];
  });
  if (named.length === 0) return undefined;
  const campaigns: { strategy: StrategyName; repeat: number; read: Read }[] = [];
  for (const { name, strategy, repeat } of named.toSorted((a, b) => a.repeat - b.repeat)) {
    const read = await readCampaign(join(out, name), onRead);
    if (read instanceof Fault) return read;
    campaigns.push({ strategy, repeat, read });
  }
  const [first] = campaigns;
  if (first === undefined) return undefined;
  const { culprit, versions, forMs, workers, slowness } = first.read.settings;
  const other = campaigns.find(({ read: { settings } }) => settings.versions.join() !== versions.join());
  if (other !== undefined)
    return usageFault(`${out} holds campaigns on other versions, which cannot be counted together`);
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
    notes: campaigns.flatMap(({ strategy, repeat, read: { data } }) =>
      data.elapsedMs < forMs ? [`${strategy}-${repeat} has not come to its end`] : [],
    ),
    out,
    page: isThere(join(out, curvesFile)) ? join(out, curvesFile) : undefined,
  };
}

type Read = Exclude<Awaited<ReturnType<typeof readCampaign>>, Fault>;
