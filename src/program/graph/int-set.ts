/**
 * A set of numbers that remembers the order they came in, so that what is new since a moment is a suffix.
 * Small ones, which nearly all are, are searched from end to end.
 */
export class IntSet {
  #items: Int32Array = new Int32Array(4);
  /** Places in `#items` plus 1, by hash; absent while the set is small. */
  #table: Int32Array | undefined;
  size = 0;

  static of(items: Iterable<number>): IntSet {
    const set = new IntSet();
    for (const item of items) set.add(item);
    return set;
  }

  at(index: number): number {
    return this.#items[index] as number;
  }

  has(item: number): boolean {
    const table = this.#table;
    if (table === undefined) {
      for (let at = 0; at < this.size; at++) if (this.#items[at] === item) return true;
      return false;
    }
    const mask = table.length - 1;
    for (let slot = hash(item) & mask; ; slot = (slot + 1) & mask) {
      const place = table[slot] as number;
      if (place === 0) return false;
      if (this.#items[place - 1] === item) return true;
    }
  }

  /** False if it was there already. */
  add(item: number): boolean {
    if (this.has(item)) return false;
    this.append(item);
    return true;
  }

  /** Of an item that is known not to be there. */
  append(item: number): void {
    if (this.size === this.#items.length) {
      const wider = new Int32Array(this.size * 2);
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.size++] = item;
    if (this.#table !== undefined && this.size * 2 <= this.#table.length) this.#enter(this.#table, this.size);
    else if (this.size > smallest) this.#rehash();
  }

  /** The items as they stand; not to be changed, and not to be kept while items are added. */
  items(): Int32Array {
    return this.#items.subarray(0, this.size);
  }

  #rehash(): void {
    const table = new Int32Array((this.#table?.length ?? smallest) * 4);
    for (let place = 1; place <= this.size; place++) this.#enter(table, place);
    this.#table = table;
  }

  #enter(table: Int32Array, place: number): void {
    const mask = table.length - 1;
    let slot = hash(this.#items[place - 1] as number) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = place;
  }
}

const smallest = 8;

function hash(item: number): number {
  const mixed = Math.imul(item, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
