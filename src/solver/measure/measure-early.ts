/** How a formula is measured in a search: on every version to its end, or only until its verdict cannot change. */

import { type Run, spentMs } from '../run/run.js';
import { isAnswer, type Runs, type Slowness, slowdownIn, thresholdOver } from './slowness.js';

/**
 * Runs the formula on a version under a limit on its time.
 *
 * @param how a look at whether it is quick will do; or: tell what the solver was busy with
 */
export type RunOn<Version> = (version: Version, limitMs: number, how?: 'glance' | 'work') => Promise<Run>;

/** Every version with the full time: what the papers' searches need to compute their scores. */
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
 * A probe is never shorter, whatever the threshold: a solver needs some of it to start. Formulas an older version
 * answers are mostly answered within a few times that.
 */
const leastProbeMs = 120;

/** A probe of this part of the threshold tells apart what is quick from what may be slow. */
const probeShare = 1 / 8;

/** How long past the point where a run counts as slow it is let run, so that the point is passed for sure. */
const beyond = 1.02;

/** The same where that point is not known yet, but by a time that may differ a little the next time. */
const likelyBeyond = 1.1;

/** What is known of a formula before it is measured, and what is asked of it. */
export interface MeasureHints {
  /** Run the other versions even where the newest is quick: to see whether they agree. */
  readonly isThorough?: boolean | undefined;
  /** It may be too hard for all of them: the others are run first, and the newest only if one of them answers. */
  readonly isLikelyHard?: boolean | undefined;
  /** The formula is likely slow, and this is how long the quickest of the others likely takes. */
  readonly likelyReferenceMs?: number | undefined;
  /** What nobody answers within the probe is worth the whole time all the same: a verdict is wanted on this formula. */
  readonly isPatient?: boolean | undefined;
}

/**
 * Stops as soon as it is clear whether the formula is a slowdown:
 *
 * 1. The newest version gets a short probe. What it answers within the threshold cannot be a slowdown, what it gives
 *    up on is none, and the other versions are not run at all; that is most formulas.
 * 2. The others get as long as they may take for the formula to be a slowdown still. What nobody answers within the
 *    probe is hard for all of them and dropped.
 * 3. If an older version answered, the newest is run again, now in a process of its own, until it has answered or
 *    taken longer by the threshold; again where it got so little of the processor meanwhile that this says nothing.
 *
 * Where the formula is likely too hard for all, the others get their probe before the newest.
 *
 * Where the formula is likely slow, as one that comes of a slow one is, the probe would be lost: the newest version is
 * run at once for as long as that likely takes.
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
  const probeMs = Math.min(slowness.timeoutMs, Math.max(leastProbeMs, probeShare * least));
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
  // A glance tells no processor time: it can say that something is quick, and not that it is slow.
  const isMeasured = first.cpuMs !== undefined;
  if (isMeasured && (isAnswer(first) || slowdownIn(runs, slowness) !== undefined)) return runs;
  const referenceMs = Math.min(...answered.map(spentMs));
  const slowFromMs = referenceMs + thresholdOver(slowness, referenceMs);
  if (slowFromMs >= slowness.timeoutMs) return runs;
  const second = await runPast(slowFromMs, slowness.timeoutMs, (limitMs) => run(newest, limitMs, 'work'));
  return [...otherRuns, second];
}

/** How long the others may take for their answer to be of use. */
function usefulMs(
  first: Run,
  slowness: Slowness,
  { isThorough, isPatient, likelyReferenceMs }: MeasureHints,
): number {
  if (isThorough) return 0;
  if (isAnswer(first)) return spentMs(first);
  return isPatient ? slowness.timeoutMs : likelyBeyond * (likelyReferenceMs ?? 0);
}

/** How long a run takes to be slow, if the reference takes so long. */
function likelyLimitMs(referenceMs: number, slowness: Slowness): number {
  const slowFromMs = referenceMs + thresholdOver(slowness, referenceMs);
  return Math.min(slowness.timeoutMs, likelyBeyond * slowFromMs);
}

/** Tries to find out on a busy machine, each with a limit longer by this factor at least. */
const mostTries = 5;
const growth = 1.5;
/** How many times its time limit something may take on the clock, and the share of that limit that is as good as all. */
const mostClock = 10;
const enough = 0.98;

/**
 * Runs something until it has answered or has worked for longer than `pointMs`. Where the machine is busy with
 * something else, wall time says little about work: it is run again with as much more of it as work takes.
 */
export async function runPast(
  pointMs: number,
  timeoutMs: number,
  run: (limitMs: number) => Promise<Run>,
): Promise<Run> {
  const mostMs = mostClock * timeoutMs;
  let limitMs = Math.min(beyond * pointMs, timeoutMs);
  for (let tries = 1; ; tries++) {
    const last = await run(limitMs);
    const workedMs = spentMs(last);
    if (last.outcome !== 'timeout' || workedMs > Math.min(pointMs, enough * timeoutMs)) return last;
    if (limitMs >= mostMs || tries === mostTries) return last;
    const neededMs = (beyond * pointMs * last.wallMs) / Math.max(1, workedMs);
    limitMs = Math.min(Math.max(neededMs, growth * limitMs), mostMs);
  }
}
