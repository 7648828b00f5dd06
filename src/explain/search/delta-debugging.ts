/** The baselines: delta debugging (DD), and DD among the executed changes (ADD). */

import { smallestDifference, type TestResult } from '../../reduce/index.js';
import type { Change } from '../changes/change.js';
import type { Trials } from '../trials/trials.js';
import type { Blame } from './blame-search.js';

/** DD applies changes to the old version; a build failure counts as unresolved. */
export async function deltaDebugging(
  all: readonly Change[],
  trials: Trials,
  /** The changes that may be to blame; `isOthersApplied` decides whether all others are applied. */
  candidates: readonly Change[] = all,
  isOthersApplied = false,
): Promise<Blame> {
  const suspected = new Set(candidates);
  const others = all.filter((change) => !suspected.has(change));
  const test = async (applied: readonly Change[]): Promise<TestResult> => {
    const kept = new Set([...applied, ...(isOthersApplied ? others : [])]);
    const reverted = all.filter((change) => !kept.has(change)).map(({ id }) => id);
    const { verdict } = await trials.of(reverted);
    return verdict === 'does not build' ? 'unresolved' : verdict;
  };
  const { difference } = await smallestDifference(candidates, test, (least) => trials.expectAtLeast(least));
  trials.expectAtLeast(undefined);
  return { blamed: difference, auxiliary: [] };
}

/**
 * ADD searches only the executed changes. The others stay applied if the old version passes with them; else they are
 * reverted.
 */
export async function augmentedDeltaDebugging(
  all: readonly Change[],
  trials: Trials,
  executed: readonly Change[],
): Promise<Blame> {
  const alone = await trials.of(executed.map(({ id }) => id));
  if (alone.verdict === 'passes') return deltaDebugging(all, trials, executed, true);
  const without = await trials.of(all.filter((change) => !executed.includes(change)).map(({ id }) => id));
  // It fails with only the executed changes applied, so these are sufficient.
  if (without.verdict === 'fails') return deltaDebugging(all, trials, executed, false);
  return deltaDebugging(all, trials);
}
