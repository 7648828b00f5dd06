/** The item at an index that is known to be one of the list's; an error is a bug of the caller. */
export function itemAt<Item>(items: readonly Item[], index: number): NonNullable<Item> {
  const item = items[index];
  if (item === undefined || item === null) throw new Error(`there is no item ${index} among ${items.length}`);
  return item;
}
