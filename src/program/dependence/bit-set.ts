/** A set of numbers below a limit, one bit each. */
export class BitSet {
  readonly #words: Uint32Array;

  constructor(limit: number) {
    this.#words = new Uint32Array((limit + 31) >>> 5);
  }

  has(item: number): boolean {
    return (((this.#words[item >>> 5] as number) >>> (item & 31)) & 1) === 1;
  }

  /** False if it was there already. */
  add(item: number): boolean {
    const word = this.#words[item >>> 5] as number;
    const bit = 1 << (item & 31);
    if ((word & bit) !== 0) return false;
    this.#words[item >>> 5] = word | bit;
    return true;
  }

  addAll(other: BitSet): void {
    for (const [at, word] of other.#words.entries())
      if (word !== 0) this.#words[at] = (this.#words[at] as number) | word;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const [at, word] of this.#words.entries())
      for (let left = word; left !== 0; left &= left - 1) yield at * 32 + 31 - Math.clz32(left & -left);
  }
}
