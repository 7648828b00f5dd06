import { type Ints, ints } from './table.js';

/** For each id a list of numbers, all of them in one array. */
export class IntLists<Id extends number, Item extends number> {
  readonly #starts: Int32Array;
  readonly #items: Int32Array;

  /**
   * @param starts for each id where its list begins, and after the last id where the last list ends; not copied
   * @param items not copied
   */
  constructor(starts: Int32Array, items: Int32Array) {
    this.#starts = starts;
    this.#items = items;
  }

  /** @param keys for each item the id whose list it is in; the lists keep the order of the items */
  static by<Id extends number, Item extends number>(
    count: number,
    keys: Int32Array,
    items: Int32Array,
  ): IntLists<Id, Item> {
    const starts = new Int32Array(count + 1);
    for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
    for (let at = 0; at < count; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
    const sorted = new Int32Array(items.length);
    const next = starts.slice();
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? 0;
      const index = next[key] ?? 0;
      sorted[index] = items[at] ?? 0;
      next[key] = index + 1;
    }
    return new IntLists(starts, sorted);
  }

  static of<Id extends number, Item extends number>(lists: readonly (readonly Item[])[]): IntLists<Id, Item> {
    const starts = new Int32Array(lists.length + 1);
    for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
    return new IntLists(starts, Int32Array.from(lists.flat()));
  }

  /** How many lists there are. */
  get length(): number {
    return this.#starts.length - 1;
  }

  /** How many items all lists have together. */
  get itemCount(): number {
    return this.#items.length;
  }

  of(id: Id): Ints<Item> {
    return ints(this.#items.subarray(this.#starts[id], this.#starts[id + 1]));
  }

  /** Where the list of an id begins among all items, and where it ends: for loops that make nothing. */
  start(id: Id): number {
    return this.#starts[id] ?? 0;
  }

  end(id: Id): number {
    return this.#starts[id + 1] ?? 0;
  }

  /** @param index from `start` to before `end` */
  item(index: number): Item {
    return this.#items[index] as Item;
  }
}
