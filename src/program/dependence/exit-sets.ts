import { BitSet, IntTable, type LocalNodeId, Table } from '../graph/index.js';
import { type Adjacency, endOf } from './edges.js';

/** Edges to follow, all adjacencies in turn. A node at or above an adjacency's `count` has no edges in it. */
export interface Ways {
  readonly count: number;
  readonly adjacencies: readonly { readonly count: number; readonly adjacency: Adjacency }[];
}

/**
 * For each start node the set of exits it reaches. Nodes of a strongly connected component (Tarjan) have the same
 * set, so it is computed once for each; sets are shared if nothing is added to them.
 *
 * @param exitOf the number of a node's exit; -1 for other nodes
 */
export function exitSets(
  from: readonly LocalNodeId[],
  ways: Ways,
  exitOf: (node: LocalNodeId) => number,
  exits: number,
): readonly BitSet[] {
  return new ExitSets(ways, exitOf, exits).from(from);
}

class ExitSets {
  readonly #index: IntTable<LocalNodeId>;
  readonly #low: IntTable<LocalNodeId>;
  /** For nodes of finished components. */
  readonly #sets: Table<LocalNodeId, BitSet | undefined>;
  readonly #open: LocalNodeId[] = [];
  readonly #empty: BitSet;
  #clock = 0;

  constructor(
    private readonly ways: Ways,
    private readonly exitOf: (node: LocalNodeId) => number,
    private readonly exits: number,
  ) {
    this.#index = IntTable.of(ways.count, -1);
    this.#low = IntTable.of(ways.count, 0);
    this.#sets = new Table(new Array<BitSet | undefined>(ways.count));
    this.#empty = new BitSet(exits);
  }

  from(nodes: readonly LocalNodeId[]): readonly BitSet[] {
    for (const node of nodes) if (this.#index.get(node) === -1) this.#visit(node);
    return nodes.map((node) => this.#sets.get(node) ?? this.#empty);
  }

  #visit(start: LocalNodeId): void {
    const frames = [this.#enter(start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { node } = frame;
      const to = this.#nextFrom(frame);
      if (to !== undefined) {
        if (this.#index.get(to) === -1) frames.push(this.#enter(to));
        else if (this.#sets.get(to) === undefined) this.#lower(node, this.#index.get(to));
      } else {
        frames.pop();
        const above = frames.at(-1);
        if (above !== undefined) this.#lower(above.node, this.#low.get(node));
        if (this.#low.get(node) === this.#index.get(node)) this.#close(node);
      }
    }
  }

  #enter(node: LocalNodeId): Frame {
    this.#index.set(node, this.#clock);
    this.#low.set(node, this.#clock++);
    this.#open.push(node);
    return { node, way: -1, adjacency: undefined, at: 0, end: 0 };
  }

  /** The next successor; undefined after the last. */
  #nextFrom(frame: Frame): LocalNodeId | undefined {
    while (frame.adjacency === undefined || frame.at >= frame.end) {
      const way = this.ways.adjacencies[++frame.way];
      if (way === undefined) return undefined;
      if (frame.node >= way.count) continue;
      frame.adjacency = way.adjacency;
      frame.at = way.adjacency.start(frame.node);
      frame.end = way.adjacency.end(frame.node);
    }
    return endOf(frame.adjacency.item(frame.at++));
  }

  #lower(node: LocalNodeId, to: number): void {
    if (to < this.#low.get(node)) this.#low.set(node, to);
  }

  #close(root: LocalNodeId): void {
    const from = this.#open.lastIndexOf(root);
    const members = this.#open.splice(from);
    let set: BitSet | undefined;
    let ownSet: BitSet | undefined;
    for (const member of members) {
      const exit = this.exitOf(member);
      if (exit !== -1) {
        ownSet ??= set?.copy() ?? new BitSet(this.exits);
        ownSet.add(exit);
        set = ownSet;
      }
      for (const { count, adjacency } of this.ways.adjacencies) {
        if (member >= count) continue;
        const end = adjacency.end(member);
        for (let at = adjacency.start(member); at < end; at++) {
          const other = this.#sets.get(endOf(adjacency.item(at)));
          if (other === undefined || other === set || other === this.#empty) continue;
          if (set === undefined) set = other;
          else if (!set.includes(other)) {
            ownSet ??= set.copy();
            ownSet.addAll(other);
            set = ownSet;
          }
        }
      }
    }
    for (const member of members) this.#sets.set(member, set ?? this.#empty);
  }
}

/** The position in the successors of a node. */
interface Frame {
  readonly node: LocalNodeId;
  /** Index of the adjacency; -1 before the first. */
  way: number;
  adjacency: Adjacency | undefined;
  at: number;
  end: number;
}
