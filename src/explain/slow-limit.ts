/** Measures the test on the old version and derives the limit above which it counts as slow. */

import { join } from 'node:path';
import { z } from 'zod';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, parsedJson, pathExists, readInputText, usageFault } from '../machine/index.js';
import type { ExplainSettings } from './settings.js';
import type { SlowLimit } from './trials/measured-trial.js';
import type { WorkTree } from './trials/work-tree.js';

export interface MeasuredLimit extends SlowLimit {
  /** The measure of the old version. */
  readonly old: number;
}

const measureName = 'old-measure.json';
const measureSchema = z.object({ old: z.number().min(0) });

/**
 * Stores the measure, so that trials after an interruption have the same limit. Returns undefined if the test itself
 * decides whether it passes.
 */
export async function slowLimit(
  campaign: CampaignFolder,
  oldTree: WorkTree,
  { slowness, repeats }: ExplainSettings,
  signal: AbortSignal,
): Promise<MeasuredLimit | undefined | Fault> {
  if (slowness === undefined) return undefined;
  const { factor, isPrinted } = slowness;
  const path = join(campaign.path, measureName);
  if (!pathExists(path)) {
    const old = await measureOfOld(oldTree, isPrinted, repeats, signal);
    if (old instanceof Fault) return old;
    await campaign.writeAtomically(measureName, JSON.stringify({ old }));
  }
  const text = readInputText(path);
  if (text instanceof Fault) return text;
  const stored = measureSchema.safeParse(parsedJson(text));
  if (!stored.success) return usageFault(`${path} is damaged`);
  const { old } = stored.data;
  return { old, most: factor * old, isPrinted };
}

async function measureOfOld(
  oldTree: WorkTree,
  isPrinted: boolean,
  repeats: number,
  signal: AbortSignal,
): Promise<number | Fault> {
  const { source, version } = oldTree;
  const built = await oldTree.build(signal);
  if (built instanceof Fault) return built;
  if (!built.isBuilt) return usageFault(`${version.name} does not build`);
  // The shortest time, but the largest number: a test may print another number every time.
  const better = isPrinted ? Math.max : Math.min;
  let measure: number | undefined;
  for (let time = 0; time < repeats; time++) {
    const trial = await version.test(source, signal, { isPrinted, most: Number.MAX_VALUE });
    if (trial instanceof Fault) return trial;
    if (trial.measure === undefined)
      return usageFault(
        `the test cannot be measured on ${version.name}: ${trial.output.trim().split('\n').at(-1) ?? ''}`,
      );
    measure = better(measure ?? trial.measure, trial.measure);
  }
  return measure ?? 0;
}
