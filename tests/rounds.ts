/** Set by `npm run e2e`, which runs the files that ask for rounds as well. */
const isThorough = process.env.CULPRIT_THOROUGH !== undefined;

/** How often something that is drawn at random is tried: all of it before a release, a quarter of it with every change. */
export function rounds(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 4);
}
