/** Dependences between the nodes of one function, both ways, in little room. */

import { IntList } from '../graph/index.js';

export const edgeKind = { data: 0, control: 1 } as const;

export class EdgeList {
  readonly #from = new IntList(256);
  readonly #to = new IntList(256);

  get length(): number {
    return this.#from.length;
  }

  /** The first depends on the second. */
  add(from: number, to: number, kind: number = edgeKind.data): void {
    this.#from.push(from);
    this.#to.push(to * 2 + kind);
  }

  /** @param count of all nodes */
  both(count: number): { readonly onto: Adjacency; readonly back: Adjacency } {
    const from = this.#from.toArray();
    const to = this.#to.toArray();
    const reversedFrom = to.map((target) => target >> 1);
    const reversedTo = from.map((source, at) => source * 2 + ((to[at] as number) & 1));
    return { onto: new Adjacency(count, from, to), back: new Adjacency(count, reversedFrom, reversedTo) };
  }
}

/** For each node the nodes it is connected to, with the kind of each connection. */
export class Adjacency {
  readonly #starts: Int32Array;
  readonly #targets: Int32Array;

  constructor(count: number, from: Int32Array, to: Int32Array) {
    const starts = new Int32Array(count + 1);
    for (const source of from) starts[source + 1] = (starts[source + 1] as number) + 1;
    for (let at = 0; at < count; at++) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number);
    const targets = new Int32Array(from.length);
    const next = starts.slice();
    for (const [at, source] of from.entries()) {
      const place = next[source] as number;
      targets[place] = to[at] as number;
      next[source] = place + 1;
    }
    this.#starts = starts;
    this.#targets = targets;
  }

  get edgeCount(): number {
    return this.#targets.length;
  }

  /** Each as twice the node plus the kind. */
  of(node: number): Int32Array {
    return this.#targets.subarray(this.#starts[node], this.#starts[node + 1]);
  }
}
