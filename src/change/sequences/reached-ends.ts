/** Which ends can be reached from where in a graph, without a walk from each place. */

import { components } from '../../program/graph/index.js';

export interface EndsGraph {
  /** For each node those that follow it; none after an end. */
  readonly next: readonly (readonly number[])[];
  /** For each node the number of the end it is, or -1. Several nodes may be one end. */
  readonly endAt: Int32Array;
  readonly endCount: number;
}

/** Nodes that reach the same of some ends. */
export interface ReachedFrom {
  /** Places among the nodes that are asked about. */
  readonly from: readonly number[];
  readonly count: number;
  /** Ascending. They are many where most is reached from most, and only made when they are asked for. */
  readonly ends: () => readonly number[];
}

const wordsAtOnce = 8;
const endsAtOnce = 32 * wordsAtOnce;

/**
 * Circles are taken as one node, and sets of ends handed back along the edges, for a few hundred ends at a time. For
 * those only what leads to them is looked at: where ends are reached from few places the time grows with the graph, and
 * where each is reached from most of it, memory still does.
 */
export class ReachedEnds {
  readonly #next: readonly (readonly number[])[];
  readonly #before: readonly (readonly number[])[];
  readonly #componentOf: Int32Array;
  /** By end the components that are it. */
  readonly #ends: readonly (readonly number[])[];
  readonly #endOf: Int32Array;
  /** By component, where its set is; -1 outside of what is looked at. */
  readonly #placeOf: Int32Array;
  /** By component, whether an end can be reached: known when all ends have been looked at. */
  readonly #leads: Uint8Array;

  constructor({ next, endAt, endCount }: EndsGraph) {
    // Each stands after those it leads to.
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
    this.#leads = new Uint8Array(found.length);
  }

  /** Which ends each of the nodes reaches, some ends at a time, the first of them first. */
  *from(nodes: readonly number[]): Generator<readonly ReachedFrom[]> {
    const asked = new Map<number, number[]>();
    for (const [at, node] of nodes.entries()) {
      const known = asked.get(this.#component(node));
      if (known === undefined) asked.set(this.#component(node), [at]);
      else known.push(at);
    }
    for (let first = 0; first < this.#ends.length; first += endsAtOnce) {
      const leading = this.#leadingTo(first);
      const sets = this.#setsOf(leading, first);
      const found: ReachedFrom[] = [];
      for (const [place, component] of leading.entries()) {
        const from = asked.get(component);
        if (from === undefined) continue;
        const own = sets.subarray(place * wordsAtOnce, (place + 1) * wordsAtOnce);
        found.push({ from, count: countIn(own), ends: () => membersOf(own, first) });
      }
      yield found;
      for (const component of leading) this.#placeOf[component] = -1;
    }
  }

  /**
   * Pairs of numbers, the asked nodes and the ends, of which enough are joined that all hang together that do by what is
   * reached from where. To be asked after `from` is through.
   *
   * @param join told that two hang together; components stand behind the ends, those behind the nodes
   */
  joinAll(nodes: readonly number[], join: (one: JoinedThing, other: JoinedThing) => void): void {
    const seen = new Uint8Array(this.#next.length);
    const left: number[] = [];
    for (const [at, node] of nodes.entries()) {
      const component = this.#component(node);
      if (this.#leads[component] !== 1) continue;
      join({ kind: 'node', at }, { kind: 'component', at: component });
      left.push(component);
    }
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const end = this.#endOf[at] ?? -1;
      if (end >= 0) join({ kind: 'component', at }, { kind: 'end', at: end });
      for (const next of this.#next[at] ?? []) {
        // What leads nowhere joins nothing, though many may lead to it.
        if (this.#leads[next] !== 1) continue;
        join({ kind: 'component', at }, { kind: 'component', at: next });
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

  /** Components from which ends from this one on can be reached, each after those it leads to. */
  #leadingTo(first: number): readonly number[] {
    const found: number[] = [];
    const left = this.#ends.slice(first, first + endsAtOnce).flat();
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (this.#placeOf[at] !== -1) continue;
      this.#placeOf[at] = 0;
      this.#leads[at] = 1;
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

export interface JoinedThing {
  readonly kind: 'node' | 'end' | 'component';
  readonly at: number;
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
