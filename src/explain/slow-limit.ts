/** What the old version takes, and with that how much is too much. */

import { join } from 'node:path';
import { z } from 'zod';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, pathExists, readInputText, usageFault } from '../machine/index.js';
import type { ExplainSettings } from './settings.js';
import { measuredTest, type SlowLimit } from './trials/measured-test.js';
import { nameOfSources } from './trials/sources.js';
import type { WorkTree } from './trials/work-tree.js';

/** A limit, and what it is of. */
export interface OldMeasure extends SlowLimit {
  readonly old: number;
}

const keptName = 'old-measure.json';
const keptSchema = z.object({ old: z.number().min(0) });

/**
 * Measured once and kept, so that trials before and after an interruption are held to the same. Undefined where the test
 * tells by itself whether it passes.
 */
export async function slowLimit(
  campaign: CampaignFolder,
  oldTree: WorkTree,
  settings: ExplainSettings,
  signal: AbortSignal,
): Promise<OldMeasure | undefined | Fault> {
  const { slowness } = settings;
  if (slowness === undefined) return undefined;
  const path = join(campaign.path, keptName);
  if (!pathExists(path)) {
    const old = await measureOfOld(oldTree, settings, slowness.isPrinted, signal);
    if (old instanceof Fault) return old;
    await campaign.writeAtomically(keptName, JSON.stringify({ old }));
  }
  const text = readInputText(path);
  if (text instanceof Fault) return text;
  const kept = keptSchema.safeParse(parseJson(text));
  if (!kept.success) return usageFault(`${path} is damaged`);
  const { old } = kept.data;
  return { old, most: slowness.factor * old, isPrinted: slowness.isPrinted };
}

async function measureOfOld(
  oldTree: WorkTree,
  settings: ExplainSettings,
  isPrinted: boolean,
  signal: AbortSignal,
): Promise<number | Fault> {
  const name = nameOfSources(settings.old);
  const built = await oldTree.build(signal);
  if (built instanceof Fault) return built;
  if (!built.isBuilt) return usageFault(`${name} does not build`);
  // Of times the shortest, of numbers the largest: a test may print another one every time.
  let measure: number | undefined;
  for (let time = 0; time < settings.repeats; time++) {
    const trial = await measuredTest(oldTree.source, settings, { isPrinted, most: Number.MAX_VALUE }, signal);
    if (trial instanceof Fault) return trial;
    if (trial.measure === undefined)
      return usageFault(
        `the test cannot be measured on ${name}: ${trial.said.trim().split('\n').at(-1) ?? ''}`,
      );
    const better = isPrinted ? Math.max : Math.min;
    measure = better(measure ?? trial.measure, trial.measure);
  }
  return measure ?? 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
