import type { Instance } from '../../symbolic/index.js';

/** A priority queue of instances that yields the latest first and ignores duplicates. */
export class LatestFirstQueue {
  readonly #heap: Instance[] = [];
  readonly #met = new Set<Instance>();

  add(instance: Instance): void {
    if (this.#met.has(instance)) return;
    this.#met.add(instance);
    const heap = this.#heap;
    let at = heap.push(instance) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && (heap[parent] ?? 0) < instance; parent = (at - 1) >> 1) {
      heap[at] = heap[parent] ?? 0;
      at = parent;
    }
    heap[at] = instance;
  }

  take(): Instance | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = right < heap.length && (heap[right] ?? 0) > (heap[left] ?? 0) ? right : left;
      if (child >= heap.length || (heap[child] ?? 0) <= last) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
