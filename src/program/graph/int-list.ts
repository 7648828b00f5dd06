/** A growing list of whole numbers, four bytes each. */
export class IntList {
  #items: Int32Array;
  length = 0;

  constructor(capacity = 16) {
    this.#items = new Int32Array(capacity);
  }

  push(item: number): void {
    if (this.length === this.#items.length) {
      const wider = new Int32Array(Math.max(16, this.length * 2));
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.length++] = item;
  }

  at(index: number): number {
    return this.#items[index] as number;
  }

  set(index: number, item: number): void {
    this.#items[index] = item;
  }

  /** The items in an array of their own. */
  toArray(): Int32Array {
    return this.#items.slice(0, this.length);
  }
}
