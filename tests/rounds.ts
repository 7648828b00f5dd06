import { it } from 'vitest';

/** Set by `npm run e2e`, which also runs the files that import this module. */
const isThorough = process.env.CULPRIT_THOROUGH !== undefined;

/** The number of random inputs: all of them in `npm run e2e`, a tenth in `npm test`. */
export function rounds(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 10);
}

/** A depth of nesting that overflows the stack of every recursive function. */
export const overflowingDepth = isThorough ? 100_000 : 25_000;

/** The variants that one test runs with: all of them in `npm run e2e`, the last in `npm test`. */
export function someOf<Item>(items: readonly Item[]): readonly Item[] {
  return isThorough ? items : items.slice(-1);
}

/** Studies run whole campaigns, so only `npm run e2e` runs them. Unit tests cover their parts. */
export const itStudies: (name: string, test: () => void | Promise<void>) => void = isThorough ? it : () => {};
