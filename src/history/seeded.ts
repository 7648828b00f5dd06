/** A random seed for each case under which it is slower, fixed for a whole bisection (SPRFinder, section 5.4). */

import { parseScript } from '../smtlib/parse.js';
import type { Runner } from '../solver/run.js';
import { confirmUnderSeeds } from '../solver/seeds.js';
import type { Slowness } from '../solver/slowness.js';
import type { Version } from '../solver/version.js';
import type { BisectSettings } from './settings.js';

type Case = BisectSettings['cases'][number];

export interface SeededOptions {
  readonly seeds: readonly number[];
  readonly slowness: Slowness;
  readonly memoryBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The case with the seeds it was run under at both ends. Where it is slower under some, the first of them is fixed:
 * what a commit did to it then does not hide behind a lucky seed. Otherwise the solver's own seed stays.
 */
export async function seeded(
  one: Case,
  ends: readonly [good: Version, bad: Version],
  runner: Runner,
  options: SeededOptions,
): Promise<Case> {
  const { slower, tried } = await confirmUnderSeeds(runner, parseScript(one.text ?? ''), ends, options);
  const [seed] = slower;
  const seeds = { slower: [...slower], tried: [...tried] };
  return { ...one, seeds, ...(seed === undefined ? {} : { seed }) };
}
