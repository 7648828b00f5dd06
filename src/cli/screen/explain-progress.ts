import type { Tries } from '../../explain/index.js';

/** For example `reverting changes: 7 built, 5 of them tested, at least 2 to go`. */
export function triesText({ builds, tests, leastLeft = 0 }: Tries): string {
  const left = leastLeft === 0 ? 'no estimate' : `at least ${leastLeft} to go`;
  return `reverting changes: ${builds} built, ${tests} of them tested, ${left}`;
}
