import type { WorkCounts } from '../run/run.js';
import type { Family } from './family.js';

/** The counters that are kept; the rest are small and say little. */
const kept = 6;

/**
 * What a solver was busy with, by its own statistics: first what it was busiest with, and last the counters that go up
 * along with others.
 *
 * @example
 * workIn('(:decisions 900 :seq-branch 27974 :seq-add-axiom 51 :seq-num-reductions 60)', families.z3)
 * // { 'seq-branch': 27974, 'seq-add-axiom': 51, 'seq-num-reductions': 60 }
 */
export function workIn(statistics: string, { work }: Family): WorkCounts | undefined {
  if (work === undefined) return undefined;
  const counts = [...statistics.matchAll(new RegExp(work.counter, 'g'))]
    .map(
      ([, name = '', count]): Counted => ({
        name,
        count: Number(count),
        isCompanion: work.companions.test(name),
      }),
    )
    .filter(({ name, count }) => count > 0 && !work.chores.test(name))
    .toSorted(byCount)
    .slice(0, kept)
    .toSorted((a, b) => Number(a.isCompanion) - Number(b.isCompanion) || byCount(a, b));
  return counts.length === 0 ? undefined : Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}

interface Counted {
  readonly name: string;
  readonly count: number;
  readonly isCompanion: boolean;
}

/** By name where they are equal, so that the same work always reads the same. */
function byCount(a: Counted, b: Counted): number {
  return b.count - a.count || (a.name < b.name ? -1 : 1);
}
