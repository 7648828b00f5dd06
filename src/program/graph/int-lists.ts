import { type Ints, ints } from './table.js';

/** A list of numbers for each id, all in one array. */
export class IntLists<Id extends number, Item extends number> {
  readonly #starts: Int32Array;
  readonly #items: Int32Array;

  /**
   * @param starts the start of each list in `items`, then the end of the last list; not copied
   * @param items not copied
   */
  constructor(starts: Int32Array, items: Int32Array) {
    this.#starts = starts;
    this.#items = items;
  }

  /** @param keys the id of each item's list; the lists keep the order of the items */
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

  get length(): number {
    return this.#starts.length - 1;
  }

  get itemCount(): number {
    return this.#items.length;
  }

  of(id: Id): Ints<Item> {
    return ints(this.#items.subarray(this.#starts[id], this.#starts[id + 1]));
  }

  /** First index of an id's list, for loops that must not allocate. */
  start(id: Id): number {
    return this.#starts[id] ?? 0;
  }

  end(id: Id): number {
    return this.#starts[id + 1] ?? 0;
  }

  /** @param index from `start(id)` to `end(id) - 1` */
  item(index: number): Item {
    return this.#items[index] as Item;
  }
}
