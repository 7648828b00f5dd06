import { IntTable } from './table.js';

export class IntList<Value extends number = number, Index extends number = number> {
  #items: Int32Array;
  length = 0;

  constructor(capacity = 16) {
    this.#items = new Int32Array(capacity);
  }

  push(item: Value): void {
    if (this.length === this.#items.length) {
      const wider = new Int32Array(Math.max(16, this.length * 2));
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.length++] = item;
  }

  get(index: Index): Value {
    return this.#items[index] as Value;
  }

  set(index: Index, item: Value): void {
    this.#items[index] = item;
  }

  toArray(): Int32Array {
    return this.#items.slice(0, this.length);
  }

  toTable(): IntTable<Index, Value> {
    return new IntTable(this.toArray());
  }
}
