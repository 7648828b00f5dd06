/** Repeats a slowdown under other random seeds (SPRFinder, section 5.3 and Fig. 4). */

import { limitsFor } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import type { Runner } from '../run/run.js';
import type { Version } from '../version/version.js';
import { measureEarly } from './measure-early.js';
import { type Slowness, slowdownIn } from './slowness.js';

/** The paper's seeds, proposed by Z3's developers. */
export const usualSeeds: readonly number[] = Array.from({ length: 30 }, (_, i) => i + 1);

/** The paper's five classes: no seed, under a third, under two thirds, not all, all of the seeds. */
export const robustnesses = [
  'only the default seed',
  'few seeds',
  'some seeds',
  'most seeds',
  'every seed',
] as const;
export type Robustness = (typeof robustnesses)[number];

/** The class of a slowdown that occurs on `slower` of `all` seeds. */
export function robustnessOf(slower: number, all: number): Robustness {
  if (slower === 0) return 'only the default seed';
  if (slower === all) return 'every seed';
  if (3 * slower < all) return 'few seeds';
  return 3 * slower < 2 * all ? 'some seeds' : 'most seeds';
}

/** The class, if the remaining seeds cannot change it. */
export function settledRobustness(slower: number, tried: number, all: number): Robustness | undefined {
  const least = robustnessOf(slower, all);
  return least === robustnessOf(slower + all - tried, all) ? least : undefined;
}

export interface SeedVerdict {
  readonly slower: readonly number[];
  /** The seeds that were run: fewer than requested if the class was settled earlier. */
  readonly tried: readonly number[];
  /** `no seed`: the default seed shows no slowdown either. */
  readonly robustness: Robustness | 'no seed';
}

export interface SeedOptions {
  readonly slowness: Slowness;
  readonly seeds: readonly number[];
  readonly memoryBytes: number;
  readonly signal: AbortSignal;
  readonly isThorough?: boolean | undefined;
  readonly onSeed?: ((seed: number, isSlower: boolean) => void) | undefined;
}

/** Runs the formula under one seed after another on every version, until its class is settled. */
export async function confirmUnderSeeds(
  runner: Runner,
  formula: Script,
  versions: readonly Version[],
  { slowness, seeds, memoryBytes, signal, isThorough = false, onSeed }: SeedOptions,
): Promise<SeedVerdict> {
  const slower: number[] = [];
  const tried: number[] = [];
  const isSlowerUnder = async (seed: number | undefined): Promise<boolean> => {
    const runs = await measureEarly(
      versions,
      (version, limitMs) =>
        runner.run({ formula, version, limits: limitsFor(limitMs, memoryBytes), seed }, signal),
      slowness,
      { isPatient: true },
    );
    return slowdownIn(runs, slowness) !== undefined;
  };
  for (const seed of seeds) {
    const isSlower = await isSlowerUnder(seed);
    tried.push(seed);
    if (isSlower) slower.push(seed);
    onSeed?.(seed, isSlower);
    if (!isThorough && settledRobustness(slower.length, tried.length, seeds.length) !== undefined) break;
  }
  const robustness =
    settledRobustness(slower.length, tried.length, seeds.length) ?? robustnessOf(slower.length, seeds.length);
  const isSlowAtAll = slower.length > 0 || (await isSlowerUnder(undefined));
  return { slower, tried, robustness: isSlowAtAll ? robustness : 'no seed' };
}
