/** SPRFinder's Table 1: the stability of times on this machine, and the threshold that follows from it. */

import { max, mean, median, quantile } from 'simple-statistics';
import type { Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { type Run, type Runner, spentMs } from '../run/run.js';
import type { Version } from '../version/version.js';
import { type Noise, safetyFactor } from './noise.js';

export interface CalibrationOptions {
  readonly formulas: readonly Script[];
  /** Runs of each formula; 10 in the paper. */
  readonly repeats: number;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Called before the first run and after each run, with the number of runs so far and in total. */
  readonly onRun?: ((done: number, of: number) => void) | undefined;
}

export interface VersionStability {
  readonly version: string;
  /** Number of formulas. The next three figures cover all of them, as in the paper's Table 1. */
  readonly formulas: number;
  readonly averageMs: number;
  /** The average and the maximum over all formulas of the largest difference between two runs. */
  readonly averageDifferenceMs: number;
  readonly maximalDifferenceMs: number;
  /** Formulas with a run that timed out. The time of such a run is the limit. */
  readonly unfinished: number;
  /** Formulas whose runs all timed out. They say nothing about noise. */
  readonly neverFinished: number;
  readonly noise: Noise;
  readonly steadyEffort: number | undefined;
}

/** Shorter runs are judged by absolute spread, longer ones by relative spread. */
const shortMs = 200;

/** The quantile of spreads that counts as noise. The safety factor covers the rest. */
const usual = 0.95;

/** Runs every formula several times on every version, interleaved. */
export async function calibrate(
  runner: Runner,
  versions: readonly Version[],
  options: CalibrationOptions,
): Promise<VersionStability[]> {
  const measured = versions.map((): Run[][] => []);
  const all = options.formulas.length * options.repeats * versions.length;
  let done = 0;
  options.onRun?.(done, all);
  for (const formula of options.formulas) {
    const runs = versions.map((): Run[] => []);
    for (let repeat = 0; repeat < options.repeats; repeat++) {
      for (const [i, version] of versions.entries()) {
        runs[i]?.push(await runner.run({ formula, version, limits: options.limits }, options.signal));
        options.onRun?.(++done, all);
      }
    }
    for (const [i, own] of runs.entries()) measured[i]?.push(own);
  }
  return versions.map((version, i) => stability(version.name, measured[i] ?? []));
}

/** The stability of one version's repeated runs of several formulas. */
export function stability(version: string, formulas: readonly (readonly Run[])[]): VersionStability {
  const rows = formulas
    .filter((runs) => runs.length > 1)
    .map((runs) => {
      const times = runs.map(spentMs);
      const averageMs = mean(times);
      const differenceMs = Math.max(...times) - Math.min(...times);
      const timeouts = runs.filter((run) => run.outcome === 'timeout').length;
      return { runs, averageMs, differenceMs, timeouts };
    });
  // If only some runs timed out, the difference counts, although it is cut off.
  const finishing = rows.filter(({ runs, timeouts }) => timeouts < runs.length);
  const short = finishing.filter((row) => row.averageMs < shortMs).map((row) => row.differenceMs);
  const long = finishing
    .filter((row) => row.averageMs >= shortMs)
    .map((row) => row.differenceMs / row.averageMs);
  const efforts = rows
    .filter(({ timeouts }) => timeouts === 0)
    .flatMap(({ runs }) =>
      runs.every((run) => run.effort !== undefined) ? [new Set(runs.map((run) => run.effort))] : [],
    );
  return {
    version,
    formulas: rows.length,
    averageMs: rows.length === 0 ? 0 : mean(rows.map((row) => row.averageMs)),
    averageDifferenceMs: rows.length === 0 ? 0 : mean(rows.map((row) => row.differenceMs)),
    maximalDifferenceMs: rows.length === 0 ? 0 : max(rows.map((row) => row.differenceMs)),
    unfinished: rows.filter(({ timeouts }) => timeouts > 0).length,
    neverFinished: rows.length - finishing.length,
    noise: {
      floorMs: Math.max(1, short.length === 0 ? 0 : quantile(short, usual)),
      relative: Math.max(0.01, long.length === 0 ? 0 : quantile(long, usual)),
    },
    steadyEffort:
      efforts.length === 0 ? undefined : efforts.filter(({ size }) => size === 1).length / efforts.length,
  };
}

/** SPRFinder's rule (section 5.2): about five times the largest difference of all. */
export function publishedThresholdMs(all: readonly VersionStability[]): number {
  return safetyFactor * Math.max(0, ...all.map(({ maximalDifferenceMs }) => maximalDifferenceMs));
}

export function largestNoise(all: readonly Noise[]): Noise {
  return {
    floorMs: Math.max(...all.map((noise) => noise.floorMs)),
    relative: Math.max(...all.map((noise) => noise.relative)),
  };
}

/** How much concurrent runs slow each other down. */
export interface Skew {
  /** The time of a concurrent run relative to a run alone; undefined if no formula finished. */
  readonly factor: number | undefined;
  readonly formulas: number;
  /** Formulas with a run that timed out, alone or concurrently. They contribute nothing from that run on. */
  readonly unfinished: number;
}

/**
 * How much longer a version takes while all other workers run the same formula: the median ratio of times, measured
 * alternately. If it exceeds 1 by more than the noise, concurrent runs are not comparable with runs alone.
 */
export async function measureSkew(
  runner: Runner,
  version: Version,
  options: CalibrationOptions & { readonly workers: number },
): Promise<Skew> {
  const ratios: number[] = [];
  let unfinished = 0;
  const all = options.formulas.length * options.repeats;
  options.onRun?.(0, all);
  for (const [at, formula] of options.formulas.entries()) {
    const runOnce = (): Promise<Run> => runner.run({ formula, version, limits: options.limits });
    for (let repeat = 0; repeat < options.repeats; repeat++) {
      options.signal?.throwIfAborted();
      const alone = await runOnce();
      const together = await Promise.all(Array.from({ length: options.workers }, runOnce));
      if ([alone, ...together].some((run) => run.outcome === 'timeout')) {
        unfinished++;
        break;
      }
      ratios.push(mean(together.map(spentMs)) / spentMs(alone));
    }
    options.onRun?.((at + 1) * options.repeats, all);
  }
  return {
    factor: ratios.length === 0 ? undefined : median(ratios),
    formulas: options.formulas.length,
    unfinished,
  };
}
