/** Computes which ends are reachable from which nodes of a graph, without a walk from each node. */

import { components } from '../../program/graph/index.js';
import { pushTo } from '../hunks/collections.js';

export interface EndsGraph {
  /** For each node its successors. An end has none. */
  readonly next: readonly (readonly number[])[];
  /** For each node the number of its end, or -1. Several nodes may be one end. */
  readonly endAt: Int32Array;
  readonly endCount: number;
}

/** Nodes that reach the same set of ends. */
export interface ReachedFrom {
  readonly from: readonly number[];
  readonly count: number;
  /** Ascending. Computed on demand, because there may be many. */
  readonly ends: () => readonly number[];
}

const wordsAtOnce = 8;
const endsAtOnce = 32 * wordsAtOnce;

/**
 * Merges cycles into components and propagates sets of ends backwards along the edges, for a few hundred ends at a
 * time. Each pass visits only the components that lead to its ends. The time grows with the graph if few nodes reach
 * each end. The memory grows with the graph in any case.
 */
export class ReachedEnds {
  readonly #next: readonly (readonly number[])[];
  readonly #before: readonly (readonly number[])[];
  readonly #componentOf: Int32Array;
  readonly #ends: readonly (readonly number[])[];
  readonly #endOf: Int32Array;
  /** By component the position of its set; -1 for components outside the pass. */
  readonly #placeOf: Int32Array;
  /** By component, if it reaches an end. Complete after the last pass. */
  readonly #reachesEnd: Uint8Array;

  constructor({ next, endAt, endCount }: EndsGraph) {
    // Each component comes after the ones it leads to.
    const found = components(next);
    this.#componentOf = new Int32Array(next.length);
    for (const [at, nodes] of found.entries()) for (const node of nodes) this.#componentOf[node] = at;
    const ends: number[][] = Array.from({ length: endCount }, () => []);
    const before: number[][] = found.map(() => []);
    this.#endOf = new Int32Array(found.length).fill(-1);
    this.#next = found.map((nodes, at) => {
      const others = new Set<number>();
      for (const node of nodes) {
        for (const to of next[node] ?? []) others.add(this.#component(to));
        const end = endAt[node] ?? -1;
        if (end < 0) continue;
        ends[end]?.push(at);
        this.#endOf[at] = end;
      }
      others.delete(at);
      for (const other of others) before[other]?.push(at);
      return [...others];
    });
    this.#before = before;
    this.#ends = ends;
    this.#placeOf = new Int32Array(found.length).fill(-1);
    this.#reachesEnd = new Uint8Array(found.length);
  }

  /** The ends that each node reaches, in passes over ascending ends. */
  *from(nodes: readonly number[]): Generator<readonly ReachedFrom[]> {
    const byComponent = new Map<number, number[]>();
    for (const [at, node] of nodes.entries()) pushTo(byComponent, this.#component(node), at);
    for (let first = 0; first < this.#ends.length; first += endsAtOnce) {
      const leading = this.#leadingTo(first);
      const sets = this.#setsOf(leading, first);
      const found: ReachedFrom[] = [];
      for (const [place, component] of leading.entries()) {
        const from = byComponent.get(component);
        if (from === undefined) continue;
        const own = sets.subarray(place * wordsAtOnce, (place + 1) * wordsAtOnce);
        found.push({ from, count: countIn(own), ends: () => membersOf(own, first) });
      }
      yield found;
      for (const component of leading) this.#placeOf[component] = -1;
    }
  }

  /**
   * Calls `join` for enough pairs to connect all nodes and ends that belong together. Needs a finished `from`.
   *
   * @param componentsFrom the number of the first component; node and end numbers are below it
   */
  joinAll(
    nodes: readonly number[],
    componentsFrom: number,
    join: (one: number, other: number) => void,
  ): void {
    const seen = new Uint8Array(this.#next.length);
    const left: number[] = [];
    for (const [at, node] of nodes.entries()) {
      const component = this.#component(node);
      if (this.#reachesEnd[component] !== 1) continue;
      join(at, componentsFrom + component);
      left.push(component);
    }
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const end = this.#endOf[at] ?? -1;
      if (end >= 0) join(componentsFrom + at, end);
      for (const next of this.#next[at] ?? []) {
        // A component that reaches no end connects nothing, though many may lead to it.
        if (this.#reachesEnd[next] !== 1) continue;
        join(componentsFrom + at, componentsFrom + next);
        left.push(next);
      }
    }
  }

  get componentCount(): number {
    return this.#next.length;
  }

  #component(node: number): number {
    return this.#componentOf[node] ?? 0;
  }

  /** Components that reach the ends of a pass, each after the ones it leads to. */
  #leadingTo(first: number): readonly number[] {
    const found: number[] = [];
    const left = this.#ends.slice(first, first + endsAtOnce).flat();
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (this.#placeOf[at] !== -1) continue;
      this.#placeOf[at] = 0;
      this.#reachesEnd[at] = 1;
      found.push(at);
      for (const before of this.#before[at] ?? []) left.push(before);
    }
    found.sort((a, b) => a - b);
    for (const [place, component] of found.entries()) this.#placeOf[component] = place;
    return found;
  }

  #setsOf(leading: readonly number[], first: number): Uint32Array {
    const sets = new Uint32Array(leading.length * wordsAtOnce);
    for (const [place, component] of leading.entries()) {
      const own = place * wordsAtOnce;
      const end = (this.#endOf[component] ?? -1) - first;
      if (end >= 0 && end < endsAtOnce) {
        const word = own + (end >>> 5);
        sets[word] = (sets[word] ?? 0) | (1 << (end & 31));
      }
      for (const next of this.#next[component] ?? []) {
        const other = this.#placeOf[next] ?? -1;
        if (other < 0) continue;
        for (let word = 0; word < wordsAtOnce; word++)
          sets[own + word] = (sets[own + word] ?? 0) | (sets[other * wordsAtOnce + word] ?? 0);
      }
    }
    return sets;
  }
}

function countIn(words: Uint32Array): number {
  let count = 0;
  for (const word of words) for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}

function membersOf(words: Uint32Array, first: number): readonly number[] {
  const found: number[] = [];
  for (const [at, word] of words.entries())
    for (let left = word; left !== 0; left &= left - 1)
      found.push(first + 32 * at + 31 - Math.clz32(left & -left));
  return found;
}
