/** The result of `culprit calibrate`, stored in the cache for all later comparisons on this machine. */

import { cpus, hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  amounts,
  cacheFolder,
  Fault,
  makeFolder,
  readInputText,
  shortDigest,
  thisMachine,
  writeAtomically,
} from '../../machine/index.js';
import { assumedNoise, type Noise } from './noise.js';

const schema = z.object({
  machine: z.string(),
  measuredAt: z.string(),
  noise: z.object({ floorMs: amounts.milliseconds.positive(), relative: amounts.milliseconds.positive() }),
  skew: amounts.measure,
});

export type Calibration = z.infer<typeof schema>;

/** One file per machine, because machines may share a cache. */
export function calibrationPath(): string {
  const name = shortDigest(machineName(), 8);
  return join(cacheFolder(thisMachine()), `calibration-${name}.json`);
}

export function machineName(): string {
  const all = cpus();
  return `${hostname()}, ${all.length} cores, ${all[0]?.model.trim() ?? process.arch}`;
}

/** The measured noise of this machine, or a generous assumption. */
export async function readCalibration(): Promise<Noise> {
  return storedCalibration()?.noise ?? assumedNoise;
}

export function storedCalibration(): Calibration | undefined {
  try {
    const text = readInputText(calibrationPath(), { maxBytes: 1 << 20 });
    const parsed = schema.safeParse(text instanceof Fault ? undefined : JSON.parse(text));
    return parsed.success && parsed.data.machine === machineName() ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export async function writeCalibration(calibration: Calibration): Promise<string> {
  const path = calibrationPath();
  await makeFolder(cacheFolder(thisMachine()));
  await writeAtomically(path, `${JSON.stringify(calibration, undefined, 2)}\n`);
  return path;
}
