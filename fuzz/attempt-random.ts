import { Random, sha256 } from '../src/machine/index.js';

/** The random generator of an attempt, independent of other attempts and their order. */
export function attemptRandom(seed: number, lane: string, index: number): Random {
  return Random.fromSeed(Number.parseInt(sha256(`${seed} ${lane} ${index}`).slice(0, 12), 16));
}
