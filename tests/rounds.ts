import { it } from 'vitest';

/** Set by `npm run e2e`, which runs the files that ask for rounds as well. */
const isThorough = process.env.CULPRIT_THOROUGH !== undefined;

/** How often something that is drawn at random is tried: all of it before a release, a quarter of it with every change. */
export function rounds(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 4);
}

/** Of what is tried alike on each of several, all before a release, the last with every change. */
export function someOf<Item>(items: readonly Item[]): readonly Item[] {
  return isThorough ? items : items.slice(-1);
}

/** A study runs whole campaigns of whole commands: tried before a release, since with every change its parts are. */
export const itStudies: (name: string, test: () => void | Promise<void>) => void = isThorough ? it : () => {};
