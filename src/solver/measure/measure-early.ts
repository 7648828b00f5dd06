/** Measures a formula in a search: completely, or only until its verdict is settled. */

import { type Run, spentMs } from '../run/run.js';
import { isAnswer, type Runs, type Slowness, slowdownIn, thresholdOver } from './slowness.js';

/**
 * Runs the formula on a version under a time limit.
 *
 * @param how `glance`: only check whether it is quick; `work`: report the work counters
 */
export type RunOn<Version> = (version: Version, limitMs: number, how?: 'glance' | 'work') => Promise<Run>;

/** Gives every version the full time. The scores of the papers' searches need it. */
export async function measureFully<Version>(
  versions: readonly Version[],
  run: RunOn<Version>,
  timeoutMs: number,
): Promise<Runs> {
  const runs: Run[] = [];
  for (const version of versions) runs.push(await run(version, timeoutMs));
  return runs;
}

/**
 * The minimum duration of a probe. A solver needs some of it to start, and most solvable formulas need only a few
 * times as much.
 */
const minProbeMs = 120;

/** Length of a probe as a share of the threshold. */
const probeShare = 1 / 8;

/** Factor by which a time limit exceeds the point from which a run counts as slow. */
const limitMargin = 1.02;

/** The same factor if that point is only predicted. */
const predictedMargin = 1.1;

export interface MeasureHints {
  /** Run the other versions even if the newest is quick, to compare answers. */
  readonly isThorough?: boolean | undefined;
  /** Run the other versions first, and the newest only if one of them answers. */
  readonly isLikelyHard?: boolean | undefined;
  /** The formula is probably slow; predicted time of the fastest other version. */
  readonly likelyReferenceMs?: number | undefined;
  /** Give formulas the full time even if no version answers within the probe. */
  readonly isPatient?: boolean | undefined;
}

/**
 * Stops as soon as it is clear whether the formula is a slowdown:
 *
 * 1. The newest version gets a short probe. If it answers within the threshold or gives up, there is no slowdown and
 *    no other version is run. That applies to most formulas.
 * 2. The others get as long as they may take for a slowdown. A formula without an answer within the probe is too hard
 *    for all versions and is dropped.
 * 3. If an older version answered, the newest runs again, in a new process, until it answers or exceeds the
 *    threshold. The run is repeated if it got too little processor time.
 *
 * If the formula is probably too hard for all, the others are probed before the newest. If it is probably slow, like
 * variants of a slow formula, there is no probe: the newest version immediately gets the predicted time.
 */
export async function measureEarly<Version>(
  versions: readonly Version[],
  run: RunOn<Version>,
  slowness: Slowness,
  hints: MeasureHints = {},
): Promise<Runs> {
  const { isThorough = false, isLikelyHard = false, likelyReferenceMs } = hints;
  const newest = versions.at(-1);
  if (newest === undefined) return [];
  const others = versions.slice(0, -1);
  const least = thresholdOver(slowness, 0);
  const probeMs = Math.min(slowness.timeoutMs, Math.max(minProbeMs, probeShare * least));
  const otherRuns: Run[] = [];
  if (isLikelyHard) {
    for (const version of others) otherRuns.push(await run(version, probeMs));
    if (!otherRuns.some(isAnswer)) return [...otherRuns, undefined];
  }
  const first =
    likelyReferenceMs === undefined
      ? await run(newest, probeMs, isThorough ? undefined : 'glance')
      : await run(newest, likelyLimitMs(likelyReferenceMs, slowness), 'work');
  const isDecided = first.outcome === 'unknown' || (isAnswer(first) && spentMs(first) <= least);
  if (isDecided && !isThorough) return [...others.map((_, at) => otherRuns[at]), first];
  if (!isLikelyHard) {
    const limitMs = Math.min(slowness.timeoutMs, Math.max(probeMs, usefulMs(first, slowness, hints)));
    for (const version of others) otherRuns.push(await run(version, limitMs));
  }
  const runs = [...otherRuns, first];
  const answered = otherRuns.filter(isAnswer);
  const isSlowSoFar = first.outcome === 'timeout' || (isAnswer(first) && spentMs(first) > least);
  if (!isSlowSoFar || answered.length === 0) return runs;
  // A glance measures no processor time: it can show that a formula is quick, but not that it is slow.
  const isMeasured = first.cpuMs !== undefined;
  if (isMeasured && (isAnswer(first) || slowdownIn(runs, slowness) !== undefined)) return runs;
  const referenceMs = Math.min(...answered.map(spentMs));
  const slowFromMs = referenceMs + thresholdOver(slowness, referenceMs);
  if (slowFromMs >= slowness.timeoutMs) return runs;
  const second = await runPast(slowFromMs, slowness.timeoutMs, (limitMs) => run(newest, limitMs, 'work'));
  return [...otherRuns, second];
}

/** The longest time of other versions that can still affect the verdict. */
function usefulMs(
  first: Run,
  slowness: Slowness,
  { isThorough, isPatient, likelyReferenceMs }: MeasureHints,
): number {
  if (isThorough) return 0;
  if (isAnswer(first)) return spentMs(first);
  return isPatient ? slowness.timeoutMs : predictedMargin * (likelyReferenceMs ?? 0);
}

function likelyLimitMs(referenceMs: number, slowness: Slowness): number {
  const slowFromMs = referenceMs + thresholdOver(slowness, referenceMs);
  return Math.min(slowness.timeoutMs, predictedMargin * slowFromMs);
}

/** Repetitions on a busy machine, and the least growth of the limit from one to the next. */
const maxTries = 5;
const minGrowth = 1.5;
/** Maximum wall time in units of the time limit, and the share of that limit that counts as all of it. */
const maxWallFactor = 10;
const fullShare = 0.98;

/**
 * Runs a formula until it answers or has worked for longer than `pointMs`. On a busy machine, wall time says little
 * about work, so the run is repeated with a longer limit.
 */
export async function runPast(
  pointMs: number,
  timeoutMs: number,
  run: (limitMs: number) => Promise<Run>,
): Promise<Run> {
  const maxMs = maxWallFactor * timeoutMs;
  let limitMs = Math.min(limitMargin * pointMs, timeoutMs);
  for (let tries = 1; ; tries++) {
    const last = await run(limitMs);
    const workedMs = spentMs(last);
    if (last.outcome !== 'timeout' || workedMs > Math.min(pointMs, fullShare * timeoutMs)) return last;
    if (limitMs >= maxMs || tries === maxTries) return last;
    const neededMs = (limitMargin * pointMs * last.wallMs) / Math.max(1, workedMs);
    limitMs = Math.min(Math.max(neededMs, minGrowth * limitMs), maxMs);
  }
}
