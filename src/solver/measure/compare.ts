/** One formula on several versions, measured so that the verdict can be trusted. */

import { median } from 'simple-statistics';
import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { rankProbability, shift } from '../../statistics/index.js';
import { type Outcome, type Run, type Runner, spentMs } from '../run/run.js';
import type { Version } from '../version/version.js';
import { type Disagreement, disagreementOf } from './disagreement.js';
import { type Noise, thresholdMs } from './noise.js';

/** A version, or whatever else runs can be told apart by. */
interface Named {
  readonly name: string;
}

/** Every run of one version, in the order they were made. */
export interface Sample<Of extends Named = Version> {
  readonly version: Of;
  readonly runs: readonly Run[];
}

export type SpeedVerdict =
  /** The newest version against the best of the others: their medians, and how sure the difference is. */
  | {
      readonly kind: 'slower' | 'faster' | 'same' | 'undecided';
      readonly referenceMs: number;
      readonly newestMs: number;
    }
  /** Times say nothing here: a run failed, or no version ended in time. */
  | { readonly kind: 'incomparable'; readonly reason: string };

export interface Comparison<Of extends Named = Version> {
  /** In the order the versions were given; the newest is the last. */
  readonly samples: readonly Sample<Of>[];
  /** The version the newest is compared with: the quickest of the others. */
  readonly reference: Of | undefined;
  readonly verdict: SpeedVerdict;
  readonly disagreement: Disagreement<Of> | undefined;
}

export interface CompareOptions {
  readonly limits: Limits;
  readonly noise: Noise;
  readonly seed?: number | undefined;
  readonly model?: boolean | undefined;
  /** Every run where nothing is left of other formulas; see `RunRequest`. */
  readonly fresh?: boolean | undefined;
  /** A difference of this many milliseconds counts; calibrated to the machine when left out. */
  readonly thresholdMs?: number | undefined;
  /** Runs of each version before a verdict may fall, and the most there may be. Equal numbers fix the count. */
  readonly repeats?: { readonly least: number; readonly most: number } | undefined;
  /** No further round begins after this many milliseconds. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every run as it ends. */
  readonly onRun?: ((version: Version, run: Run) => void) | undefined;
}

/**
 * Runs the versions interleaved, A B B A A B …, so that whatever drifts on the machine drifts for all of them, until
 * the verdict is sure or the repeats or the budget are used up.
 */
export async function compareVersions(
  runner: Runner,
  formula: Script,
  versions: readonly Version[],
  options: CompareOptions,
): Promise<Comparison> {
  const { limits, seed, model, fresh, signal } = options;
  const { least, most } = options.repeats ?? { least: 1, most: 5 };
  const samples = versions.map((version): Sample & { readonly runs: Run[] } => ({ version, runs: [] }));
  const backwards = samples.toReversed();
  const started = performance.now();
  for (let round = 0; round < most; round++) {
    for (const { version, runs } of round % 2 === 0 ? samples : backwards) {
      const run = await runner.run({ formula, version, limits, seed, model, fresh }, signal);
      runs.push(run);
      options.onRun?.(version, run);
    }
    if (round + 1 < least) continue;
    if (options.budgetMs !== undefined && performance.now() - started > options.budgetMs) break;
    if (least < most && isSure(samples, options)) break;
  }
  return summarize(samples, options, false);
}

/** What a set of samples says, taken as complete. */
export function summarize<Of extends Named>(
  samples: readonly Sample<Of>[],
  options: Pick<CompareOptions, 'noise' | 'thresholdMs'>,
  strict: boolean,
): Comparison<Of> {
  const [first] = samples;
  const newest = samples.at(-1);
  const disagreement = disagreementOf(samples);
  const nothing = (reason: string): Comparison<Of> => ({
    samples,
    reference: undefined,
    verdict: { kind: 'incomparable', reason },
    disagreement,
  });
  if (newest === undefined || first === undefined || samples.length < 2)
    return nothing('there is only one version');
  const failed = failure(newest);
  if (failed !== undefined) return nothing(failed);
  const others = samples.slice(0, -1).filter((sample) => failure(sample) === undefined);
  const [best] = others.toSorted((a, b) => median(times(a)) - median(times(b)));
  if (best === undefined) return nothing(failure(first) ?? 'no other version ended');
  if (isTimeout(best) && isTimeout(newest)) return nothing('no version ended in time');
  const [reference, recent] = [times(best), times(newest)];
  const [referenceMs, newestMs] = [median(reference), median(recent)];
  const threshold = options.thresholdMs ?? thresholdMs(options.noise, Math.min(referenceMs, newestMs));
  const kind = judge(reference, recent, threshold, strict);
  return { samples, reference: best.version, verdict: { kind, referenceMs, newestMs }, disagreement };
}

/**
 * Is `newest` more than the threshold slower than `reference`? Sure where the samples keep apart (or together) as
 * wholes; else, unless `strict`, by the shift between them and a rank test.
 */
export function judge(
  reference: readonly number[],
  newest: readonly number[],
  threshold: number,
  strict: boolean,
): 'slower' | 'faster' | 'same' | 'undecided' {
  const [low, high] = [Math.min(...reference), Math.max(...reference)];
  const [newLow, newHigh] = [Math.min(...newest), Math.max(...newest)];
  if (newLow - high > threshold) return 'slower';
  if (low - newHigh > threshold) return 'faster';
  if (newHigh - low <= threshold && high - newLow <= threshold) return 'same';
  if (strict) return 'undecided';
  const by = shift(reference, newest);
  if (by > threshold && rankProbability(reference, newest) < 0.05) return 'slower';
  if (by < -threshold && rankProbability(newest, reference) < 0.05) return 'faster';
  return Math.abs(by) <= threshold ? 'same' : 'undecided';
}

/**
 * One run each is enough to see that nothing differs; a difference must show twice before it is believed, since a
 * single slow run may be the machine's.
 */
function isSure(samples: readonly Sample[], options: CompareOptions): boolean {
  const { verdict, disagreement } = summarize(samples, options, true);
  if (disagreement !== undefined || verdict.kind === 'incomparable' || verdict.kind === 'same') return true;
  return verdict.kind !== 'undecided' && (samples[0]?.runs.length ?? 0) >= 2;
}

function times(sample: Sample<Named>): number[] {
  return sample.runs.map(spentMs);
}

const timed: ReadonlySet<Outcome> = new Set(['sat', 'unsat', 'unknown', 'timeout']);

/** Why a sample's times cannot be compared, if they cannot. */
function failure(sample: Sample<Named>): string | undefined {
  const bad = sample.runs.find((run) => !timed.has(run.outcome));
  return bad === undefined ? undefined : `${sample.version.name}: ${bad.outcome}`;
}

function isTimeout(sample: Sample<Named>): boolean {
  return sample.runs.every((run) => run.outcome === 'timeout');
}
