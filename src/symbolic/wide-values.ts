/** Values that do not fit into 64 bits: a register holds their number here. */

/** The scalars of an aggregate in their order; one of more than 64 bits stands by itself. */
export type WideValue = readonly bigint[];

export class WideValues {
  /** The first is what registers hold that were never set. */
  readonly #values: WideValue[] = [[]];

  add(value: WideValue): number {
    return this.#values.push(value) - 1;
  }

  get(handle: number): WideValue {
    return this.#values[handle] ?? [];
  }
}
