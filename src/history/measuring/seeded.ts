/** Fixes a random seed for each case under which it is slower, for a whole bisection (SPRFinder, section 5.4). */

import type { CampaignFolder } from '../../campaign/index.js';
import { Fault, type OnStep } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { confirmUnderSeeds, type Runner, type Version } from '../../solver/index.js';
import type { BisectSettings } from '../bisection/settings.js';
import { storedCase } from '../bisection/stored-case.js';
import { moreEffort } from './more-effort.js';

export type SeededCase = BisectSettings['cases'][number];

export interface SeedingJob {
  readonly folder: CampaignFolder;
  readonly runner: Runner;
  readonly ends: readonly [good: Version, bad: Version];
  readonly signal: AbortSignal;
  readonly onCase: (seeded: SeededCase) => void;
  readonly onStep?: OnStep | undefined;
}

/**
 * The settings with the seeds that each case was run under. If a case is slower under some seeds, the first of them
 * is fixed, so that no lucky seed hides the effect of a commit. Otherwise the solver's own seed stays. Each case is
 * stored as soon as its seed is known.
 */
export async function withSeeds(
  settings: BisectSettings,
  { folder, runner, ends, signal, onCase, onStep }: SeedingJob,
): Promise<BisectSettings | Fault> {
  const { seeding, memoryBytes } = settings;
  if (seeding === undefined) return settings;
  const cases = [...settings.cases];
  for (const [at, unseeded] of cases.entries()) {
    if (unseeded.seeds !== undefined) continue;
    const formula = storedCase(unseeded.name, unseeded.text ?? '');
    if (formula instanceof Fault) return formula;
    let seen = 0;
    const onSeed = (): void =>
      onStep?.({
        step: 'running cases under seeds',
        done: at + seen++ / seeding.seeds.length,
        total: cases.length,
        what: 'case',
        at: unseeded.name,
      });
    onSeed();
    const { slower, tried } =
      settings.by === 'effort'
        ? await moreUnderSeeds(runner, formula, ends, { ...settings, onSeed, signal })
        : await confirmUnderSeeds(runner, formula, ends, {
            seeds: seeding.seeds,
            slowness: seeding.slowness,
            memoryBytes,
            signal,
            // The report shows the number of seeds with a slowdown.
            isThorough: true,
            onSeed,
          });
    const seeds = { slower: [...slower], tried: [...tried] };
    const seeded = { ...unseeded, seeds, seed: slower[0] ?? unseeded.seed };
    cases[at] = seeded;
    await folder.rewrite({ ...settings, cases });
    onCase(seeded);
  }
  return { ...settings, cases };
}

/** Like the runs by time, but by effort: the load of the machine does not matter. */
async function moreUnderSeeds(
  runner: Runner,
  formula: Script,
  [good, bad]: readonly [good: Version, bad: Version],
  {
    seeding,
    timeoutMs,
    memoryBytes,
    onSeed,
    signal,
  }: BisectSettings & { readonly onSeed: () => void; readonly signal: AbortSignal },
): Promise<{ readonly slower: readonly number[]; readonly tried: readonly number[] }> {
  const tried = seeding?.seeds ?? [];
  const verdicts = await Promise.all(
    tried.map(async (seed) => {
      const property = moreEffort(runner, good, bad, { timeoutMs, memoryBytes, seed });
      const holds = await property.holds(formula, true, signal);
      onSeed();
      return holds;
    }),
  );
  return { slower: tried.filter((_, at) => verdicts[at]), tried };
}
