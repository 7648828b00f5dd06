/**
 * Counts the iterations of loops on one line as gcov does: finds circuits with the algorithm of Hawick and James, and
 * subtracts each circuit's count from its arcs.
 */

export interface LineGraph {
  /** In order; duplicates are possible. */
  readonly blocks: readonly number[];
  /** Arcs that leave each block, by target, in order. */
  readonly leaving: readonly (readonly { readonly arc: number; readonly to: number }[])[];
}

/** @param counts of all arcs */
export function loopCount({ blocks, leaving }: LineGraph, counts: ArrayLike<number>): number {
  const on = new Set(blocks);
  const remaining = new Map<number, number>();
  for (const block of on) for (const { arc } of leaving[block] ?? []) remaining.set(arc, counts[arc] ?? 0);
  const search = new Circuits(on, leaving, remaining);
  for (const start of blocks) search.from(start);
  return search.count;
}

class Circuits {
  count = 0;
  #start = 0;
  readonly #path: number[] = [];
  /** Blocked blocks, each with the blocks to unblock with it. */
  #blocked = new Map<number, number[]>();

  constructor(
    private readonly on: ReadonlySet<number>,
    private readonly leaving: LineGraph['leaving'],
    private readonly left: Map<number, number>,
  ) {}

  from(start: number): void {
    this.#start = start;
    this.#blocked = new Map();
    this.#visit(start);
  }

  #visit(block: number): boolean {
    let isFound = false;
    this.#blocked.set(block, []);
    for (const { arc, to } of this.leaving[block] ?? []) {
      if (!this.#isOpen(arc, to)) continue;
      this.#path.push(arc);
      if (to === this.#start) {
        this.#take();
        isFound = true;
      } else if (this.#path.every((other) => this.#leftOf(other) > 0) && !this.#blocked.has(to)) {
        if (this.#visit(to)) isFound = true;
      }
      this.#path.pop();
    }
    if (isFound) this.#free(block);
    else
      for (const { arc, to } of this.leaving[block] ?? []) {
        const waiting = this.#isOpen(arc, to) ? this.#blocked.get(to) : undefined;
        if (waiting !== undefined && !waiting.includes(block)) waiting.push(block);
      }
    return isFound;
  }

  #isOpen(arc: number, to: number): boolean {
    return to >= this.#start && this.#leftOf(arc) > 0 && this.on.has(to);
  }

  #leftOf(arc: number): number {
    return this.left.get(arc) ?? 0;
  }

  #take(): void {
    const least = Math.min(...this.#path.map((arc) => this.#leftOf(arc)));
    this.count += least;
    for (const arc of this.#path) this.left.set(arc, this.#leftOf(arc) - least);
  }

  #free(block: number): void {
    const waiting = this.#blocked.get(block);
    if (waiting === undefined) return;
    this.#blocked.delete(block);
    for (const other of waiting) this.#free(other);
  }
}
