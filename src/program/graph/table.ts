/**
 * Values by ids of one kind. In contrast to an array it can only be indexed by that kind of id, and `get` never
 * returns an unexpected undefined: an id is created together with its value. A table that is filled gradually has
 * `undefined` in its value type.
 */

export interface ReadonlyTable<Id extends number, Value> extends Iterable<Value> {
  readonly length: number;
  get(id: Id): Value;
  keys(): Iterable<Id>;
  entries(): Iterable<[Id, Value]>;
  map<Other>(other: (value: Value, id: Id) => Other): Table<Id, Other>;
  readonly values: readonly Value[];
}

/** @example const names = new Table<FunctionId, string>(); const id = names.add('main'); names.get(id); */
export class Table<Id extends number, Value> implements ReadonlyTable<Id, Value> {
  readonly #values: Value[];

  /** @param values not copied */
  constructor(values: Value[] = []) {
    this.#values = values;
  }

  get length(): number {
    return this.#values.length;
  }

  get values(): readonly Value[] {
    return this.#values;
  }

  get(id: Id): Value {
    return this.#values[id] as Value;
  }

  set(id: Id, value: Value): void {
    this.#values[id] = value;
  }

  add(value: Value): Id {
    return (this.#values.push(value) - 1) as Id;
  }

  clear(): void {
    this.#values.length = 0;
  }

  keys(): Iterable<Id> {
    return this.#values.keys() as Iterable<Id>;
  }

  entries(): Iterable<[Id, Value]> {
    return this.#values.entries() as Iterable<[Id, Value]>;
  }

  map<Other>(other: (value: Value, id: Id) => Other): Table<Id, Other> {
    return new Table(this.#values.map((value, at) => other(value, at as Id)));
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.#values[Symbol.iterator]();
  }
}

/** A read-only view on an `Int32Array` of ids. */
export interface Ints<Value extends number> extends Iterable<Value> {
  readonly length: number;
  entries(): Iterable<[number, Value]>;
  some(holds: (value: Value) => boolean): boolean;
  slice(from?: number, to?: number): Ints<Value>;
  subarray(from?: number, to?: number): Ints<Value>;
}

export function ints<Value extends number>(array: Int32Array): Ints<Value> {
  return array as Ints<number> as Ints<Value>;
}

/** A table of numbers, four bytes each. */
export class IntTable<Id extends number, Value extends number = number> {
  readonly #values: Int32Array;

  /** @param values not copied */
  constructor(values: Int32Array) {
    this.#values = values;
  }

  static of<Id extends number, Value extends number>(count: number, value: Value): IntTable<Id, Value> {
    const values = new Int32Array(count);
    return new IntTable(value === 0 ? values : values.fill(value));
  }

  get length(): number {
    return this.#values.length;
  }

  get values(): Ints<Value> {
    return ints(this.#values);
  }

  get(id: Id): Value {
    return this.#values[id] as Value;
  }

  set(id: Id, value: Value): void {
    this.#values[id] = value;
  }

  entries(): Iterable<[Id, Value]> {
    return this.#values.entries() as Iterable<[number, number]> as Iterable<[Id, Value]>;
  }
}
