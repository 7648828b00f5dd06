/** The value of a key; created and stored if it is missing. */
export function getOrCreate<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => NonNullable<Value>,
): NonNullable<Value> {
  const existing = map.get(key);
  if (existing !== undefined && existing !== null) return existing;
  const created = create();
  map.set(key, created);
  return created;
}
