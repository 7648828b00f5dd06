import type { Adjacency } from './edges.js';

/** Connections to go along, one after the other; a node beyond what one knows has none there. */
export interface Ways {
  readonly count: number;
  readonly adjacencies: readonly { readonly count: number; readonly adjacency: Adjacency }[];
}

/**
 * For each of some nodes the exits that can be reached from it, as bits. Nodes that reach one another have the same
 * ones, so the work is done once for each strongly connected component (Tarjan), and sets are shared where nothing is
 * added to them.
 *
 * @param exitOf the number of the exit that a node is; -1 for others
 */
export function exitSets(
  from: readonly number[],
  ways: Ways,
  exitOf: (node: number) => number,
  exits: number,
): readonly Uint32Array[] {
  return new ExitSets(ways, exitOf, (exits + 31) >>> 5).from(from);
}

class ExitSets {
  readonly #index: Int32Array;
  readonly #low: Int32Array;
  /** Of nodes whose component is done. */
  readonly #sets: (Uint32Array | undefined)[];
  readonly #open: number[] = [];
  readonly #empty: Uint32Array;
  #clock = 0;

  constructor(
    private readonly ways: Ways,
    private readonly exitOf: (node: number) => number,
    private readonly words: number,
  ) {
    this.#index = new Int32Array(ways.count).fill(-1);
    this.#low = new Int32Array(ways.count);
    this.#sets = new Array<Uint32Array | undefined>(ways.count);
    this.#empty = new Uint32Array(words);
  }

  from(nodes: readonly number[]): readonly Uint32Array[] {
    for (const node of nodes) if (this.#index[node] === -1) this.#visit(node);
    return nodes.map((node) => this.#sets[node] ?? this.#empty);
  }

  #neighbours(node: number): Int32Array {
    let found: Int32Array | undefined;
    for (const { count, adjacency } of this.ways.adjacencies) {
      const own = node < count ? adjacency.of(node) : none;
      if (own.length === 0) continue;
      if (found === undefined) found = own;
      else {
        const both = new Int32Array(found.length + own.length);
        both.set(found);
        both.set(own, found.length);
        found = both;
      }
    }
    return found ?? none;
  }

  #visit(start: number): void {
    const frames = [this.#enter(start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { node, neighbours } = frame;
      if (frame.at < neighbours.length) {
        const to = (neighbours[frame.at++] as number) >> 1;
        if (this.#index[to] === -1) frames.push(this.#enter(to));
        else if (this.#sets[to] === undefined) this.#lower(node, this.#index[to] as number);
      } else {
        frames.pop();
        const above = frames.at(-1);
        if (above !== undefined) this.#lower(above.node, this.#low[node] as number);
        if (this.#low[node] === this.#index[node]) this.#close(node);
      }
    }
  }

  #enter(node: number): { readonly node: number; readonly neighbours: Int32Array; at: number } {
    this.#index[node] = this.#clock;
    this.#low[node] = this.#clock++;
    this.#open.push(node);
    return { node, neighbours: this.#neighbours(node), at: 0 };
  }

  #lower(node: number, to: number): void {
    if (to < (this.#low[node] as number)) this.#low[node] = to;
  }

  #close(root: number): void {
    const from = this.#open.lastIndexOf(root);
    const members = this.#open.splice(from);
    let set: Uint32Array | undefined;
    let isOwn = false;
    const own = (): Uint32Array => {
      if (!isOwn) set = set === undefined ? new Uint32Array(this.words) : set.slice();
      isOwn = true;
      return set as Uint32Array;
    };
    for (const member of members) {
      const exit = this.exitOf(member);
      if (exit !== -1) {
        const bits = own();
        bits[exit >>> 5] = (bits[exit >>> 5] as number) | (1 << (exit & 31));
      }
      for (const edge of this.#neighbours(member)) {
        const other = this.#sets[edge >> 1];
        if (other === undefined || other === set || other === this.#empty) continue;
        if (set === undefined) set = other;
        else if (!contains(set, other)) addTo(own(), other);
      }
    }
    for (const member of members) this.#sets[member] = set ?? this.#empty;
  }
}

const none = new Int32Array(0);

function contains(set: Uint32Array, other: Uint32Array): boolean {
  for (let at = 0; at < set.length; at++)
    if (((other[at] as number) & ~(set[at] as number)) !== 0) return false;
  return true;
}

function addTo(set: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < set.length; at++) set[at] = (set[at] as number) | (other[at] as number);
}
