export class PairMap<First, Second, Value> {
  readonly #values = new Map<First, Map<Second, Value>>();

  get(first: First, second: Second): Value | undefined {
    return this.#values.get(first)?.get(second);
  }

  set(first: First, second: Second, value: Value): void {
    const row = this.#values.get(first);
    if (row === undefined) this.#values.set(first, new Map([[second, value]]));
    else row.set(second, value);
  }
}
