/** The baselines: delta debugging, and the same over what the failing run executes. */

import { smallestDifference, type TestResult } from '../../reduce/index.js';
import type { Change } from '../changes/change.js';
import type { Trials } from '../trials/trials.js';
import type { Blame } from './blame-search.js';

/** DD: changes are applied to the old version; what does not compile tells nothing. */
export async function deltaDebugging(
  all: readonly Change[],
  trials: Trials,
  /** Those that may be to blame; the others are applied or not as `isOthersApplied` says. */
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
 * ADD: changes that the failing run does not execute are left out of the search. They stay applied where the old
 * version with them passes, and are taken back where it does not.
 */
export async function augmentedDeltaDebugging(
  all: readonly Change[],
  trials: Trials,
  executed: readonly Change[],
): Promise<Blame> {
  const alone = await trials.of(executed.map(({ id }) => id));
  if (alone.verdict === 'passes') return deltaDebugging(all, trials, executed, true);
  const without = await trials.of(all.filter((change) => !executed.includes(change)).map(({ id }) => id));
  // Without what is not executed it still fails: the executed ones are enough.
  if (without.verdict === 'fails') return deltaDebugging(all, trials, executed, false);
  return deltaDebugging(all, trials);
}
