import { type Ints, ints } from './table.js';

/**
 * A set of numbers that keeps insertion order, so that everything added since a given moment is a suffix. Small sets,
 * the great majority, are searched linearly.
 */
export class IntSet<Item extends number = number> {
  #items: Int32Array = new Int32Array(4);
  /** Positions in `#items` plus 1, by hash; absent while the set is small. */
  #table: Int32Array | undefined;
  size = 0;

  /** @param index in insertion order */
  at(index: number): Item {
    return this.#items[index] as Item;
  }

  has(item: Item): boolean {
    const table = this.#table;
    if (table === undefined) {
      for (let at = 0; at < this.size; at++) if (this.#items[at] === item) return true;
      return false;
    }
    const mask = table.length - 1;
    for (let slot = hash(item) & mask; ; slot = (slot + 1) & mask) {
      const position = table[slot] ?? 0;
      if (position === 0) return false;
      if (this.#items[position - 1] === item) return true;
    }
  }

  /** Returns false if the item was present. */
  add(item: Item): boolean {
    if (this.has(item)) return false;
    this.append(item);
    return true;
  }

  /** The item must be new. */
  append(item: Item): void {
    if (this.size === this.#items.length) {
      const wider = new Int32Array(this.size * 2);
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.size++] = item;
    if (this.#table !== undefined && this.size * 2 <= this.#table.length) enter(this.#table, item, this.size);
    else if (this.size > smallest) this.#rehash();
  }

  /** A view on the items: do not change it, and do not use it after the set has grown. */
  items(): Ints<Item> {
    return ints(this.#items.subarray(0, this.size));
  }

  #rehash(): void {
    const table = new Int32Array((this.#table?.length ?? smallest) * 4);
    for (let index = 0; index < this.size; index++) enter(table, this.at(index), index + 1);
    this.#table = table;
  }
}

const smallest = 8;

function enter(table: Int32Array, item: number, position: number): void {
  const mask = table.length - 1;
  let slot = hash(item) & mask;
  while (table[slot] !== 0) slot = (slot + 1) & mask;
  table[slot] = position;
}

function hash(item: number): number {
  const mixed = Math.imul(item, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
