/** When a newer version counts as slower: the one rule that searches, confirmation and reports share. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { type Run, spentMs } from '../run/run.js';
import { type Noise, safetyFactor, thresholdMs } from './noise.js';

export interface Slowness {
  /** How much times differ by themselves on this machine. */
  readonly noise: Noise;
  /** The paper's α: a difference of this many milliseconds counts. Follows from the noise when left out. */
  readonly thresholdMs?: number | undefined;
  /** A run is ended after this long. */
  readonly timeoutMs: number;
}

export const noiseSchema = z
  .object({
    floorMs: amounts.milliseconds.describe('how much short runs differ by themselves, in milliseconds'),
    relative: amounts.milliseconds.describe('how much longer runs do, as a share of their time'),
    isAssumed: z.boolean().optional().describe('nobody has measured this machine'),
  })
  .meta({ id: 'noise', title: 'how much times differ by themselves on a machine' });

/** As it stands in the settings of a campaign. */
export const slownessSchema = z.object({
  noise: noiseSchema,
  thresholdMs: amounts.milliseconds
    .optional()
    .describe('a difference that counts, in milliseconds; follows from the noise when absent'),
  timeoutMs: amounts.limitMilliseconds.describe('a run is ended after this long, in milliseconds'),
});

/** SPRFinder's setting: ten seconds slower, of twenty (section 5.2). */
export const paperSlowness = { thresholdMs: 10_000, timeoutMs: 20_000 } as const;

/** A difference of less than this nobody would report, however sure it is. */
const leastWorthMs = 250;

/** The machine's noise, or as much as makes a difference worth reporting. */
function worthwhileNoise({ noise }: Slowness): Noise {
  return { ...noise, floorMs: Math.max(noise.floorMs, leastWorthMs / safetyFactor) };
}

/** Beside other runs times are larger and differ more; what is called a finding must hold without them too. */
const confirmingMargin = 1.5;

/** The noise a finding has to stand out from; a threshold the user fixed is taken as it is. */
export function confirmingNoise(slowness: Slowness): Noise {
  const { floorMs, relative } = worthwhileNoise(slowness);
  return { floorMs: confirmingMargin * floorMs, relative: confirmingMargin * relative };
}

/** The rule a finding is held to, so that what is slow by it is mostly slow again when it is measured alone. */
export function findingRule(slowness: Slowness): Slowness {
  return { ...slowness, noise: confirmingNoise(slowness) };
}

/** How much slower than this reference is slower. */
export function thresholdOver(slowness: Slowness, referenceMs: number): number {
  return slowness.thresholdMs ?? thresholdMs(worthwhileNoise(slowness), referenceMs);
}

/** The quick rule takes this share of a fixed threshold, though never less than the machine's noise allows. */
const quickShare = 1 / 4;

/**
 * A rule that is quicker to check: every step of shrinking would cost the whole threshold otherwise. What comes out
 * is measured by the real rule again.
 */
export function quickRule(slowness: Slowness): Slowness {
  const { noise, thresholdMs: fixed } = slowness;
  if (fixed === undefined) return slowness;
  return { ...slowness, thresholdMs: Math.min(fixed, Math.max(quickShare * fixed, thresholdMs(noise, 0))) };
}

/** The runs of one formula, by version, the newest last; undefined where none was needed. */
export type Runs = readonly (Run | undefined)[];

/** A slowdown as the runs show it. */
export interface Slowdown {
  /** Which of the older versions is the quickest that answered. */
  readonly reference: number;
  readonly referenceMs: number;
  /** At least this long if the newest version did not end. */
  readonly newestMs: number;
  readonly hasEnded: boolean;
}

/** Did a version say sat or unsat? */
export function isAnswer(run: Run | undefined): run is Run {
  return run?.outcome === 'sat' || run?.outcome === 'unsat';
}

/**
 * The slowdown the runs show, if they show one: an older version answers, and the newest takes longer by more than the
 * threshold. An `unknown`, a crash or an error says nothing about speed.
 */
export function slowdownIn(runs: Runs, slowness: Slowness): Slowdown | undefined {
  const newest = runs.at(-1);
  if (newest === undefined || !(newest.outcome === 'timeout' || isAnswer(newest))) return undefined;
  const best = quickest(runs);
  if (best === undefined) return undefined;
  const { reference, referenceMs } = best;
  const newestMs = spentMs(newest);
  if (newestMs - referenceMs <= thresholdOver(slowness, referenceMs)) return undefined;
  return { reference, referenceMs, newestMs, hasEnded: newest.outcome !== 'timeout' };
}

/**
 * SPRFinder's Algorithm 1, lines 5 and 14: by their times alone, whatever the versions answered, the newest is slower
 * by more than the threshold.
 */
export function isLonger(runs: Runs, slowness: Slowness): boolean {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  return others.length > 0 && score(runs) > thresholdOver(slowness, Math.min(...others));
}

/**
 * The newest version works on where an older one soon gave up, and no older one answered in time for it to be a
 * slowdown.
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

/** The quickest of the older versions that answered, the first of equals. */
function quickest(runs: Runs): Pick<Slowdown, 'reference' | 'referenceMs'> | undefined {
  let best: Pick<Slowdown, 'reference' | 'referenceMs'> | undefined;
  for (const [reference, run] of runs.slice(0, -1).entries()) {
    if (!isAnswer(run)) continue;
    const referenceMs = spentMs(run);
    if (best === undefined || referenceMs < best.referenceMs) best = { reference, referenceMs };
  }
  return best;
}

/** SPRFinder's Definition 1, in milliseconds: the newest version's time minus the least of the others. */
export function score(runs: Runs): number {
  const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
  const newest = runs.at(-1);
  const newestMs = newest === undefined ? 0 : spentMs(newest);
  return newestMs - (others.length === 0 ? 0 : Math.min(...others));
}

/** SPRFinder's TS(t), in seconds: how long each version takes. */
export function timeSequence(runs: Runs): readonly number[] {
  return runs.map((run) => (run === undefined ? 0 : spentMs(run) / 1000));
}
