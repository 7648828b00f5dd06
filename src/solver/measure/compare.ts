import { median } from 'simple-statistics';
import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { rankProbability, shift } from '../../statistics/index.js';
import { type Outcome, type Run, type Runner, spentMs } from '../run/run.js';
import type { Version } from '../version/version.js';
import { type Disagreement, disagreementOf } from './disagreement.js';
import { type Noise, thresholdMs } from './noise.js';

/** A version, or anything else that runs are grouped by. */
interface Named {
  readonly name: string;
}

export interface Sample<Of extends Named = Version> {
  readonly version: Of;
  readonly runs: readonly Run[];
}

export type SpeedVerdict =
  /** The newest version against the fastest other one, with their medians. */
  | {
      readonly kind: 'slower' | 'faster' | 'same' | 'undecided';
      readonly referenceMs: number;
      readonly newestMs: number;
    }
  /** No times to compare: a run failed, or no version finished in time. */
  | { readonly kind: 'incomparable'; readonly reason: string };

export interface Comparison<Of extends Named = Version> {
  /** In the order of the versions; the newest is the last. */
  readonly samples: readonly Sample<Of>[];
  /** The fastest of the other versions, with which the newest is compared. */
  readonly reference: Of | undefined;
  readonly verdict: SpeedVerdict;
  readonly disagreement: Disagreement<Of> | undefined;
}

export interface CompareOptions {
  readonly limits: Limits;
  readonly noise: Noise;
  readonly seed?: number | undefined;
  readonly model?: boolean | undefined;
  readonly fresh?: boolean | undefined;
  /** The difference that counts. Default: calibrated to the machine. */
  readonly thresholdMs?: number | undefined;
  /** Minimum and maximum number of runs of each version. Equal numbers fix the count. */
  readonly repeats?: { readonly least: number; readonly most: number } | undefined;
  /** No round starts after this time. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRun?: ((version: Version, run: Run) => void) | undefined;
}

/**
 * Runs the versions interleaved, A B B A A B …, so that drift of the machine affects all of them equally. Stops when
 * the verdict is certain or the repeats or the budget are used up.
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
    if (least < most && isCertain(samples, options)) break;
  }
  return summarize(samples, options, false);
}

export function summarize<Of extends Named>(
  samples: readonly Sample<Of>[],
  options: Pick<CompareOptions, 'noise' | 'thresholdMs'>,
  strict: boolean,
): Comparison<Of> {
  const [first] = samples;
  const newest = samples.at(-1);
  const disagreement = disagreementOf(samples);
  const incomparable = (reason: string): Comparison<Of> => ({
    samples,
    reference: undefined,
    verdict: { kind: 'incomparable', reason },
    disagreement,
  });
  if (newest === undefined || first === undefined || samples.length < 2)
    return incomparable('there is only one version');
  const failed = failure(newest);
  if (failed !== undefined) return incomparable(failed);
  const others = samples.slice(0, -1).filter((sample) => failure(sample) === undefined);
  const [best] = others.toSorted((a, b) => median(times(a)) - median(times(b)));
  if (best === undefined) return incomparable(failure(first) ?? 'no other version finished');
  if (isTimeout(best) && isTimeout(newest)) return incomparable('no version finished in time');
  const [reference, recent] = [times(best), times(newest)];
  const [referenceMs, newestMs] = [median(reference), median(recent)];
  const threshold = options.thresholdMs ?? thresholdMs(options.noise, Math.min(referenceMs, newestMs));
  const kind = judge(reference, recent, threshold, strict);
  return { samples, reference: best.version, verdict: { kind, referenceMs, newestMs }, disagreement };
}

/**
 * Decides whether `newest` is slower than `reference` by more than the threshold. The verdict is certain if the
 * samples do not overlap, or all lie close together. Otherwise, unless `strict`, it follows from the shift and a rank
 * test.
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
 * One run each is enough to see no difference. A difference must appear twice, because a single slow run may be
 * noise.
 */
function isCertain(samples: readonly Sample[], options: CompareOptions): boolean {
  const { verdict, disagreement } = summarize(samples, options, true);
  if (disagreement !== undefined || verdict.kind === 'incomparable' || verdict.kind === 'same') return true;
  return verdict.kind !== 'undecided' && (samples[0]?.runs.length ?? 0) >= 2;
}

function times(sample: Sample<Named>): number[] {
  return sample.runs.map(spentMs);
}

const timed: ReadonlySet<Outcome> = new Set(['sat', 'unsat', 'unknown', 'timeout']);

/** The reason why a sample's times cannot be compared, if any. */
function failure(sample: Sample<Named>): string | undefined {
  const bad = sample.runs.find((run) => !timed.has(run.outcome));
  return bad === undefined ? undefined : `${sample.version.name}: ${bad.outcome}`;
}

function isTimeout(sample: Sample<Named>): boolean {
  return sample.runs.every((run) => run.outcome === 'timeout');
}
