import { type Ints, ints } from './table.js';

/** Ids in ascending order without duplicates, four bytes each. */
export class SortedIds<Item extends number> implements Iterable<Item> {
  readonly #items: Int32Array;

  /** @param items in any order, without duplicates */
  constructor(items: Iterable<Item>) {
    this.#items = Int32Array.from(items).sort();
  }

  static union<Item extends number>(lists: Iterable<SortedIds<Item>>): SortedIds<Item> {
    const all = new Set<Item>();
    for (const list of lists) for (const item of list) all.add(item);
    return new SortedIds(all);
  }

  get length(): number {
    return this.#items.length;
  }

  at(index: number): Item | undefined {
    return index < 0 ? undefined : (this.#items[index] as Item | undefined);
  }

  /** -1 if absent. */
  indexOf(item: Item): number {
    const items = this.#items;
    let [low, high] = [0, items.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const value = items[middle] ?? 0;
      if (value === item) return middle;
      if (value < item) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  entries(): Iterable<[index: number, item: Item]> {
    return ints<Item>(this.#items).entries();
  }

  get items(): Ints<Item> {
    return ints(this.#items);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.items[Symbol.iterator]();
  }
}
