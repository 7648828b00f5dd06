/**
 * The subsets that delta debugging removes, largest first: halves, quarters, …, single items.
 *
 * @example chunks([1, 2, 3, 4]) // in turn: [1, 2], [3, 4], [1], [2], [3], [4]
 */
export function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let size = Math.ceil(items.length / 2); size > 1; size = Math.ceil(size / 2)) {
    for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
  }
  for (const item of items) yield [item];
}
