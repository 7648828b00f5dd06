import { BitSet, condense, type LocalNodeId } from '../graph/index.js';
import { type Adjacency, targetOf } from './edges.js';

/** Edges to follow, all adjacencies in turn. A node at or above an adjacency's `count` has no edges in it. */
export interface EdgeSets {
  readonly count: number;
  readonly adjacencies: readonly { readonly count: number; readonly adjacency: Adjacency }[];
}

/**
 * For each start node the set of exits it reaches. Nodes of a strongly connected component have the same set, so it is
 * computed once for each; sets are shared if nothing is added to them.
 */
export function exitSets(
  starts: readonly LocalNodeId[],
  { count, adjacencies }: EdgeSets,
  exits: readonly LocalNodeId[],
): readonly BitSet[] {
  const graph = condense(count, starts, (at, into) => {
    const node = at as LocalNodeId;
    for (const { count, adjacency } of adjacencies) {
      if (node >= count) continue;
      const end = adjacency.end(node);
      for (let edge = adjacency.start(node); edge < end; edge++) into.push(targetOf(adjacency.item(edge)));
    }
  });
  const own: (BitSet | undefined)[] = new Array(graph.count);
  for (const [exit, node] of exits.entries()) {
    const component = graph.componentOf[node] ?? -1;
    if (component === -1) continue;
    own[component] ??= new BitSet(exits.length);
    own[component].add(exit);
  }
  const empty = new BitSet(exits.length);
  const sets: BitSet[] = new Array(graph.count);
  for (let component = 0; component < graph.count; component++) {
    let ownSet = own[component];
    let set = ownSet ?? empty;
    const end = graph.next.end(component);
    for (let edge = graph.next.start(component); edge < end; edge++) {
      const other = sets[graph.next.item(edge)] ?? empty;
      if (set === empty) set = other;
      else if (other !== set && !set.includes(other)) {
        ownSet ??= set.copy();
        ownSet.addAll(other);
        set = ownSet;
      }
    }
    sets[component] = set;
  }
  return starts.map((node) => sets[graph.componentOf[node] ?? -1] ?? empty);
}
