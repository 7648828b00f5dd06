/** Values that do not fit into 64 bits. Registers hold their numbers. */

/** The scalars of an aggregate in order. A scalar of more than 64 bits is a single element. */
export type WideValue = readonly bigint[];

export class WideValues {
  /** The first one is the value of registers that were never set. */
  readonly #values: WideValue[] = [[]];

  add(value: WideValue): number {
    return this.#values.push(value) - 1;
  }

  get(handle: number): WideValue {
    return this.#values[handle] ?? [];
  }
}
