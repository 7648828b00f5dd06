/** Dependences between the nodes of one function, in both directions, as compact arrays. */

import { type Id, IntList, IntLists, idOf, type LocalNodeId } from '../graph/index.js';

export const edgeKind = { data: 0, control: 1 } as const;

/** A connected node and the kind of the connection: twice the node plus the kind. */
export type Edge = Id<'edge'>;

function edgeTo(node: LocalNodeId, kind: number): Edge {
  return idOf(node * 2 + kind);
}

export function targetOf(edge: Edge): LocalNodeId {
  return idOf(edge >> 1);
}

export function edgeKindOf(edge: Edge): number {
  return edge & 1;
}

export type Adjacency = IntLists<LocalNodeId, Edge>;

export class EdgeList {
  readonly #from = new IntList<LocalNodeId>(256);
  readonly #to = new IntList<Edge>(256);

  get length(): number {
    return this.#from.length;
  }

  add(from: LocalNodeId, to: LocalNodeId, kind: number = edgeKind.data): void {
    this.#from.push(from);
    this.#to.push(edgeTo(to, kind));
  }

  both(count: number): { readonly backward: Adjacency; readonly forward: Adjacency } {
    const from = this.#from.toArray();
    const to = this.#to.toArray();
    const targets = to.map((edge) => targetOf(idOf(edge)));
    const reversed = from.map((node, at) => edgeTo(idOf(node), edgeKindOf(this.#to.get(at))));
    return { backward: IntLists.by(count, from, to), forward: IntLists.by(count, targets, reversed) };
  }
}
