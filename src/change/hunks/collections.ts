import { getOrCreate } from '../../program/graph/index.js';

/** Binary search: the first index for which `isBelow` is false, or `length`. */
export function lowerBound(length: number, isBelow: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appends to a list in a map. */
export function pushTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  getOrCreate(lists, key, () => []).push(item);
}

/** Adds to a set in a map. */
export function addTo<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  getOrCreate(sets, key, () => new Set<Item>()).add(item);
}

/** Marks the nodes that are reachable from some nodes, which are included. */
export function markReachable(
  marks: Uint8Array,
  from: Iterable<number>,
  next: (node: number) => readonly number[],
): Uint8Array {
  const left = [...from];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (marks[node] === 1) continue;
    marks[node] = 1;
    for (const to of next(node)) left.push(to);
  }
  return marks;
}

export function ascending(numbers: Iterable<number>): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}
