/** A set of numbers below a limit, one bit each. */
export class BitSet<Member extends number = number> {
  readonly #words: Uint32Array;

  /** @param limit above all numbers that will ever be in */
  constructor(limit: number) {
    this.#words = new Uint32Array((limit + 31) >>> 5);
  }

  /** The numbers from 0 to the one before the limit. */
  static upTo<Member extends number>(limit: number): BitSet<Member> {
    const set = new BitSet<Member>(limit);
    set.#words.fill(0xffffffff);
    if (limit % 32 !== 0) set.#words[set.#words.length - 1] = 2 ** (limit % 32) - 1;
    return set;
  }

  /** True if it was not in. */
  add(member: Member): boolean {
    const word = this.#words[member >>> 5] ?? 0;
    const bit = 1 << (member & 31);
    if ((word & bit) !== 0) return false;
    this.#words[member >>> 5] = word | bit;
    return true;
  }

  /** Members 32 at a time: bit b of the word stands for 32 times its place plus b. */
  addWord(place: number, word: number): void {
    this.#words[place] = (this.#words[place] ?? 0) | word;
  }

  get size(): number {
    let size = 0;
    for (const word of this.#words) for (let left = word; left !== 0; left &= left - 1) size++;
    return size;
  }

  has(member: Member): boolean {
    return ((this.#words[member >>> 5] ?? 0) & (1 << (member & 31))) !== 0;
  }

  remove(member: Member): void {
    this.#words[member >>> 5] = (this.#words[member >>> 5] ?? 0) & ~(1 << (member & 31));
  }

  /** True if some were not in. */
  addAll(other: BitSet<Member>): boolean {
    const own = this.#words;
    const words = other.#words;
    let hasGrown = false;
    for (let at = 0; at < words.length; at++) {
      const before = own[at] ?? 0;
      const both = (before | (words[at] ?? 0)) >>> 0;
      if (both === before) continue;
      own[at] = both;
      hasGrown = true;
    }
    return hasGrown;
  }

  /** Are all of a set of the same limit in? */
  includes(other: BitSet<Member>): boolean {
    const own = this.#words;
    const words = other.#words;
    for (let at = 0; at < own.length; at++) if (((words[at] ?? 0) & ~(own[at] ?? 0)) !== 0) return false;
    return true;
  }

  /** Has a set of the same limit the same members? */
  equals(other: BitSet<Member>): boolean {
    const [own, words] = [this.#words, other.#words];
    for (let at = 0; at < own.length; at++) if (own[at] !== words[at]) return false;
    return true;
  }

  /** The same for equal sets. */
  hash(): number {
    let hash = 0;
    for (const word of this.#words) hash = (Math.imul(hash, 31) + word) | 0;
    return hash;
  }

  copy(): BitSet<Member> {
    const set = new BitSet<Member>(this.#words.length * 32);
    set.#words.set(this.#words);
    return set;
  }

  /** Each in ascending order; for loops in which an iterator would take most of the time. */
  forEach(take: (member: Member) => void): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at++)
      for (let left = words[at] ?? 0; left !== 0; left &= left - 1)
        take((at * 32 + (31 - Math.clz32(left & -left))) as Member);
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<Member> {
    for (const [at, word] of this.#words.entries())
      for (let left = word; left !== 0; left &= left - 1)
        yield (at * 32 + (31 - Math.clz32(left & -left))) as Member;
  }
}
