/**
 * Seeded randomness, handed down as a parameter: same seed, same formulas, same search.
 *
 * ```ts
 * const random = Random.fromSeed(7);
 * random.below(6);                       // a die
 * const saved = random.state();          // JSON; goes into a campaign's journal
 * Random.fromState(saved).below(6);      // what `random.below(6)` gives next
 * ```
 */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Everything a `Random` is, as plain numbers. */
export type RandomState = readonly [number, number, number, number];

export class Random {
  private constructor(private readonly generator: RandomGenerator) {}

  /** @param seed any integer up to 2^53; neighbouring seeds give unrelated sequences. */
  static fromSeed(seed: number): Random {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`the seed ${seed} is not an integer below 2^53`);
    return Random.mixed(seed | 0, Math.floor(seed / 2 ** 32) | 0, 0, 0);
  }

  static fromState(state: RandomState): Random {
    return new Random(xoroshiro128plusFromState(state));
  }

  /** Stirs four words into a state: the generator's own seeding repeats the seed in its first numbers. */
  private static mixed(a: number, b: number, c: number, d: number): Random {
    const state: number[] = [];
    let word = 0;
    for (const part of [a, b, c, d]) {
      word = stir((word + 0x9e3779b9 + part) | 0);
      state.push(word);
    }
    // All zeros is the one state the generator cannot leave.
    return new Random(
      state.some((part) => part !== 0) ? xoroshiro128plusFromState(state) : xoroshiro128plus(1),
    );
  }

  state(): RandomState {
    const [a = 0, b = 0, c = 0, d = 0] = this.generator.getState();
    return [a, b, c, d];
  }

  /**
   * A generator of its own for one part of a job, so that what one part draws does not disturb another.
   * Seeded from drawn words and not by jumping ahead: jumps of jumps meet again.
   */
  split(): Random {
    const { generator } = this;
    return Random.mixed(generator.next(), generator.next(), generator.next(), generator.next());
  }

  /** A number from 0 up to but not including `count`. */
  below(count: number): number {
    return uniformInt(this.generator, 0, count - 1);
  }

  /** A number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return uniformInt(this.generator, low, high);
  }

  /** True with this probability, to 32 bits. */
  chance(probability: number): boolean {
    return this.generator.next() >>> 0 < probability * 2 ** 32;
  }

  /** 32 random bits as a number from 0. */
  bits(): number {
    return this.generator.next() >>> 0;
  }

  /** One of the items, which must not be empty. */
  pick<Item>(items: readonly Item[]): Item {
    // Undefined may be an item like others: that the index is in range is all there is to know.
    return items[this.below(items.length)] as Item;
  }

  /** `count` of the items at different positions, in random order; all of them if there are fewer. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    const taken = Math.min(count, left.length);
    for (let i = 0; i < taken; i++) {
      const at = this.between(i, left.length - 1);
      [left[i], left[at]] = [left[at] as Item, left[i] as Item];
    }
    left.length = taken;
    return left;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return this.sample(items, items.length);
  }
}

/** The finalizer of MurmurHash3: every bit of the word reaches every bit of the result. */
function stir(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
