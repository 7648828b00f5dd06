/** `items[index]`; throws if it is missing, which is a bug of the caller. */
export function itemAt<Item>(items: readonly Item[], index: number): NonNullable<Item> {
  const item = items[index];
  if (item === undefined || item === null) throw new Error(`there is no item ${index} among ${items.length}`);
  return item;
}

/** Appends an item to the list under a key, which is created if needed. */
export function addToList<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
