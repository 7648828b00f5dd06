/** `items[index]`; throws if it is missing, which is a bug of the caller. */
export function itemAt<Item>(items: readonly Item[], index: number): NonNullable<Item> {
  const item = items[index];
  if (item === undefined || item === null) throw new Error(`there is no item ${index} among ${items.length}`);
  return item;
}
