export interface KeyEquality<Key> {
  hash(key: Key): number;
  isSame(key: Key, other: Key): boolean;
}

export class ContentMap<Key, Value> {
  readonly #buckets = new Map<number, { readonly key: Key; readonly value: Value }[]>();

  constructor(private readonly content: KeyEquality<Key>) {}

  get(key: Key): Value | undefined {
    const bucket = this.#buckets.get(this.content.hash(key));
    return bucket?.find((entry) => this.content.isSame(entry.key, key))?.value;
  }

  /** The key must be new. */
  add(key: Key, value: Value): void {
    const hash = this.content.hash(key);
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [{ key, value }]);
    else bucket.push({ key, value });
  }
}
