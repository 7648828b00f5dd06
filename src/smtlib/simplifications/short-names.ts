import { operatorsByName, sortsByName } from '../theories/index.js';

export const letters = 'abcdefghijklmnopqrstuvwxyz';
export const otherLetters = 'vrpxyzwutsqonm';

export function* shortNames(taken: ReadonlySet<string>, from: string): Generator<string, never> {
  for (let round = 0; ; round++) {
    for (const letter of from) {
      const name = round === 0 ? letter : `${letter}${round}`;
      if (!taken.has(name) && !operatorsByName.has(name) && !sortsByName.has(name)) yield name;
    }
  }
}
