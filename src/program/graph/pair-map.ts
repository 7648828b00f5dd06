/** A map whose keys are pairs. */
export class PairMap<First, Second, Value> {
  readonly #values = new Map<First, Map<Second, Value>>();

  get(first: First, second: Second): Value | undefined {
    return this.#values.get(first)?.get(second);
  }

  set(first: First, second: Second, value: Value): void {
    const known = this.#values.get(first);
    if (known === undefined) this.#values.set(first, new Map([[second, value]]));
    else known.set(second, value);
  }
}
