/** A set of numbers below a limit, one bit each. */
export class BitSet<Member extends number = number> {
  readonly #words: Uint32Array;

  /** @param limit larger than every member the set will ever have */
  constructor(limit: number) {
    this.#words = new Uint32Array((limit + 31) >>> 5);
  }

  /** The numbers from 0 to `limit - 1`. */
  static upTo<Member extends number>(limit: number): BitSet<Member> {
    const set = new BitSet<Member>(limit);
    set.#words.fill(0xffffffff);
    if (limit % 32 !== 0) set.#words[set.#words.length - 1] = 2 ** (limit % 32) - 1;
    return set;
  }

  /** Returns true if the member is new. */
  add(member: Member): boolean {
    const word = this.#words[member >>> 5] ?? 0;
    const bit = 1 << (member & 31);
    if ((word & bit) !== 0) return false;
    this.#words[member >>> 5] = word | bit;
    return true;
  }

  /** Adds up to 32 members: bit b of `word` stands for the member `32 * place + b`. */
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

  /** Returns true if the set has grown. */
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

  /** Both sets must have the same limit. */
  includes(other: BitSet<Member>): boolean {
    const own = this.#words;
    const words = other.#words;
    for (let at = 0; at < own.length; at++) if (((words[at] ?? 0) & ~(own[at] ?? 0)) !== 0) return false;
    return true;
  }

  /** Both sets must have the same limit. */
  equals(other: BitSet<Member>): boolean {
    const [own, words] = [this.#words, other.#words];
    for (let at = 0; at < own.length; at++) if (own[at] !== words[at]) return false;
    return true;
  }

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

  /** In ascending order. Faster than the iterator; for hot loops. */
  forEach(take: (member: Member) => void): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at++)
      for (let left = words[at] ?? 0; left !== 0; left &= left - 1)
        take((at * 32 + (31 - Math.clz32(left & -left))) as Member);
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const [at, word] of this.#words.entries())
      for (let left = word; left !== 0; left &= left - 1)
        yield (at * 32 + (31 - Math.clz32(left & -left))) as Member;
  }
}
