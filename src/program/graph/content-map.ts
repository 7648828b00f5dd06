/** What a key holds, as far as a map has to know. */
export interface Content<Key> {
  /** The same for equal keys. */
  hash(key: Key): number;
  isSame(key: Key, other: Key): boolean;
}

/** A map whose keys are the same if they hold the same. */
export class ContentMap<Key, Value> {
  readonly #buckets = new Map<number, { readonly key: Key; readonly value: Value }[]>();

  constructor(private readonly content: Content<Key>) {}

  get(key: Key): Value | undefined {
    const bucket = this.#buckets.get(this.content.hash(key));
    return bucket?.find((entry) => this.content.isSame(entry.key, key))?.value;
  }

  /** Of a key that is known not to be there. */
  add(key: Key, value: Value): void {
    const hash = this.content.hash(key);
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [{ key, value }]);
    else bucket.push({ key, value });
  }
}
