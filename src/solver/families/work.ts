import type { WorkCounts } from '../run/run.js';
import type { Family } from './family.js';

/** Number of reported counters. The others are small. */
const maxReported = 6;

/**
 * The largest work counters in a solver's statistics, in descending order; counters that only increase with others
 * come last.
 *
 * @example workIn('(:decisions 900 :seq-branch 27974 :seq-add-axiom 51 :seq-num-reductions 60)', families.z3) // {
 * 'seq-branch': 27974, 'seq-add-axiom': 51, 'seq-num-reductions': 60 }
 */
export function workCountersIn(statistics: string, { work }: Family): WorkCounts | undefined {
  if (work === undefined) return undefined;
  const counts = [...statistics.matchAll(new RegExp(work.counter, 'g'))]
    .map(
      ([, name = '', count]): Counted => ({
        name,
        count: Number(count),
        isCompanion: work.secondaryCounters.test(name),
      }),
    )
    .filter(({ name, count }) => count > 0 && !work.generalCounters.test(name))
    .toSorted(byCount)
    .slice(0, maxReported)
    .toSorted((a, b) => Number(a.isCompanion) - Number(b.isCompanion) || byCount(a, b));
  return counts.length === 0 ? undefined : Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}

interface Counted {
  readonly name: string;
  readonly count: number;
  readonly isCompanion: boolean;
}

function byCount(a: Counted, b: Counted): number {
  return b.count - a.count || (a.name < b.name ? -1 : 1);
}
