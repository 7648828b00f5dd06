import { Random, sha256 } from '../src/machine/index.js';

/** The randomness of one attempt: the same for the same seed, whatever was tried before it and in whatever order. */
export function attemptRandom(seed: number, lane: string, index: number): Random {
  return Random.fromSeed(Number.parseInt(sha256(`${seed} ${lane} ${index}`).slice(0, 12), 16));
}
