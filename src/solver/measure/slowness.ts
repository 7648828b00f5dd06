/** The one rule for slower versions, shared by searches, confirmation and reports. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { type Run, spentMs } from '../run/run.js';
import { type Noise, safetyFactor, thresholdMs } from './noise.js';

export interface Slowness {
  readonly noise: Noise;
  /** The difference that counts: the paper's α. Default: follows from the noise. */
  readonly thresholdMs?: number | undefined;
  readonly timeoutMs: number;
}

export const noiseSchema = z
  .object({
    floorMs: amounts.milliseconds.describe('how much short runs differ by themselves, in milliseconds'),
    relative: amounts.milliseconds.describe('how much longer runs do, as a share of their time'),
    isAssumed: z.boolean().optional().describe('nobody has measured this machine'),
  })
  .meta({ id: 'noise', title: 'how much times differ by themselves on a machine' });

/** As in the settings of a campaign. */
export const slownessSchema = z.object({
  noise: noiseSchema,
  thresholdMs: amounts.milliseconds
    .optional()
    .describe('a difference that counts, in milliseconds; follows from the noise when absent'),
  timeoutMs: amounts.limitMilliseconds.describe('a run is ended after this long, in milliseconds'),
});

/** SPRFinder's setting (section 5.2). */
export const paperSlowness = { thresholdMs: 10_000, timeoutMs: 20_000 } as const;

/** A smaller difference is not worth a report, however certain. */
const minReportedMs = 250;

/** The machine's noise, but at least enough for a difference that is worth a report. */
function worthwhileNoise({ noise }: Slowness): Noise {
  return { ...noise, floorMs: Math.max(noise.floorMs, minReportedMs / safetyFactor) };
}

/** Concurrent runs take longer and vary more. A finding must persist when it is measured alone. */
const confirmingMargin = 1.5;

/** The noise that a finding must exceed. It does not change a threshold set by the user. */
export function confirmingNoise(slowness: Slowness): Noise {
  const { floorMs, relative } = worthwhileNoise(slowness);
  return { floorMs: confirmingMargin * floorMs, relative: confirmingMargin * relative };
}

/** The rule for findings. A slowdown by this rule usually persists when it is measured alone. */
export function findingRule(slowness: Slowness): Slowness {
  return { ...slowness, noise: confirmingNoise(slowness) };
}

export function thresholdOver(slowness: Slowness, referenceMs: number): number {
  return slowness.thresholdMs ?? thresholdMs(worthwhileNoise(slowness), referenceMs);
}

/** The quick rule's share of a fixed threshold. */
const quickShare = 1 / 4;

/**
 * A cheaper rule for shrinking, where every step would cost the whole threshold. Results are measured again by the
 * real rule.
 */
export function quickRule(slowness: Slowness): Slowness {
  const { noise, thresholdMs: fixed } = slowness;
  if (fixed === undefined) return slowness;
  return { ...slowness, thresholdMs: Math.min(fixed, Math.max(quickShare * fixed, thresholdMs(noise, 0))) };
}

/** Runs of one formula by version, the newest last; undefined for versions that were not run. */
export type Runs = readonly (Run | undefined)[];

export interface Slowdown {
  /** Index of the fastest older version that answered. */
  readonly reference: number;
  readonly referenceMs: number;
  /** A lower bound if the newest version did not finish. */
  readonly newestMs: number;
  readonly hasEnded: boolean;
}

export function isAnswer(run: Run | undefined): run is Run {
  return run?.outcome === 'sat' || run?.outcome === 'unsat';
}

/**
 * The slowdown in the runs, if any: an older version answers, and the newest takes longer by more than the threshold.
 * An `unknown`, a crash or an error says nothing about speed.
 */
export function slowdownIn(runs: Runs, slowness: Slowness): Slowdown | undefined {
  const newest = runs.at(-1);
  if (newest === undefined || !(newest.outcome === 'timeout' || isAnswer(newest))) return undefined;
  const best = fastest(runs);
  if (best === undefined) return undefined;
  const { reference, referenceMs } = best;
  const newestMs = spentMs(newest);
  if (newestMs - referenceMs <= thresholdOver(slowness, referenceMs)) return undefined;
  return { reference, referenceMs, newestMs, hasEnded: newest.outcome !== 'timeout' };
}

/**
 * SPRFinder's Algorithm 1, lines 5 and 14: the newest version is slower by more than the threshold, whatever the
 * answers.
 */
export function isLonger(runs: Runs, slowness: Slowness): boolean {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  return others.length > 0 && score(runs) > thresholdOver(slowness, Math.min(...others));
}

/**
 * True if an older version soon gave up, the newest continues, and no older version answered in time for a slowdown.
 */
export function isUnanswered(runs: Runs, slowness: Slowness): boolean {
  const newest = runs.at(-1);
  if (newest === undefined || !(newest.outcome === 'timeout' || isAnswer(newest))) return false;
  if (slowdownIn(runs, slowness) !== undefined) return false;
  return runs
    .slice(0, -1)
    .some(
      (run) =>
        run?.outcome === 'unknown' && spentMs(newest) - spentMs(run) > thresholdOver(slowness, spentMs(run)),
    );
}

/** The fastest older version that answered, the first of equals. */
function fastest(runs: Runs): Pick<Slowdown, 'reference' | 'referenceMs'> | undefined {
  let best: Pick<Slowdown, 'reference' | 'referenceMs'> | undefined;
  for (const [reference, run] of runs.slice(0, -1).entries()) {
    if (!isAnswer(run)) continue;
    const referenceMs = spentMs(run);
    if (best === undefined || referenceMs < best.referenceMs) best = { reference, referenceMs };
  }
  return best;
}

/** SPRFinder's Definition 1 in milliseconds: the newest version's time minus the least of the others. */
export function score(runs: Runs): number {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  const newest = runs.at(-1);
  const newestMs = newest === undefined ? 0 : spentMs(newest);
  return newestMs - (others.length === 0 ? 0 : Math.min(...others));
}

/** SPRFinder's TS(t): the time of each version, in seconds. */
export function timeSequence(runs: Runs): readonly number[] {
  return runs.map((run) => (run === undefined ? 0 : spentMs(run) / 1000));
}
