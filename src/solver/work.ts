import type { Family } from './family.js';
import type { Work } from './run.js';

/** The counters that are kept; the rest are small and say little. */
const kept = 6;

/**
 * What a solver was busy with, by its own statistics.
 *
 * @example
 * workIn('(:decisions 900 :seq-branch 27974 :seq-add-axiom 51)', families.z3)
 * // { 'seq-branch': 27974, 'seq-add-axiom': 51 }
 */
export function workIn(statistics: string, { work }: Family): Work | undefined {
  if (work === undefined) return undefined;
  const counts = [...statistics.matchAll(new RegExp(work.counter, 'g'))]
    .map(([, name = '', count]): readonly [string, number] => [name, Number(count)])
    .filter(([name, count]) => count > 0 && !work.chores.test(name))
    // By name where they are equal, so that the same work always reads the same.
    .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, kept);
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}
