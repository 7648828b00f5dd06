/** A set of numbers below a limit, one bit each. */
export class BitSet {
  readonly #words: Uint32Array;

  constructor(limit: number) {
    this.#words = new Uint32Array((limit + 31) >>> 5);
  }

  /** True if it was not in. */
  add(member: number): boolean {
    const word = this.#words[member >>> 5] as number;
    const bit = 1 << (member & 31);
    if ((word & bit) !== 0) return false;
    this.#words[member >>> 5] = word | bit;
    return true;
  }

  has(member: number): boolean {
    return ((this.#words[member >>> 5] as number) & (1 << (member & 31))) !== 0;
  }

  remove(member: number): void {
    this.#words[member >>> 5] = (this.#words[member >>> 5] as number) & ~(1 << (member & 31));
  }

  /** True if some were not in. */
  addAll(other: BitSet): boolean {
    let hasGrown = false;
    for (const [at, word] of other.#words.entries()) {
      const own = this.#words[at] as number;
      const both = (own | word) >>> 0;
      if (both === own) continue;
      this.#words[at] = both;
      hasGrown = true;
    }
    return hasGrown;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [at, word] of this.#words.entries())
      for (let left = word; left !== 0; left &= left - 1) yield at * 32 + (31 - Math.clz32(left & -left));
  }
}
